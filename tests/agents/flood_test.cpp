// Floods of strangers on every listener of real agents with 1,024 descriptors: nothing is restarted, and
// links, control socket, page, metrics and a fit work afterwards.
#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/resource.h>
#include <sys/un.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

#include "agents_testing.hpp"
#include "tacit/base/system/descriptors.hpp"

namespace tacit::testing {
namespace {

constexpr std::size_t many = 1100;  // more than the agent has descriptors
constexpr rlim_t few_descriptors = 1024;
const std::string get_page = "GET / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n";
const std::string get_metrics = "GET /metrics HTTP/1.1\r\nHost: localhost:{}\r\n\r\n";

// From an address of 127.0.0.0/8, 127.0.0.1 by default.
Descriptor connect_by_v4(int port, unsigned from = 0) {
  Descriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  if (from != 0) {
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK + from);
    EXPECT_EQ(::bind(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0) << std::strerror(errno);
  }
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  EXPECT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0) << std::strerror(errno);
  return client;
}

Descriptor connect_by_v6(int port) {
  Descriptor client(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_addr = in6addr_loopback;
  to.sin6_port = htons(static_cast<std::uint16_t>(port));
  EXPECT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0) << std::strerror(errno);
  return client;
}

bool has_v6() {
  const Descriptor any(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 here{};
  here.sin6_family = AF_INET6;
  here.sin6_addr = in6addr_loopback;
  return any && ::bind(any.get(), reinterpret_cast<sockaddr*>(&here), sizeof here) == 0;
}

void say(const Descriptor& client, const std::string& text) {
  ::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

std::string answer(const Descriptor& client, const std::string& request) {
  say(client, request);
  timeval patience{20, 0};
  ::setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string text;
  char some[4096];
  for (ssize_t got = 0; (got = ::recv(client.get(), some, sizeof some, 0)) > 0;)
    text.append(some, static_cast<std::size_t>(got));
  return text;
}

// The first message of a TLS client.
std::string client_hello() {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* ssl = SSL_new(context);
  SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_connect(ssl);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(SSL_get_wbio(ssl), &bytes);
  std::string text(bytes, static_cast<std::size_t>(size));
  SSL_free(ssl);
  SSL_CTX_free(context);
  return text;
}

class Flood : public Consortium {
 protected:
  std::vector<int> pages, metrics, listeners;
  rlimit before{};

  Flood() { ::getrlimit(RLIMIT_NOFILE, &before); }

  virtual std::string host_of_all() const { return "127.0.0.1"; }  // where the charter's addresses are
  virtual std::string local_host() const { return "127.0.0.1"; }   // of page and metrics
  virtual Descriptor connect(int port) { return connect_by_v4(port); }

  void SetUp() override {
    raise_descriptor_limit();  // of this process, the stranger
    if (descriptor_limit() < 4096) GTEST_SKIP() << "a flood needs 4,096 descriptors (ulimit -n)";
    Consortium::SetUp();
    const std::vector<int> ports = free_ports(2 * names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      pages.push_back(ports[2 * i]);
      metrics.push_back(ports[2 * i + 1]);
      std::string text = content(at(names[i], "agent.toml"));
      const std::size_t listen = text.find("listen = \"127.0.0.1:") + 10, end = text.find('"', listen);
      listeners.push_back(std::stoi(text.substr(listen + 10, end - listen - 10)));
      text.replace(listen, 9, host_of_all());
      text += fmt::format("[page]\nlisten = \"{0}:{1}\"\n[metrics]\nlisten = \"{0}:{2}\"\n", local_host(),
                          pages[i], metrics[i]);
      folder.write(names[i] + "/agent.toml", text);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      start(i);
      const rlimit limit{few_descriptors, few_descriptors};
      ASSERT_EQ(::prlimit(agents[i]->process(), RLIMIT_NOFILE, &limit, nullptr), 0);
    }
    wait_for_links();
  }
  void TearDown() override { ::setrlimit(RLIMIT_NOFILE, &before); }

  void wait_for_links() {
    for (std::size_t i = 0; i < 4; ++i)
      ASSERT_TRUE(wait_until([&] { return neighbours_up(i) == 3; })) << log(i);
  }

  bool page_answers(std::size_t i) {
    return wait_until([&] {
      return answer(connect(pages[i]), fmt::format(fmt::runtime(get_page), pages[i]))
          .starts_with("HTTP/1.1 200");
    });
  }
  bool metrics_answer(std::size_t i) {
    return wait_until([&] {
      return contains(answer(connect(metrics[i]), fmt::format(fmt::runtime(get_metrics), metrics[i])),
                      "tacit_up_seconds");
    });
  }
  bool control_answers(std::size_t i) {
    return wait_until([&] { return !status(i).is_null(); });
  }

  // Without a restart.
  void everything_works() {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(agents[i]->running()) << log(i);
      EXPECT_TRUE(control_answers(i)) << log(i);
      EXPECT_TRUE(page_answers(i)) << log(i);
      EXPECT_TRUE(metrics_answer(i)) << log(i);
    }
    wait_for_links();
    // A member that restarts is connected again: its peers' listeners work.
    agents[1]->end(SIGTERM);
    start(1);
    wait_for_links();
    const Output fit = ask(0, {"fit"});
    EXPECT_EQ(fit.exit_code, 0) << fit.err << log(0);
  }

  // Opens connections to every listener of agent a, and holds them while the agent is asked.
  void flood_all(const std::function<void(const Descriptor&)>& then) {
    for (const int port : {listeners[0], pages[0], metrics[0]}) {
      std::vector<Descriptor> held;
      for (std::size_t k = 0; k < many; ++k) {
        held.push_back(connect(port));
        then(held.back());
      }
      EXPECT_FALSE(status(0).is_null()) << "the control socket answers during the flood\n" << log(0);
      EXPECT_TRUE(page_answers(0)) << "during the flood of port " << port;
      EXPECT_TRUE(metrics_answer(0)) << "during the flood of port " << port;
    }
  }

  Descriptor connect_to_control(std::size_t i) {
    Descriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    const std::string path = at(names[i], "state/control.sock");
    path.copy(to.sun_path, sizeof to.sun_path - 1);
    EXPECT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0)
        << std::strerror(errno);
    return client;
  }

  // How often the links of an agent came up.
  long links_made(std::size_t i) {
    long made = 0;
    const Json now = status(i);
    for (const Json& peer : now["peers"]) made += peer.value("links", 0L);
    return made;
  }
  // In KiB.
  long most_memory(std::size_t i) {
    const std::string text = content(fmt::format("/proc/{}/status", agents[i]->process()));
    return std::stol(text.substr(text.find("VmHWM:") + 6));
  }
};

TEST_F(Flood, OfIdleConnections) {
  flood_all([](const Descriptor&) {});
  everything_works();
  EXPECT_TRUE(contains(log(0), "have not sent their first message")) << log(0);
}

TEST_F(Flood, OfHalfOpenHandshakes) {
  const std::string hello = client_hello();
  ASSERT_GT(hello.size(), 100u);
  flood_all([&](const Descriptor& client) { say(client, hello); });
  flood_all([&](const Descriptor& client) { say(client, hello.substr(0, hello.size() / 2)); });
  everything_works();
}

TEST_F(Flood, OfManyShortConnections) {
  const std::string hello = client_hello();
  for (std::size_t k = 0; k < 3 * many; ++k)
    for (const int port : {listeners[0], pages[0], metrics[0]}) {
      const Descriptor client = connect_by_v4(port);
      if (k % 3 == 1) say(client, hello);
      if (k % 3 == 2) say(client, "GET /plot.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
  everything_works();
}

// On each listener, each client sends one byte at a time, for as long as the agent keeps the first of them.
TEST_F(Flood, OfOneByteASecond) {
  const std::string hello = client_hello(), post = "POST /api/fit HTTP/1.1\r\nHost: localhost\r\n";
  for (const int port : {listeners[0], pages[0], metrics[0]}) {
    const std::string& text = port == listeners[0] ? hello : post;
    std::vector<Descriptor> held;
    for (std::size_t k = 0; k < 100; ++k) held.push_back(connect_by_v4(port));
    char byte = 0;
    std::size_t sent = 0;
    for (; sent < text.size(); ++sent) {
      for (const Descriptor& client : held) say(client, text.substr(sent, 1));
      EXPECT_FALSE(status(0).is_null());  // takes part of a second, instead of a sleep
      const ssize_t got = ::recv(held[0].get(), &byte, 1, MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno == ECONNRESET)) break;
    }
    EXPECT_TRUE(page_answers(0));
    EXPECT_TRUE(metrics_answer(0));
  }
  everything_works();
}

// All listeners of two agents at once, from many addresses, while links stay up.
TEST_F(Flood, OfAllListenersFromManyAddresses) {
  const std::string hello = client_hello();
  const std::vector<long> before{links_made(0), links_made(1)};
  std::vector<Descriptor> held;
  for (unsigned k = 0; k < 500; ++k)
    for (const std::size_t i : {0u, 1u}) {
      const unsigned from = 1 + k % 50;
      held.push_back(connect_by_v4(listeners[i], from));
      if (k % 2 == 0) say(held.back(), hello);
      held.push_back(connect_by_v4(pages[i], from));
      held.push_back(connect_by_v4(metrics[i], from));
      if (k % 2 == 0) say(held.back(), "GET /metrics HTTP/1.1\r\n");
      if (k % 10 == 0) held.push_back(connect_to_control(i));
    }
  EXPECT_TRUE(control_answers(0)) << log(0);
  EXPECT_TRUE(page_answers(0)) << log(0);
  EXPECT_TRUE(metrics_answer(0)) << log(0);
  const Output fit = ask(0, {"fit"});
  EXPECT_EQ(fit.exit_code, 0) << fit.err << log(0);
  EXPECT_EQ(links_made(0), before[0]) << "a link was lost\n" << log(0);
  EXPECT_EQ(links_made(1), before[1]) << "a link was lost\n" << log(1);
  held.clear();
  everything_works();
}

// Handshakes that begin and end at once, for as long as a fit lasts.
TEST_F(Flood, OfHandshakesThatEndAtOnce) {
  const std::string hello = client_hello();
  const long before = links_made(0);
  std::atomic<bool> stop = false;
  std::atomic<long> made = 0;
  std::thread churn([&] {
    for (; !stop && made < 20'000; ++made) {  // each occupies one of 28,000 ports for a minute
      const Descriptor client = connect_by_v4(listeners[0]);
      say(client, hello);
      ::shutdown(client.get(), SHUT_WR);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_TRUE(wait_until([&] { return made > 500; }));
  const Output fit = ask(0, {"fit"});
  EXPECT_EQ(fit.exit_code, 0) << fit.err << log(0);
  EXPECT_EQ(links_made(0), before) << "a link was lost\n" << log(0);
  stop = true;
  churn.join();
  EXPECT_TRUE(contains(log(0), "further ones must wait")) << log(0);
  everything_works();
}

TEST_F(Flood, OfTheControlSocket) {
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  for (const std::string& text : {std::string(), preface.substr(0, 12), preface}) {
    std::vector<Descriptor> held;
    for (std::size_t k = 0; k < 400; ++k) {  // more than it accepts
      held.push_back(connect_to_control(0));
      say(held.back(), text);
    }
    EXPECT_TRUE(control_answers(0)) << "during the flood with " << text.size() << " bytes\n" << log(0);
    EXPECT_TRUE(page_answers(0)) << log(0);
  }
  everything_works();
}

// A body in chunks has no length that the library could limit.
TEST_F(Flood, OfBodiesInChunks) {
  const std::string head = "POST /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string chunk = "100000\r\n" + std::string(1 << 20, 'x') + "\r\n";
  const long memory = most_memory(0);
  for (const int port : {metrics[0], pages[0]})
    for (int k = 0; k < 4; ++k) {
      const Descriptor client = connect(port);
      timeval patience{5, 0};
      ::setsockopt(client.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
      say(client, head);
      for (int sent = 0; sent < 64; ++sent)
        if (::send(client.get(), chunk.data(), chunk.size(), MSG_NOSIGNAL) <= 0) break;
    }
#ifndef TACIT_SANITIZED
  EXPECT_LT(most_memory(0), memory + (32 << 10));
#endif
  everything_works();
}

class FloodByV6 : public Flood {
  void SetUp() override {
    if (!has_v6()) GTEST_SKIP() << "this machine has no ::1, so IPv6 was not tested";
    Flood::SetUp();
  }
  std::string host_of_all() const override { return "0.0.0.0"; }  // both versions of IP
  std::string local_host() const override { return "[::1]"; }
  Descriptor connect(int port) override { return connect_by_v6(port); }
};

TEST_F(FloodByV6, OfIdleConnectionsAndHalfOpenHandshakes) {
  const std::string hello = client_hello();
  flood_all([](const Descriptor&) {});
  flood_all([&](const Descriptor& client) { say(client, hello); });
  everything_works();
}

}  // namespace
}  // namespace tacit::testing
