// The page as seen by a browser. The consortium of its agent is simulated.
#include "tacit/page/page_server.hpp"

#include <gtest/gtest.h>
#include <httplib.h>
#include <unistd.h>

#include <sstream>

#include "tacit/agent/control/control_testing.hpp"
#include "tacit/agent/control/local_http_testing.hpp"
#include "tacit/agent/work/history.hpp"
#include "tacit/answers/answers.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/page/page_json.hpp"
#include "tacit/page/page_proof.hpp"
#include "tacit/page/page_token.hpp"
#include "tacit/page/status_stream.hpp"
#include "tacit/page/web_files.hpp"

namespace tacit {
namespace {

using namespace testing;

using Events = std::vector<std::pair<std::string, Json>>;

Events events_of(const std::string& text) {
  Events all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("event: ")) all.emplace_back(line.substr(7), nullptr);
    if (line.starts_with("data: ")) all.back().second = Json::parse(line.substr(6));
  }
  return all;
}

TEST(PageWords, AreThoseOfTheCharterOrPlain) {
  EXPECT_EQ(
      in_page_words({{"notes", {"`together` asks all agents", "widen `tune_box`"}}, {"`lz`", 1}}),
      Json({{"notes", {"asking together asks all agents", "widen low and high in [tuning]"}}, {"`lz`", 1}}));
}

class Page : public Socket {
 protected:
  AgentConfig config;
  std::unique_ptr<PageServer> page;
  std::string host;
  std::optional<Charter> previous;

  void SetUp() override {
    Socket::SetUp();
    config.control = socket;
    config.state = handlers[1]->material().state;
    config.page = "127.0.0.1:0";
    open();
  }
  void TearDown() override {
    page.reset();
    Socket::TearDown();
  }
  ServedCharter served() const { return {paper.charter, 1, previous}; }
  void open() {
    page = std::make_unique<PageServer>(config, served(), [this](LogLevel, const std::string& text) {
      const std::lock_guard lock(guard);
      logged_here.push_back(text);
    });
    host = "127.0.0.1:" + std::to_string(page->port());
  }

  httplib::Headers with_token(httplib::Headers more = {}) const {
    more.emplace("Authorization", "Bearer " + PageToken(config.state).read());
    return more;
  }
  httplib::Client browser() const {
    httplib::Client client("127.0.0.1", page->port());
    client.set_read_timeout(60);
    return client;
  }
  Json get(const std::string& path) const {
    const auto answer = browser().Get("/api/" + path, with_token());
    EXPECT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << answer->body;
    EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json");
    EXPECT_EQ(answer->get_header_value("Cache-Control"), "no-store");
    return Json::parse(answer->body);
  }
  int status_of(const std::string& path, const httplib::Headers& headers) const {
    const auto answer = browser().Get(path, headers);
    EXPECT_TRUE(answer);
    check_error(*answer);
    return answer->status;
  }
  static void check_error(const httplib::Response& answer) {
    EXPECT_TRUE(says(answer.get_header_value("Content-Security-Policy"), "default-src 'none'"));
    EXPECT_FALSE(answer.has_header("Access-Control-Allow-Origin"));
    if (answer.status >= 400) {
      EXPECT_FALSE(Json::parse(answer.body).at("error").get<std::string>().empty());
    }
  }
  httplib::Result post(const std::string& path, const std::string& body,
                       const std::string& type = "application/json") const {
    return browser().Post("/api/" + path, with_token(), body, type);
  }
  Events ask(const std::string& path, const Json& body) const {
    const auto answer = post(path, body.dump());
    EXPECT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << answer->body;
    EXPECT_EQ(answer->get_header_value("Content-Type"), "text/event-stream");
    return events_of(answer->body);
  }
  // Collects events until the stream ends or `go_on` returns false.
  Events listen(const std::string& method, const std::string& path,
                const std::function<bool(const Events&)>& go_on) const {
    std::string text;
    httplib::Request request;
    request.method = method;
    request.path = "/api/" + path;
    request.headers = with_token();
    if (method == "POST") {
      request.set_header("Content-Type", "application/json");
      request.body = "{}";
    }
    Events events;
    request.response_handler = [](const httplib::Response& response) { return response.status == 200; };
    request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
      text.append(data, size);
      const std::size_t whole = text.rfind("\n\n"), before = events.size();
      if (whole != std::string::npos) events = events_of(text.substr(0, whole + 2));
      return events.size() == before || go_on(events);
    };
    browser().send(request);
    return events;
  }
  template <class Condition>
  static bool soon(Condition&& condition) {
    for (int k = 0; k < 3000; ++k) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  std::string error_in(const Events& events) const {
    EXPECT_FALSE(events.empty());
    EXPECT_EQ(events.back().first, "error");
    return events.back().second.value("error", "");
  }
};

TEST_F(Page, OpensOnlyWithTheToken) {
  const std::string token = PageToken(config.state).read();
  EXPECT_EQ(token.size(), 64u);
  EXPECT_EQ(status_of("/api/status", with_token()), 200);
  EXPECT_EQ(status_of("/api/status", {}), 401);
  std::string other = token;
  other[63] = other[63] == '0' ? '1' : '0';
  for (const std::string& wrong :
       {other, token.substr(1), token + "0", std::string(), std::string("\xff"), std::string(64, '0')})
    EXPECT_EQ(status_of("/api/status", {{"Authorization", "Bearer " + wrong}}), 401) << wrong;
  EXPECT_EQ(status_of("/api/status", {{"Authorization", token}}), 401);
  EXPECT_EQ(status_of("/api/status?token=" + token, {}), 401);
  EXPECT_EQ(status_of("/api/status", {{"Cookie", "token=" + token}}), 401);
  for (const char* path : {"/api", "/api/", "/api/nothing"}) EXPECT_EQ(status_of(path, {}), 401) << path;
  EXPECT_EQ(status_of("/api/nothing", with_token()), 404);
  // The warning is logged once, without the tokens.
  std::size_t warned = 0;
  for (const std::string& line : lines()) {
    warned += says(line, "without the token") ? 1 : 0;
    EXPECT_FALSE(says(line, other) || says(line, token)) << line;
  }
  EXPECT_EQ(warned, 1u);
}

TEST_F(Page, ANewTokenMakesLinksOfBeforeVoid) {
  const httplib::Headers before = with_token();
  PageToken(config.state).renew();
  EXPECT_EQ(status_of("/api/status", before), 401);
  EXPECT_EQ(status_of("/api/status", with_token()), 200);
  const auto file = config.state / "page.token";
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::permissions(file, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  EXPECT_EQ(status_of("/api/status", before), 503);
}

TEST_F(Page, IsAskedByThisMachinesNameAndPortAlone) {
  const std::string port = ":" + std::to_string(page->port());
  for (const std::string& name : {"localhost" + port, "127.0.0.1" + port, "[::1]" + port})
    EXPECT_EQ(status_of("/api/status", with_token({{"Host", name}})), 200) << name;
  for (const std::string& name :
       {"evil.example" + port, "127.evil.example" + port, std::string("localhost"),
        std::string("127.0.0.1:1"), "127.0.0.1" + port + "0", "10.0.0.7" + port, port}) {
    EXPECT_EQ(status_of("/api/status", with_token({{"Host", name}})), 403) << name;
    EXPECT_EQ(status_of("/", {{"Host", name}}), 403) << name;
  }
}

TEST_F(Page, OtherPagesGetNothing) {
  EXPECT_EQ(status_of("/api/status", with_token({{"Host", host}, {"Origin", "http://" + host}})), 200);
  for (const std::string& origin : {std::string("http://evil.example"), "https://" + host,
                                    std::string("null"), "http://localhost:" + std::to_string(page->port())})
    EXPECT_EQ(status_of("/api/status", with_token({{"Host", host}, {"Origin", origin}})), 403) << origin;
  for (const char* site : {"same-origin", "none"})
    EXPECT_EQ(status_of("/api/status", with_token({{"Sec-Fetch-Site", site}})), 200) << site;
  for (const char* site : {"cross-site", "same-site", "anything"})
    EXPECT_EQ(status_of("/api/status", with_token({{"Sec-Fetch-Site", site}})), 403) << site;
  EXPECT_EQ(status_of("/api/status", with_token({{"Host", host}, {"Host", "evil.example"}})), 400);
}

TEST_F(Page, OtherFormsOfRequestsAreRefused) {
  httplib::Client client = browser();
  const auto same = [&](const httplib::Result& answer, int status) {
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, status);
  };
  same(client.Put("/api/fit", with_token(), "{}", "application/json"), 405);
  same(client.Delete("/api/status", with_token()), 405);
  same(client.Options("/api/status", with_token()), 405);
  same(client.Head("/api/status", with_token()), 405);
  same(client.Patch("/", with_token(), "{}", "application/json"), 405);
  same(client.Post("/", with_token(), "{}", "application/json"), 405);
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded",
                           "multipart/form-data; boundary=x", "application/jsonp", ""})
    same(post("evaluate", "{}", type), 415);
  for (const char* body : {"", "[]", "{", "null", "\"{}\""}) same(post("evaluate", body), 400);
  same(client.Get("/", {{"Range", "bytes=0-1,0-1"}}), 400);
  same(client.Post("/api/predict", with_token({{"Content-Encoding", "gzip"}}), "{}", "application/json"),
       400);
  const std::string raw = "POST /api/fit HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " +
                          PageToken(config.state).read() + "\r\nContent-Type: application/json\r\n";
  EXPECT_TRUE(says(answer_to(page->port(), raw + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
                   "HTTP/1.1 400"));
  EXPECT_TRUE(says(answer_to(page->port(), raw + "\r\n{}"), "HTTP/1.1 411"));
  EXPECT_TRUE(
      says(answer_to(page->port(), "BREW /api/fit HTTP/1.1\r\nHost: " + host + "\r\n\r\n"), "HTTP/1.1 400"));
  same(post("predict", std::string((16 << 20) + 1, ' ')), 413);
  same(post("fit", "{\"without\": \"b\"}"), 400);
  same(post("predict", "{}"), 400);
  same(post("predict", "{\"csv\": \"a\", \"together\": 1}"), 400);
  same(post("stop", "{\"ask\": 7}"), 400);
  EXPECT_FALSE(handlers[1]->held());
}

TEST_F(Page, ItsFilesAreThoseOfTheTableAndNoOthers) {
  const std::string_view index = web_file("page/index.html");
  const auto answer = browser().Get("/");
  ASSERT_TRUE(answer);
  check_error(*answer);
  if (index.empty()) {
    EXPECT_EQ(answer->status, 503);
    return;
  }
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, index);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(answer->get_header_value("Cache-Control"), "no-cache");
  for (const char* header : {"X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Resource-Policy",
                             "Cross-Origin-Opener-Policy"})
    EXPECT_EQ(answer->get_header_value_count(header), 1u) << header;
  for (const char* path :
       {"/../report.html", "/..%2freport.html", "/%2e%2e/report.html", "//etc/passwd", "/page",
        "/./index.html", "/report.html", "/page/index.html", "/index.html%00", "/.", "/../../../etc/passwd"})
    EXPECT_EQ(status_of(path, {}), 404) << path;
  EXPECT_EQ(status_of("/index.html", {}), 200);
}

TEST_F(Page, ListsChangesSinceThePreviousCharter) {
  page.reset();
  previous = paper.charter;
  previous->timeouts.gather = 90;
  open();
  const Json changes = get("charter").at("changes");
  EXPECT_EQ(changes.at("from"), previous->number);
  ASSERT_EQ(changes.at("words").size(), 1u) << changes;
  EXPECT_TRUE(says(changes.at("words")[0], "timeout, gather: ")) << changes;
}

TEST_F(Page, ShowsTheAnswersOfTheCommands) {
  ControlClient(socket).fit({}, {});
  const Json status = get("status");
  const Json same = status_json(ControlClient(socket).status());
  EXPECT_EQ(status.at("model"), same.at("model"));
  EXPECT_EQ(status.at("peers"), same.at("peers"));
  const Json charter = get("charter");
  EXPECT_EQ(charter.at("title"), "A \"test\"");
  EXPECT_EQ(charter.at("self"), "agent-b");
  EXPECT_EQ(charter.at("agents").size(), 4u);
  EXPECT_TRUE(charter.at("changes").is_null());
  EXPECT_EQ(charter.at("links").size(), 6u);
  EXPECT_EQ(charter.at("agents")[1].at("self"), true);
  EXPECT_EQ(charter.at("inputs")[0].at("high"), 120);
  EXPECT_EQ(charter.at("inputs")[1].at("levels").size(), 2u);
  EXPECT_GT(charter.at("words").size(), 3u);
  const Json ledger = get("ledger");
  EXPECT_EQ(ledger.at("chain_holds"), true);
  EXPECT_EQ(ledger.at("runs").size(), 1u);
  EXPECT_EQ(ledger.at("summary")[0].at("asker"), "agent-b");
  const Json policy = get("policy");
  EXPECT_EQ(policy.at("may").at("fit"), Json::array({"*"}));
  EXPECT_EQ(policy.at("fewest_agents"), 4);
  History history(History::file_in(config.state), [](LogLevel, const std::string&) {});
  history.add({.kind = "fit", .asker = "agent-a", .outcome = "failed", .reason = "away", .seconds = 1});
  history.add({.kind = "predict", .asker = "agent-c", .outcome = "refused", .reason = "no"});
  history.add(PastScore{.time = {}, .version = 1, .rows = 15, .rmse = 2, .log_density = -1});
  EXPECT_EQ(get("runs").at("runs")[0].at("asker"), "agent-c");
  EXPECT_EQ(get("runs").at("runs")[1].at("reason"), "away");
  EXPECT_EQ(get("quality").at("evaluations")[0].at("rows"), 15);
}

TEST_F(Page, FitsEvaluatesAndPredicts) {
  const Events fitted = ask("fit", Json::object());
  ASSERT_GE(fitted.size(), 3u);
  EXPECT_EQ(fitted.front().first, "ask");
  EXPECT_EQ(fitted[1].first, "words");
  ASSERT_EQ(fitted.back().first, "result") << fitted.back().second;
  EXPECT_EQ(fitted.back().second.at("roster").size(), 4u);
  EXPECT_EQ(fitted.back().second.at("model"), get("status").at("model"));
  EXPECT_GT(ask("evaluate", Json::object()).back().second.at("rows"), 0);
  for (const bool together : {false, true}) {
    const Json result =
        ask("predict", {{"csv", "age,sex \\ gender\n30,f\n40,m\n"}, {"together", together}}).back().second;
    ASSERT_TRUE(result.contains("predictions")) << result;
    EXPECT_EQ(result.at("predictions").at("predictions").size(), 2u);
    EXPECT_EQ(result.at("predictions").at("at_home"), !together);
    EXPECT_TRUE(result.at("csv").get<std::string>().starts_with("y_mean,y_latent_sd"));
  }
  EXPECT_TRUE(says(error_in(ask("fit", {{"without", {"agent-c"}}})), "policy of agent-b does not allow"));
}

TEST_F(Page, ABadTableIsReportedByRowAndColumn) {
  ControlClient(socket).fit({}, {});
  const std::string csv = "age,sex \\ gender\n30,f\nold,m\n";
  const std::string error = error_in(ask("predict", {{"csv", csv}}));
  EXPECT_TRUE(says(error, "line 3") && says(error, "age") && says(error, "old")) << error;
  EXPECT_FALSE(says(error, "--")) << error;
  EXPECT_TRUE(says(error_in(ask("predict", {{"csv", "age\n30\n"}})), "gender"));
  EXPECT_FALSE(error_in(ask("predict", {{"csv", ""}})).empty());
  const Json skipped = ask("predict", {{"csv", csv}, {"skip_bad", true}}).back().second;
  EXPECT_EQ(skipped.at("predictions").at("skipped"), 1);
  EXPECT_TRUE(skipped.at("predictions").at("predictions")[1].at("mean").is_null());
  EXPECT_TRUE(says(skipped.at("notes").dump(), "have no answer"));
}

TEST_F(Page, ARequestIsStoppedByItsName) {
  stuck = true;
  const Events events = listen("POST", "fit", [&](const Events& so_far) {
    if (so_far.back().first == "words") {
      EXPECT_EQ(post("stop", Json{{"ask", so_far.front().second.at("ask")}}.dump())->status, 200);
    }
    return true;
  });
  EXPECT_EQ(events.back().second.at("stopped"), true);
  EXPECT_TRUE(says(error_in(events), "were notified"));
  EXPECT_EQ(post("stop", "{\"ask\": \"nothing like it\"}")->status, 200);  // no such request
}

// As after the death of a command, the agents continue, and the page's server gets all its threads back.
TEST_F(Page, ABrowserThatGoesAwayLeavesNothingBehind) {
  stuck = true;
  for (int k = 0; k < 20; ++k) {
    Events events;
    // The place of the previous request may not be free yet.
    ASSERT_TRUE(soon([&] {
      events = listen("POST", "fit", [](const Events& so_far) { return so_far.back().first != "words"; });
      return !events.empty();
    }));
    EXPECT_EQ(events.back().first, "words");
  }
  EXPECT_EQ(withdrawals, 0);
}

TEST_F(Page, EventsTellWhatChanges) {
  const Events events = listen("GET", "events", [&](const Events& so_far) {
    if (so_far.size() == 1) ControlClient(socket).fit({}, {});
    return so_far.back().second.at("model").is_null();
  });
  EXPECT_TRUE(events.front().second.at("model").is_null());
  EXPECT_EQ(events.back().first, "status");
  EXPECT_EQ(events.back().second.at("model").at("version"), 1);
}

TEST_F(Page, EventsAreNewsOrComeAfterAWhile) {
  bool last = false;
  const NextEvents rare = status_stream(
      socket, [] { return true; }, std::chrono::hours(1));
  EXPECT_EQ(events_of(rare(last)).size(), 1u);
  EXPECT_EQ(rare(last), "");
  ControlClient(socket).fit({}, {});
  Events news;
  for (int k = 0; k < 20 && news.empty(); ++k) news = events_of(rare(last));
  ASSERT_FALSE(news.empty());
  EXPECT_FALSE(news.back().second.at("model").is_null());
  const NextEvents often = status_stream(
      socket, [] { return true; }, std::chrono::seconds(0));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(events_of(often(last)).size(), 1u);
  EXPECT_FALSE(last);
}

TEST_F(Page, EventsEndWithTheLinkThatTheyWereAskedBy) {
  const Events events = listen("GET", "events", [&](const Events& so_far) {
    PageToken(config.state).renew();
    return so_far.size() == 1;
  });
  EXPECT_EQ(events.size(), 1u);
}

TEST_F(Page, OnlySoManyWatchAtOnceAndOthersAreStillAnswered) {
  std::atomic<int> watching = 0;
  std::atomic<bool> over = false;
  std::vector<std::jthread> browsers;
  for (int k = 0; k < 8; ++k)
    browsers.emplace_back([&] {
      listen("GET", "events", [&](const Events& so_far) {
        if (so_far.size() == 1) ++watching;
        over.wait(false);
        return false;
      });
    });
  EXPECT_TRUE(soon([&] { return watching == 8; }));
  EXPECT_EQ(status_of("/api/events", with_token()), 503);
  EXPECT_EQ(status_of("/api/status", with_token()), 200);
  over = true;
  over.notify_all();
  browsers.clear();
  EXPECT_TRUE(soon([&] { return !listen("GET", "events", [](const Events&) { return false; }).empty(); }));
}

TEST_F(Page, EndsWithTheAgentWhateverIsUnderWay) {
  stuck = true;
  std::atomic<int> going = 0;
  std::vector<Events> heard(2);
  std::vector<std::jthread> browsers;
  for (const bool asks : {false, true})
    browsers.emplace_back([&, asks] {
      heard[asks] = listen(asks ? "POST" : "GET", asks ? "fit" : "events", [&](const Events& so_far) {
        going += so_far.back().first == (asks ? "words" : "status") ? 1 : 0;
        return true;
      });
    });
  EXPECT_TRUE(soon([&] { return going >= 2; }));
  page.reset();
  browsers.clear();
  EXPECT_EQ(heard[0].back().first, "status");
  EXPECT_EQ(heard[1].back().first, "words");  // then nothing: neither done nor failed
}

TEST_F(Page, ClientsThatHangDelayNoOtherClient) {
  std::vector<int> hanging;
  for (int k = 0; k < 30; ++k) {
    hanging.push_back(connect_to(page->port()));
    ASSERT_EQ(::send(hanging.back(), "POST /api/fi", 12, MSG_NOSIGNAL), 12);
  }
  EXPECT_EQ(status_of("/api/status", with_token()), 200);
  for (const int handle : hanging) ::close(handle);
}

TEST_F(Page, APortInUseIsReported) {
  config.page = host;
  EXPECT_TRUE(
      says(refusal([&] { const PageServer second(config, served(), [](LogLevel, const std::string&) {}); }),
           "page.listen: cannot listen on " + host));
}

TEST_F(Page, ItsServerProvesThatItKnowsTheToken) {
  const std::string token = PageToken(config.state).read(), challenge(64, 'a');
  const auto hello = [&](const std::string& path) { return browser().Get("/api/hello" + path); };
  const auto answer = hello("?challenge=" + challenge);
  ASSERT_TRUE(answer);
  check_error(*answer);
  ASSERT_EQ(answer->status, 200) << answer->body;
  EXPECT_FALSE(says(answer->body, token));
  const std::string nonce = Json::parse(answer->body).at("nonce");
  EXPECT_TRUE(is_page_nonce(nonce));
  EXPECT_EQ(Json::parse(answer->body).at("proof"), server_proof(token, host, challenge, nonce));
  EXPECT_EQ(page->address(), host);
  // Other challenges, addresses and tokens have other proofs.
  const std::string proof = server_proof(token, host, challenge, nonce);
  EXPECT_NE(server_proof(token, host, std::string(64, 'b'), nonce), proof);
  EXPECT_NE(server_proof(token, "localhost:1", challenge, nonce), proof);
  EXPECT_NE(server_proof(nonce, host, challenge, nonce), proof);
  EXPECT_NE(page_pass(token, host, nonce), proof);
  for (const std::string& wrong :
       {std::string(), std::string("?challenge="), "?challenge=" + challenge.substr(1),
        "?challenge=" + challenge + "a", "?challenge=" + std::string(64, 'g')})
    EXPECT_EQ(hello(wrong)->status, 400) << wrong;
  EXPECT_EQ(browser().Get("/api/hello?challenge=" + challenge, {{"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(browser().Post("/api/hello", "{}", "application/json")->status, 401);
}

TEST_F(Page, APassIsForOneServerAndOneToken) {
  const auto pass = [&] {
    const auto answer = browser().Get("/api/hello?challenge=" + std::string(64, '0'));
    const std::string nonce = Json::parse(answer->body).at("nonce");
    return httplib::Headers{
        {"Authorization", "Bearer " + page_pass(PageToken(config.state).read(), host, nonce)}};
  };
  const httplib::Headers first = pass();
  EXPECT_EQ(status_of("/api/status", first), 200);
  config.page = host;  // the same port again, as after a reload
  page.reset();
  open();
  EXPECT_EQ(status_of("/api/status", first), 401);
  const httplib::Headers second = pass();
  EXPECT_EQ(status_of("/api/status", second), 200);
  PageToken(config.state).renew();
  EXPECT_EQ(status_of("/api/status", second), 401);
}

TEST_F(Page, ANewTokenIsMadeAtEveryStartAndAfterATakenPort) {
  const auto token = [&] { return PageToken(config.state).read(); };
  const LogSink quiet = [](LogLevel, const std::string&) {};
  const std::string before = token();
  page.reset();
  config.page = host;
  const auto opener = page_opener();
  auto opened = opener(config, served(), quiet);  // the agent has started
  const std::string first = token();
  EXPECT_NE(first, before);
  opened.reset();
  opened = opener(config, served(), quiet);  // it has reloaded its files
  EXPECT_EQ(token(), first);
  opened.reset();
  {
    const PageServer other(config, served(), quiet);
    EXPECT_FALSE(refusal([&] { opener(config, served(), quiet); }).empty());
    EXPECT_EQ(token(), first);
  }
  opened = opener(config, served(), quiet);
  EXPECT_NE(token(), first);
}

TEST_F(Page, ItsAddressIsTheOneThatIsBound) {
  const LogSink quiet = [](LogLevel, const std::string&) {};
  for (const auto& [listen, bound] :
       {std::pair{"localhost:0", "127.0.0.1:"}, std::pair{"127.0.0.2:0", "127.0.0.2:"}}) {
    config.page = listen;
    const PageServer other(config, served(), quiet);
    EXPECT_EQ(other.address(), bound + std::to_string(other.port()));
  }
  EXPECT_EQ(page_address("127.0.0.1:8741"), "http://127.0.0.1:8741/");
}

}  // namespace
}  // namespace tacit
