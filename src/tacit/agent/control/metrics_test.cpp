#include "tacit/agent/control/metrics.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <regex>
#include <set>
#include <sstream>

#include "tacit/agent/control/local_http_testing.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

MetricsSample sample() {
  MetricsSample sample;
  sample.release = "0.2.0";
  sample.agent = "a\"b\\c\nd";
  sample.up_seconds = 12.5;
  sample.node.neighbours.push_back({.agent = 1,
                                    .name = "bonn",
                                    .up = true,
                                    .round_trip = 0.001,
                                    .bytes_sent = 1234567890123,
                                    .streams = 2});
  sample.node.neighbours.push_back({.agent = 2, .name = "celle", .refusal = "too old"});
  sample.node.waiting = 3;
  RequestCounts counts;
  counts.ended("fit", {.done = true, .began = true, .seconds = 2.5});
  counts.ended("fit", {.began = true, .withdrawn = true, .seconds = 0.5});
  counts.ended("predict", {.error = "away"});
  counts.refused_at_home("export", "why");
  counts.refused_to_peer("whatever a peer says", "bonn", "why");
  sample.requests = counts.by_kind();
  sample.model_version = 7;
  return sample;
}

// Checks the rules of the format: names, types before values, labels, one value for each set of labels.
void check_text(const std::string& text) {
  const std::regex help("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) .+"),
      type("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|summary)"),
      value(
          R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+))re");
  std::set<std::string> families, seen;
  std::string family, kind;
  ASSERT_TRUE(!text.empty() && text.back() == '\n');
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line.starts_with("# HELP")) {
      ASSERT_TRUE(std::regex_match(line, found, help)) << line;
      EXPECT_TRUE(families.insert(found[1]).second) << line;
      family = found[1];
    } else if (line.starts_with("#")) {
      ASSERT_TRUE(std::regex_match(line, found, type)) << line;
      EXPECT_EQ(found[1], family);
      kind = found[2];
      EXPECT_EQ(kind == "counter", family.ends_with("_total")) << line;
    } else {
      ASSERT_TRUE(std::regex_match(line, found, value)) << line;
      const std::string name = found[1];
      if (kind == "summary")
        EXPECT_TRUE(name == family + "_sum" || name == family + "_count") << line;
      else
        EXPECT_EQ(name, family) << line;
      EXPECT_TRUE(seen.insert(name + std::string(found[2])).second) << line;
      EXPECT_NO_THROW((void)std::stod(found[3])) << line;
    }
  }
}

TEST(Metrics, AreInTheFormatOfPrometheus) {
  const std::string text = metrics_text(sample());
  check_text(text);
  for (const char* line :
       {"tacit_info{version=\"0.2.0\",agent=\"a\\\"b\\\\c\\nd\"} 1\n", "tacit_link_up{peer=\"bonn\"} 1\n",
        "tacit_link_up{peer=\"celle\"} 0\n", "tacit_link_refused{peer=\"celle\"} 1\n",
        "tacit_bytes_sent_total{peer=\"bonn\"} 1234567890123\n",
        "tacit_link_streams_total{peer=\"bonn\"} 2\n", "tacit_runs_total{kind=\"fit\",outcome=\"done\"} 1\n",
        "tacit_runs_total{kind=\"fit\",outcome=\"withdrawn\"} 1\n",
        "tacit_runs_total{kind=\"predict\",outcome=\"failed\"} 1\n",
        "tacit_run_seconds_sum{kind=\"fit\"} 3\n", "tacit_run_seconds_count{kind=\"fit\"} 2\n",
        "tacit_run_seconds_count{kind=\"predict\"} 0\n",
        "tacit_requests_refused_total{kind=\"export\",asked_by=\"home\"} 1\n",
        "tacit_requests_refused_total{kind=\"other\",asked_by=\"peer\"} 1\n", "tacit_requests_waiting 3\n",
        "tacit_model_version 7\n", "tacit_up_seconds 12.5\n"})
    EXPECT_TRUE(says(text, line)) << line << "is not in\n" << text;
  EXPECT_FALSE(says(text, "whatever a peer says"));
}

TEST(Metrics, AreForThisMachineAlone) {
  for (const char* host : {"127.0.0.1", "127.9.8.7", "::1", "localhost"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "10.0.0.7", "128.0.0.1", "127.evil.example", "localhost.example",
                           "", "::ffff:10.0.0.1", "127.1"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

std::string get(int port, const std::string& path, const std::string& host) {
  return answer_to(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
}

TEST(Metrics, AreServedOnlyUnderTheMachinesOwnName) {
  const MetricsServer server("127.0.0.1:0", [] { return metrics_text(sample()); });
  for (const char* host : {"localhost", "127.0.0.1:1234", "[::1]", "[::1]:80"}) {
    const std::string response = get(server.port(), "/metrics", host);
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\n")) << response;
    EXPECT_TRUE(says(response, "Content-Type: text/plain; version=0.0.4")) << response;
    EXPECT_TRUE(response.ends_with("\r\n\r\n" + metrics_text(sample()))) << response;
  }
  for (const char* host : {"evil.example", "evil.example:9464", "127.evil.example", ""}) {
    const std::string response = get(server.port(), "/metrics", host);
    EXPECT_TRUE(response.starts_with("HTTP/1.1 403")) << response;
    EXPECT_FALSE(says(response, "tacit_"));
  }
  EXPECT_TRUE(get(server.port(), "/", "localhost").starts_with("HTTP/1.1 404"));
  EXPECT_FALSE(says(answer_to(server.port(), "POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"), "tacit_"));
}

TEST(Metrics, AClientThatHangsDelaysOthersOnlyBriefly) {
  std::vector<int> hanging;
  {
    const MetricsServer server("localhost:0", [] { return metrics_text(sample()); });
    for (int k = 0; k < 4; ++k) hanging.push_back(connect_to(server.port()));
    EXPECT_EQ(::send(hanging[0], "GET /met", 8, MSG_NOSIGNAL), 8);
    EXPECT_TRUE(get(server.port(), "/metrics", "localhost").starts_with("HTTP/1.1 200 OK\r\n"));
    for (int k = 0; k < 4; ++k) hanging.push_back(connect_to(server.port()));
  }
  for (const int handle : hanging) ::close(handle);
}

TEST(Metrics, APortInUseIsReported) {
  const MetricsServer server("127.0.0.1:0", [] { return std::string(); });
  const std::string there = "127.0.0.1:" + std::to_string(server.port());
  EXPECT_TRUE(says(refusal([&] { const MetricsServer second(there, [] { return std::string(); }); }),
                   "metrics.listen: cannot listen on " + there));
}

}  // namespace
}  // namespace tacit
