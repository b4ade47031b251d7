// Floods of strangers on every listener of real agents with 1,024 descriptors: nothing is restarted, and
// links, control socket, page, metrics and a fit work afterwards.
#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/resource.h>

#include "agents_testing.hpp"
#include "tacit/base/system/descriptors.hpp"

namespace tacit::testing {
namespace {

constexpr std::size_t many = 1100;  // more than the agent has descriptors
constexpr rlim_t few_descriptors = 1024;
const std::string get_page = "GET / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n";
const std::string get_metrics = "GET /metrics HTTP/1.1\r\nHost: localhost:{}\r\n\r\n";

Descriptor connect_by_v4(int port) {
  Descriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  ::connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to);
  return client;
}

Descriptor connect_by_v6(int port) {
  Descriptor client(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_addr = in6addr_loopback;
  to.sin6_port = htons(static_cast<std::uint16_t>(port));
  ::connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof to);
  return client;
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

  void SetUp() override {
    raise_descriptor_limit();  // of this process, the stranger
    if (descriptor_limit() < 4096) GTEST_SKIP() << "a flood needs 4,096 descriptors (ulimit -n)";
    Consortium::SetUp();
    const std::vector<int> ports = free_ports(2 * names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      pages.push_back(ports[2 * i]);
      metrics.push_back(ports[2 * i + 1]);
      std::string text = content(at(names[i], "agent.toml"));
      text += fmt::format("[page]\nlisten = \"127.0.0.1:{}\"\n[metrics]\nlisten = \"127.0.0.1:{}\"\n",
                          pages[i], metrics[i]);
      adapt(text);
      folder.write(names[i] + "/agent.toml", text);
      const std::size_t listen = text.find("listen = \"");
      const std::size_t end = text.find('"', listen + 10);
      listeners.push_back(std::stoi(text.substr(text.rfind(':', end) + 1)));
    }
    for (std::size_t i = 0; i < 4; ++i) {
      start(i);
      const rlimit limit{few_descriptors, few_descriptors};
      ASSERT_EQ(::prlimit(agents[i]->process(), RLIMIT_NOFILE, &limit, nullptr), 0);
    }
    wait_for_links();
  }
  virtual void adapt(std::string&) {}

  void wait_for_links() {
    for (std::size_t i = 0; i < 4; ++i)
      ASSERT_TRUE(wait_until([&] { return neighbours_up(i) == 3; })) << log(i);
  }

  bool page_answers(std::size_t i) {
    return wait_until([&] {
      return answer(connect_by_v4(pages[i]), fmt::format(fmt::runtime(get_page), pages[i]))
          .starts_with("HTTP/1.1 200");
    });
  }
  bool metrics_answer(std::size_t i) {
    return wait_until([&] {
      return contains(answer(connect_by_v4(metrics[i]), fmt::format(fmt::runtime(get_metrics), metrics[i])),
                      "tacit_up_seconds");
    });
  }

  // Without a restart.
  void everything_works() {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(agents[i]->running()) << log(i);
      EXPECT_FALSE(status(i).is_null()) << log(i);
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

  using Connect = Descriptor (*)(int port);
  // Opens connections to every listener of agent a, and holds them while the agent is asked.
  void flood_all(Connect connect, const std::function<void(const Descriptor&)>& then) {
    for (const int port : {listeners[0], pages[0], metrics[0]}) {
      std::vector<Descriptor> held;
      const auto by = port == listeners[0] ? connect : &connect_by_v4;
      for (std::size_t k = 0; k < many; ++k) {
        held.push_back(by(port));
        then(held.back());
      }
      EXPECT_FALSE(status(0).is_null()) << "the control socket answers during the flood\n" << log(0);
      EXPECT_TRUE(page_answers(0)) << "during the flood of port " << port;
      EXPECT_TRUE(metrics_answer(0)) << "during the flood of port " << port;
    }
  }
};

TEST_F(Flood, OfIdleConnections) {
  flood_all(&connect_by_v4, [](const Descriptor&) {});
  everything_works();
  EXPECT_TRUE(contains(log(0), "have not sent their first message")) << log(0);
}

TEST_F(Flood, OfHalfOpenHandshakes) {
  const std::string hello = client_hello();
  ASSERT_GT(hello.size(), 100u);
  flood_all(&connect_by_v4, [&](const Descriptor& client) { say(client, hello); });
  flood_all(&connect_by_v4,
            [&](const Descriptor& client) { say(client, hello.substr(0, hello.size() / 2)); });
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

class FloodByV6 : public Flood {
  void adapt(std::string& text) override {
    const std::size_t at = text.find("listen = \"127.0.0.1");
    text.replace(at, 19, "listen = \"0.0.0.0");  // both versions of IP
  }
};

TEST_F(FloodByV6, OfIdleConnectionsAndHalfOpenHandshakes) {
  const std::string hello = client_hello();
  flood_all(&connect_by_v6, [](const Descriptor&) {});
  flood_all(&connect_by_v6, [&](const Descriptor& client) { say(client, hello); });
  everything_works();
}

}  // namespace
}  // namespace tacit::testing
