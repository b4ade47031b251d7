// The page of one of several agents, all real processes: its owner enables and uses it.
#include <httplib.h>

#include "agents_testing.hpp"

namespace tacit::testing {
namespace {

class AgentsPage : public Consortium {
 protected:
  const int port = free_ports(1)[0];

  void switch_on() {
    folder.write("a/agent.toml", content(at("a", "agent.toml")) +
                                     "[page]\nlisten = \"127.0.0.1:" + std::to_string(port) + "\"\n");
  }
  std::string token() {
    const Output output = ask(0, {"page"});
    EXPECT_EQ(output.exit_code, 0) << output.err;
    const std::string start = "http://127.0.0.1:" + std::to_string(port) + "/#token=";
    EXPECT_TRUE(output.out.starts_with(start)) << output.out;
    EXPECT_TRUE(contains(output.err, "in a browser on this machine")) << output.err;
    return output.out.substr(start.size(), 64);
  }
  httplib::Result get(const std::string& path, const std::string& by) const {
    return httplib::Client("127.0.0.1", port).Get("/api/" + path, {{"Authorization", "Bearer " + by}});
  }
  Json found(const std::string& path, const std::string& by) const {
    const auto answer = get(path, by);
    EXPECT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << answer->body;
    return Json::parse(answer->body);
  }
};

TEST_F(AgentsPage, IsSwitchedOnWhileTheAgentRunsAndAsksTheOthers) {
  start_all();
  Output output = ask(0, {"page"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_TRUE(contains(output.err, "this agent has no page; add a section [page]")) << output.err;
  switch_on();
  output = ask(0, {"page"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_TRUE(contains(output.err, "run tacit agent reload")) << output.err;
  ASSERT_EQ(ask(0, {"agent", "reload"}).exit_code, 0);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3; })) << log(0);

  const std::string before = token();
  EXPECT_EQ(found("status", before).at("name"), "a");
  httplib::Client browser("127.0.0.1", port);
  browser.set_read_timeout(120);
  const auto fitted =
      browser.Post("/api/fit", {{"Authorization", "Bearer " + before}}, "{}", "application/json");
  ASSERT_TRUE(fitted);
  EXPECT_TRUE(contains(fitted->body, "event: ask\n") && contains(fitted->body, "event: result\n"))
      << fitted->body;
  Json runs;  // the page may report the result before it lists the run
  ASSERT_TRUE(wait_until([&] { return !(runs = found("runs", before).at("runs")).empty(); }));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].at("outcome"), "done");
  EXPECT_EQ(runs[0].at("asker"), "a");
  EXPECT_GT(runs[0].at("seconds"), 0);
  EXPECT_EQ(found("ledger", before).at("runs").size(), 1u);

  ASSERT_EQ(ask(0, {"page", "--new"}).exit_code, 0);
  EXPECT_EQ(get("status", before)->status, 401);
  EXPECT_EQ(found("status", token()).at("model").at("version"), 1);
  EXPECT_FALSE(contains(log(0), before) || contains(log(0), token()));

  EXPECT_EQ(agents[0]->end(SIGTERM), 0);
  EXPECT_FALSE(get("status", before));
  output = ask(0, {"page"});
  EXPECT_EQ(output.exit_code, 1) << output.err;
  start(0);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3; })) << log(0);
  EXPECT_EQ(found("runs", token()).at("runs"), runs);
}

// The page shows why the agent refused a request, in the words of its log.
TEST_F(AgentsPage, ShowsWhatItsAgentHasRefused) {
  switch_on();
  folder.write("a/agent.toml", content(at("a", "agent.toml")) +
                                   "[policy]\nfewest_agents = 3\n[policy.may]\nfit = []\npredict = "
                                   "[\"*\"]\nevaluate = [\"*\"]\n");
  start_all();
  EXPECT_NE(ask(1, {"fit"}).exit_code, 0);
  const Json runs = found("runs", token()).at("runs");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].at("outcome"), "refused");
  EXPECT_EQ(runs[0].at("asker"), "b");
  EXPECT_TRUE(contains(runs[0].at("reason"), "does not allow fit requests from b")) << runs;
}

}  // namespace
}  // namespace tacit::testing
