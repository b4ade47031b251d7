// Connections beyond limits, connections that send nothing, and listeners that die.
#include "tacit/link/transport/acceptor.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/link/node/proxy_testing.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
using namespace testing;

constexpr const char* head = "GET / HTTP/1.1\r\n\r\n";

// Whether the other side closes the connection.
bool is_closed(int socket) {
  timeval patience{20, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  char byte = 0;
  const ssize_t got = ::recv(socket, &byte, 1, 0);
  return got == 0 || (got < 0 && errno == ECONNRESET);
}

void send_text(int socket, const std::string& text) {
  EXPECT_EQ(::send(socket, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
}

Descriptor connect_to_file(const std::filesystem::path& file) {
  Descriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, file.c_str());
  EXPECT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return client;
}

struct Accepting : ::testing::Test {
  AcceptLimits limits;
  std::mutex guard;
  std::condition_variable changed;
  std::vector<Descriptor> taken;
  std::vector<std::string> lines;
  int port = 0;
  std::unique_ptr<Acceptor> acceptor;

  void TearDown() override { acceptor.reset(); }
  void start(Listener listener) {
    port = listener.port();
    acceptor = std::make_unique<Acceptor>(std::move(listener),
                                          AcceptRules{.name = "test",
                                                      .limits = limits,
                                                      .first = look_for_http,
                                                      .take =
                                                          [this](int socket) {
                                                            const std::lock_guard lock(guard);
                                                            taken.emplace_back(socket);
                                                            changed.notify_all();
                                                          },
                                                      .log =
                                                          [this](LogLevel, const std::string& text) {
                                                            const std::lock_guard lock(guard);
                                                            lines.push_back(text);
                                                            changed.notify_all();
                                                          }});
  }
  void start() { start(Listener::tcp("127.0.0.1", "0")); }
  Descriptor connect() const { return Descriptor(connect_to("127.0.0.1:" + std::to_string(port))); }
  // From another address of this machine.
  Descriptor connect_from_elsewhere() const {
    Descriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in from{}, to{};
    from.sin_family = to.sin_family = AF_INET;
    from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 7);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(::bind(made.get(), reinterpret_cast<sockaddr*>(&from), sizeof from), 0);
    EXPECT_EQ(::connect(made.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    return made;
  }
  bool has_taken(std::size_t count) {
    std::unique_lock lock(guard);
    return changed.wait_for(lock, 20s, [&] { return taken.size() >= count; });
  }
  bool has_logged(const std::string& words) {
    std::unique_lock lock(guard);
    return changed.wait_for(lock, 20s, [&] {
      return std::ranges::any_of(lines,
                                 [&](const std::string& line) { return line.find(words) != line.npos; });
    });
  }
  void close_taken() {
    const std::lock_guard lock(guard);
    taken.clear();
  }
};

TEST_F(Accepting, TheOldestSilentConnectionGivesWay) {
  limits.waiting = 4;
  start();
  std::vector<Descriptor> silent;
  for (int k = 0; k < 20; ++k) silent.push_back(connect());
  for (int k = 0; k < 16; ++k) EXPECT_TRUE(is_closed(silent[static_cast<std::size_t>(k)].get())) << k;
  const Descriptor good = connect();
  send_text(good.get(), head);
  EXPECT_TRUE(has_taken(1));
  EXPECT_TRUE(has_logged("have not sent their first message"));
}

TEST_F(Accepting, AConnectionIsClosedWhenItsFirstMessageIsLate) {
  limits.patience = 100ms;
  start();
  const Descriptor silent = connect(), slow = connect();
  send_text(slow.get(), "GET / HT");
  EXPECT_TRUE(is_closed(silent.get()));
  EXPECT_TRUE(is_closed(slow.get()));
  EXPECT_TRUE(taken.empty());
}

TEST_F(Accepting, AMessageMayArriveByteByByte) {
  start();
  const Descriptor slow = connect();
  for (const char* at = head; *at; ++at) send_text(slow.get(), std::string(1, *at));
  EXPECT_TRUE(has_taken(1));
}

TEST_F(Accepting, OneAddressCannotTakeTheRoomOfOthers) {
  limits.young = 3;
  limits.patience = 60s;
  start(Listener::tcp("0.0.0.0", "0"));
  std::vector<Descriptor> many;
  for (int k = 0; k < 10; ++k) {
    many.push_back(connect());
    send_text(many.back().get(), head);
  }
  EXPECT_TRUE(has_taken(3));
  EXPECT_TRUE(has_logged("further ones must wait"));
  const Descriptor other = connect_from_elsewhere();
  send_text(other.get(), head);
  EXPECT_TRUE(has_taken(4));
  close_taken();  // then there is room again
  EXPECT_TRUE(has_taken(3));
}

// Also when its connections are no longer new.
TEST_F(Accepting, OneAddressCannotKeepAllRoom) {
  limits.open = 4;
  limits.open_of_one = 3;
  limits.patience = 200ms;
  start(Listener::tcp("0.0.0.0", "0"));
  std::vector<Descriptor> many;
  for (int k = 0; k < 10; ++k) {
    many.push_back(connect());
    send_text(many.back().get(), head);
  }
  EXPECT_TRUE(has_taken(3));
  for (std::size_t k = 3; k < many.size(); ++k) EXPECT_TRUE(is_closed(many[k].get())) << "after its patience";
  const Descriptor again = connect();
  send_text(again.get(), head);
  EXPECT_TRUE(is_closed(again.get()));
  const Descriptor other = connect_from_elsewhere();
  send_text(other.get(), head);
  EXPECT_TRUE(has_taken(4));
}

TEST_F(Accepting, ConnectionsThatAreClosedAgainAreCounted) {
  limits.recent = 5;
  limits.patience = 60s;
  start(Listener::tcp("0.0.0.0", "0"));
  for (int k = 0; k < 5; ++k) {
    const Descriptor brief = connect();
    send_text(brief.get(), head);
    EXPECT_TRUE(has_taken(1)) << k;
    close_taken();
  }
  const Descriptor waits = connect();
  send_text(waits.get(), head);
  EXPECT_TRUE(has_logged("which opened 5 in 60000 ms; further ones must wait"));
  const Descriptor other = connect_from_elsewhere();
  send_text(other.get(), head);
  EXPECT_TRUE(has_taken(1));
  EXPECT_EQ(taken.size(), 1u);
}

TEST_F(Accepting, AFloodClosesItsOwnSilentConnections) {
  limits.waiting = 4;
  limits.patience = 60s;
  start(Listener::tcp("0.0.0.0", "0"));
  const Descriptor oldest = connect_from_elsewhere();
  std::vector<Descriptor> silent;
  for (int k = 0; k < 20; ++k) silent.push_back(connect());
  for (std::size_t k = 0; k < 17; ++k) EXPECT_TRUE(is_closed(silent[k].get())) << k;
  send_text(oldest.get(), head);
  EXPECT_TRUE(has_taken(1));
}

TEST_F(Accepting, AListenerThatDiedIsCreatedAgain) {
  Listener listener = Listener::tcp("127.0.0.1", "0");
  const int socket = listener.sockets().front().get();
  start(std::move(listener));
  ::shutdown(socket, SHUT_RDWR);
  EXPECT_TRUE(has_logged("created again"));
  const Descriptor good = connect();
  send_text(good.get(), head);
  EXPECT_TRUE(has_taken(1));
}

TEST_F(Accepting, ADeletedSocketFileIsCreatedAgain) {
  const ScratchFolder folder;
  const auto file = folder.path / "socket";
  start(Listener::unix_socket(file));
  std::filesystem::remove(file);
  EXPECT_TRUE(has_logged("created again"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const Descriptor client = connect_to_file(file);
  send_text(client.get(), head);
  EXPECT_TRUE(has_taken(1));
}

TEST_F(Accepting, ASocketFileThatWasReplacedIsCreatedAgain) {
  const ScratchFolder folder;
  const auto file = folder.path / "socket";
  start(Listener::unix_socket(file));
  {
    Listener other = Listener::unix_socket(folder.path / "other");
    EXPECT_NE(testing::error_of<Error>([&] { (void)Listener::unix_socket(file); }), "") << "it is in use";
  }
  std::filesystem::rename(folder.path / "other", file);  // of a program that has ended
  EXPECT_TRUE(has_logged("created again"));
  const Descriptor client = connect_to_file(file);
  send_text(client.get(), head);
  EXPECT_TRUE(has_taken(1));
}

// Clients have their descriptors already, so only the acceptor runs out of them.
TEST_F(Accepting, WithoutDescriptorsItClosesConnectionsAndContinues) {
  std::vector<Descriptor> clients;
  for (int k = 0; k < 50; ++k) clients.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  start();
  {  // a connection, so that the acceptor's thread runs: a sanitizer may need a descriptor at its start
    const Descriptor first = connect();
    ::send(first.get(), head, std::strlen(head), MSG_NOSIGNAL);
    ASSERT_TRUE(has_taken(1));
    close_taken();
  }
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const int next = ::dup(0);  // the lowest free number
  ::close(next);
  const rlimit low{static_cast<rlim_t>(next), before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &low);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  for (const Descriptor& one : clients)
    EXPECT_EQ(::connect(one.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  for (const Descriptor& one : clients) EXPECT_TRUE(is_closed(one.get()));
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(has_logged("descriptors of this process are in use"));
  // The acceptor may still close the connections of its queue, so a client tries again.
  bool done = false;
  for (int tries = 0; tries < 20 && !done; ++tries) {
    const Descriptor good = connect();
    ::send(good.get(), head, std::strlen(head), MSG_NOSIGNAL);
    std::unique_lock lock(guard);
    done = changed.wait_for(lock, 1s, [&] { return !taken.empty(); });
  }
  EXPECT_TRUE(done);
}

TEST_F(Accepting, TheReserveOfDescriptorsIsNotUsed) {
  limits.reserve = descriptor_limit();  // every number is part of it
  start();
  EXPECT_TRUE(is_closed(connect().get()));
  EXPECT_TRUE(has_logged("which it needs itself"));
}

TEST_F(Accepting, ListensOnIPv6) {
  start(Listener::tcp("::1", "0"));
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_addr = in6addr_loopback;
  to.sin6_port = htons(static_cast<std::uint16_t>(port));
  const Descriptor client(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  send_text(client.get(), head);
  EXPECT_TRUE(has_taken(1));
}

TEST(Listening, APortInUseIsAnError) {
  const Listener first = Listener::tcp("127.0.0.1", "0");
  EXPECT_THROW((void)Listener::tcp("127.0.0.1", std::to_string(first.port())), Error);
  EXPECT_THROW((void)Listener::tcp("0.0.0.0", std::to_string(first.port())), Error);
  EXPECT_THROW((void)Listener::tcp("192.0.2.1", "0"), Error) << "not an address of this machine";
}

}  // namespace
}  // namespace tacit
