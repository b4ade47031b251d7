#include "tacit/agent/control/local_servers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>

#include "tacit/agent/control/metrics.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

class LocalPorts : public ::testing::Test {
 protected:
  std::mutex guard;
  std::vector<std::string> log;
  LocalServers servers{[this](LogLevel, const std::string& text) {
                         const std::lock_guard lock(guard);
                         log.push_back(text);
                       },
                       std::chrono::milliseconds(20)};

  static LocalServers::Open metrics(const std::string& listen) {
    return [listen] { return std::make_shared<MetricsServer>(listen, [] { return "here"; }); };
  }
  control::StatusReply report() const {
    control::StatusReply reply;
    servers.report(reply);
    return reply;
  }
};

TEST_F(LocalPorts, AServerThatOpensReportsItsAddress) {
  servers.add("metrics.listen", metrics("localhost:0"));
  ASSERT_EQ(report().servers_size(), 1);
  EXPECT_EQ(report().servers(0).field(), "metrics.listen");
  EXPECT_TRUE(report().servers(0).address().starts_with("127.0.0.1:")) << report().servers(0).address();
  EXPECT_EQ(report().notes_size(), 0);
  servers.close();
  EXPECT_EQ(report().servers_size(), 0);
}

TEST_F(LocalPorts, ATakenPortIsReportedOnceAndOpenedWhenItIsFree) {
  auto other = std::make_unique<MetricsServer>("127.0.0.1:0", [] { return "other"; });
  const std::string address = other->address();
  servers.add("metrics.listen", metrics(address));
  const std::string fault = report().servers(0).fault();
  EXPECT_TRUE(says(fault, "metrics.listen: cannot listen on " + address + ": another program uses the port"))
      << fault;
  EXPECT_TRUE(says(fault, "The agent runs without this server and tries again every 0.02 s")) << fault;
  ASSERT_EQ(report().notes_size(), 1);
  EXPECT_EQ(report().notes(0), fault);
  EXPECT_EQ(report().servers(0).address(), "");
  other.reset();
  for (int k = 0; k < 3000 && report().servers(0).address().empty(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(report().servers(0).address(), address);
  EXPECT_EQ(report().servers(0).fault(), "");
  const std::lock_guard lock(guard);
  EXPECT_EQ(log.size(), 1u);
}

// Such as the one of a full disk.
TEST_F(LocalPorts, AnErrorOfTheSystemIsAFaultLikeAnyOther) {
  std::atomic<int> tries = 0;
  servers.add("metrics.listen", [&]() -> std::shared_ptr<LocalServer> {
    if (tries++ < 3) throw std::system_error(ENOSPC, std::generic_category(), "token");
    return metrics("127.0.0.1:0")();
  });
  for (int k = 0; k < 3000 && report().servers(0).address().empty(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_NE(report().servers(0).address(), "");
  EXPECT_EQ(tries, 4);
}

// Closing does not wait for the next try.
TEST_F(LocalPorts, OneThatWaitsIsClosedAtOnce) {
  const MetricsServer other("127.0.0.1:0", [] { return "other"; });
  LocalServers waiting([](LogLevel, const std::string&) {}, std::chrono::hours(1));
  waiting.add("metrics.listen", metrics(other.address()));
  waiting.close();
  EXPECT_EQ(other.address().empty(), false);
}

}  // namespace
}  // namespace tacit
