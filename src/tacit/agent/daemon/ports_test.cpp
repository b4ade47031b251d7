// The ports that an agent would open.
#include "tacit/agent/daemon/ports.hpp"

#include <gtest/gtest.h>

#include "tacit/agent/control/metrics.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

class Ports : public ::testing::Test {
 protected:
  ScratchFolder folder;
  AgentConfig config;
  void SetUp() override { config.control = folder.path / "control.sock"; }

  // The errors; each line begins with its field.
  std::string errors() const {
    std::string all;
    for (const Finding& one : port_findings(config))
      if (one.kind == Finding::Kind::error) all += one.text + '\n';
    return all;
  }
};

TEST_F(Ports, EachTakenOneIsNamed) {
  std::string free;
  {
    const MetricsServer other("127.0.0.1:0", [] { return std::string(); });
    config.listen = "localhost:" + std::to_string(other.port());
    EXPECT_TRUE(
        says(errors(), "listen: cannot listen on " + config.listen + ": another program uses the port"));
  }
  {
    const MetricsServer other("127.0.0.1:0", [] { return std::string(); });
    config.listen = free = other.address();
    EXPECT_EQ(errors(), "listen: cannot listen on " + free +
                            ": another program uses the port; stop that program, or choose another port\n");
    config.listen = MetricsServer("127.0.0.1:0", [] { return std::string(); }).address();  // free again
    for (auto* field : {&config.metrics, &config.page}) {
      *field = free;
      EXPECT_EQ(errors(), (field == &config.page ? "page" : "metrics") +
                              std::string(".listen: cannot listen on ") + free +
                              ": another program uses the port; stop that program, or choose another port\n");
      field->reset();
    }
  }
  EXPECT_EQ(errors(), "");
  EXPECT_EQ(port_findings(config).size(), 1u);
  config.page = config.listen;
  EXPECT_TRUE(says(errors(), "page.listen: cannot listen on ")) << errors();
  EXPECT_TRUE(says(errors(), "another field of agent.toml has the same port")) << errors();
}

TEST_F(Ports, OnePortMayBeUsedAtDifferentAddresses) {
  const int port = MetricsServer("127.0.0.1:0", [] { return std::string(); }).port();  // free again
  config.listen = "127.0.0.2:" + std::to_string(port);
  config.metrics = "127.0.0.1:" + std::to_string(port);
  EXPECT_EQ(errors(), "");
  for (const char* all : {"0.0.0.0:", "[::]:"}) {
    config.listen = all + std::to_string(port);
    EXPECT_TRUE(says(errors(), "metrics.listen: cannot listen on ")) << errors();
    EXPECT_TRUE(says(errors(), "another field of agent.toml has the same port")) << errors();
  }
  config.listen = "127.0.0.2:" + std::to_string(port);
  config.page = "localhost:" + std::to_string(port);  // 127.0.0.1
  EXPECT_TRUE(says(errors(), "page.listen: cannot listen on ")) << errors();
}

}  // namespace
}  // namespace tacit
