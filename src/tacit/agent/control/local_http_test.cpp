// Clients that send or read slowly, or not at all.
#include "tacit/agent/control/local_http.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <thread>
#include <vector>

#include "tacit/agent/control/local_http_testing.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t large = 32 << 20;  // more than the system takes for a client that does not read

LocalHttpOptions small_server() {
  LocalHttpOptions options;
  options.field = "test.listen";
  options.listen = "127.0.0.1:0";
  options.connections = 4;
  options.most_bytes = 1 << 20;
  return options;
}

void add_routes(httplib::Server& server) {
  server.Get("/small", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("here", "text/plain");
  });
  server.Get("/large", [](const httplib::Request&, httplib::Response& response) {
    response.set_content(std::string(large, 'x'), "text/plain");
  });
  server.Post("/echo", [](const httplib::Request& request, httplib::Response& response) {
    response.set_content(request.body, "text/plain");
  });
}

int asking(int port, const std::string& request) {
  const int handle = connect_to(port);
  EXPECT_EQ(::send(handle, request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  return handle;
}

std::string all_from(int handle) {
  std::string text;
  char some[4096];
  for (ssize_t got = 0; (got = ::recv(handle, some, sizeof some, 0)) > 0;)
    text.append(some, static_cast<std::size_t>(got));
  ::close(handle);
  return text;
}

const std::string get_small = "GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n";
const std::string get_large = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
const std::string half_a_body =
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\nContent-Type: text/plain\r\n\r\nhalf";

TEST(SlowClients, ABodyThatDoesNotArriveEndsTheRequest) {
  LocalHttpOptions options = small_server();
  options.limit = 200ms;
  const LocalHttp server(options, add_routes);
  const int handle = asking(server.port(), half_a_body);
  EXPECT_EQ(all_from(handle).find("200 OK"), std::string::npos);
}

TEST(SlowClients, OneByteAfterTheOtherDoesNotExtendTheLimit) {
  LocalHttpOptions options = small_server();
  options.limit = 200ms;
  const LocalHttp server(options, add_routes);
  const int handle = asking(server.port(),
                            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
                            "Content-Type: text/plain\r\n\r\n");
  int sent = 0;
  while (sent < 10'000 && ::send(handle, "x", 1, MSG_NOSIGNAL) == 1) {  // fails when the server has closed it
    ++sent;
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_LT(sent, 10'000);
  ::close(handle);
}

// There is one place, and a slow client keeps it for as long as the limit allows.
TEST(SlowClients, AnAnswerThatIsNotReadEnds) {
  LocalHttpOptions options = small_server();
  options.connections = 1;
  options.limit = 200ms;
  options.yields_after = 600s;
  const LocalHttp server(options, add_routes);
  const int handle = asking(server.port(), get_large);
  EXPECT_TRUE(answer_to(server.port(), get_small).starts_with("HTTP/1.1 200 OK\r\n"));
  ::close(handle);
}

// The limit is long, so only the newcomers end the slow ones.
TEST(SlowClients, CannotOccupyAllConnections) {
  LocalHttpOptions options = small_server();
  options.limit = 600s;
  options.yields_after = 100ms;
  const LocalHttp server(options, add_routes);
  std::vector<int> slow;
  for (int k = 0; k < 8; ++k) {
    slow.push_back(asking(server.port(), half_a_body));
    slow.push_back(asking(server.port(), get_large));
  }
  for (int k = 0; k < 20; ++k)
    EXPECT_TRUE(answer_to(server.port(), get_small).starts_with("HTTP/1.1 200 OK\r\n")) << k;
  for (const int handle : slow) ::close(handle);
}

TEST(SlowClients, AnAnswerThatLastsIsNotEndedForOthers) {
  LocalHttpOptions options = small_server();
  options.limit = 200ms;
  options.yields_after = 0ms;
  const LocalHttp server(options, [](httplib::Server& routes) {
    add_routes(routes);
    routes.Get("/lasting", [](const httplib::Request&, httplib::Response& response) {
      let_answer_last();
      response.set_chunked_content_provider("text/plain",
                                            [parts = 0](std::size_t, httplib::DataSink& sink) mutable {
                                              std::this_thread::sleep_for(100ms);
                                              sink.write("part ", 5);
                                              if (++parts == 6) sink.done();
                                              return true;
                                            });
    });
  });
  const int lasting = asking(server.port(), "GET /lasting HTTP/1.1\r\nHost: localhost\r\n\r\n");
  std::vector<int> slow;
  for (int k = 0; k < 8; ++k) slow.push_back(asking(server.port(), half_a_body));
  const std::string text = all_from(lasting);
  std::size_t parts = 0;
  for (std::size_t at = 0; (at = text.find("part ", at)) != std::string::npos; ++at) ++parts;
  EXPECT_EQ(parts, 6u);
  for (const int handle : slow) ::close(handle);
}

// The library parses ranges with a recursive regular expression, and copies the content once for each.
TEST(CostlyRequests, ARangeIsRefusedInAnySpelling) {
  const LocalHttp server(small_server(), add_routes);
  std::string ranges = "bytes=0-0";
  while (ranges.size() < 8000) ranges += ",0-0";
  for (const char* name : {"Range", "range", "RANGE", "X: y\nRange"}) {
    const std::string answer = answer_to(
        server.port(), fmt::format("GET /small HTTP/1.1\r\nHost: localhost\r\n{}: {}\r\n\r\n", name, ranges));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400")) << answer;
  }
  EXPECT_TRUE(answer_to(server.port(), get_small).starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST(CostlyRequests, ABodyInChunksIsRefused) {
  const LocalHttp server(small_server(), add_routes);
  const int handle = asking(server.port(),
                            "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                            "Content-Type: text/plain\r\n\r\n");
  const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
  std::size_t sent = 0;
  while (sent<large&& ::send(handle, chunk.data(), chunk.size(), MSG_NOSIGNAL)> 0) sent += chunk.size();
  EXPECT_LT(sent, large);
  ::close(handle);
  EXPECT_TRUE(
      answer_to(server.port(), "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
          .starts_with("HTTP/1.1 400"));
}

TEST(CostlyRequests, AServerWithoutBodiesAcceptsOnlyGetAndHead) {
  LocalHttpOptions options = small_server();
  options.most_bytes = 0;
  const LocalHttp server(options, add_routes);
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PRI", "get"}) {
    const std::string answer =
        answer_to(server.port(),
                  fmt::format("{} /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx", method));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 405")) << method << answer;
  }
  EXPECT_TRUE(answer_to(server.port(), get_small).ends_with("here"));
  EXPECT_TRUE(answer_to(server.port(), "HEAD /small HTTP/1.1\r\nHost: localhost\r\n\r\n")
                  .starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST(CostlyRequests, AnswersAreNotCompressed) {
  const LocalHttp server(small_server(), add_routes);
  for (const char* encoding : {"br", "gzip", "gzip, deflate, br"}) {
    const std::string answer =
        answer_to(server.port(), fmt::format("GET /small HTTP/1.1\r\nHost: localhost\r\n"
                                             "Accept-Encoding: {}\r\n\r\n",
                                             encoding));
    EXPECT_EQ(answer.find("Content-Encoding"), std::string::npos) << answer;
    EXPECT_TRUE(answer.ends_with("here")) << answer;
  }
}

TEST(SlowClients, DoNotDelayTheEndOfTheServer) {
  std::vector<int> slow;
  const auto before = std::chrono::steady_clock::now();
  {
    const LocalHttp server(small_server(), add_routes);
    for (int k = 0; k < 4; ++k) slow.push_back(asking(server.port(), half_a_body));
    for (int k = 0; k < 4; ++k) slow.push_back(asking(server.port(), "GET /sma"));
    EXPECT_TRUE(answer_to(server.port(), get_small).starts_with("HTTP/1.1 200 OK\r\n"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - before, 60s);
  for (const int handle : slow) ::close(handle);
}

}  // namespace
}  // namespace tacit
