// How ranks connect to detect the end of a rank, while other programs connect as well.
#include "tacit/ranks/team/rank_watch.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/ranks/team/message.hpp"
#include "tacit/ranks/team/sockets.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

// Wraps a rank's team and passes every received message to a function.
class Overheard final : public Team {
 public:
  Overheard(Team& team, std::function<void(const std::string&)> hear) : team_(team), hear_(std::move(hear)) {}
  std::size_t rank() const override { return team_.rank(); }
  std::size_t size() const override { return team_.size(); }
  void send(std::size_t to, std::string bytes) override { team_.send(to, std::move(bytes)); }
  std::string receive(std::size_t from) override {
    std::string bytes = team_.receive(from);
    hear_(bytes);
    return bytes;
  }
  void flush() override { team_.flush(); }

 private:
  Team& team_;
  std::function<void(const std::string&)> hear_;
};

// The port in rank 0's message to the others; 0 for other messages.
std::uint16_t port_in(const std::string& bytes) {
  try {
    MessageReader in(bytes);
    const std::string port = in.text();
    return in.count(1) == 1 && in.text() == "127.0.0.1" ? static_cast<std::uint16_t>(std::stoi(port)) : 0;
  } catch (const std::exception&) {
    return 0;
  }
}

TEST(RankWatch, StrangersDelayNoRankAndAreRefused) {
  std::atomic<int> strangers = 0;
  run_ranks(3, [&](Team& team) {
    std::vector<int> sockets;
    Overheard overheard(team, [&](const std::string& bytes) {
      const std::uint16_t port = port_in(bytes);
      if (port == 0) return;
      for (const std::string text : {"", "half a hello", "a hello that nobody has told it ..."}) {
        sockets.push_back(connected("127.0.0.1", std::to_string(port)));
        ::send(sockets.back(), text.data(), text.size(), MSG_NOSIGNAL);
        ++strangers;
      }
    });
    RankWatch rank_watch(overheard, 60s);
    team.share({});  // all are connected
    for (const int socket : sockets) {
      char word = 0;
      EXPECT_LE(::recv(socket, &word, 1, 0), 0) << "the connection was accepted";
      ::close(socket);
    }
    team.share({});
    EXPECT_FALSE(rank_watch.lost()) << *rank_watch.lost();
  });
  EXPECT_EQ(strangers, 6);
}

TEST(RankWatch, ARankThatDoesNotConnectIsNamed) {
  const auto three = [](Team& team) {
    if (team.rank() != 2) {
      const RankWatch rank_watch(team, 100ms);
      return;
    }
    MessageWriter own;  // it introduces itself but does not connect
    own.text(host_name());
    own.number<std::int64_t>(4711);
    own.text(loopback_of());
    team.share(message(own));
    std::string bytes;
    for (const char* what : {"token", "where"}) {
      team.broadcast(bytes);
      EXPECT_FALSE(bytes.empty()) << what;
    }
  };
  try {
    run_ranks(3, three);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    const std::string words = "rank 2 (on " + host_name() + ", process 4711) has not connected to rank 0";
    EXPECT_EQ(std::string(e.what()).find(words), 0u) << e.what();
  }
}

}  // namespace
}  // namespace tacit
