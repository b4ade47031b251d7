// The page of one of several agents, all real processes: its owner enables and uses it.
#include <httplib.h>

#include "agents_testing.hpp"

namespace tacit::testing {
namespace {

class AgentsPage : public Consortium {
 protected:
  const int port = free_ports(1)[0];

  void switch_on(const std::string& name = "a", const std::string& host = "127.0.0.1") {
    folder.write(name + "/agent.toml", content(at(name, "agent.toml")) + "[page]\nlisten = \"" + host + ":" +
                                           std::to_string(port) + "\"\n");
  }
  // Until the page is open, and again after a restart.
  std::string link_of(std::size_t i) {
    Output output;
    EXPECT_TRUE(wait_until([&] { return (output = ask(i, {"page"})).exit_code == 0; })) << output.err;
    return output.out;
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

TEST_F(AgentsPage, EveryStartMakesANewLinkAndAReloadKeepsIt) {
  switch_on();
  start(0);
  link_of(0);
  const std::string first = token();
  EXPECT_EQ(found("status", first).at("name"), "a");
  folder.write("a/agent.toml", content(at("a", "agent.toml")) + "[refit]\nevery = \"9d\"\n");
  ASSERT_EQ(ask(0, {"agent", "reload"}).exit_code, 0);
  link_of(0);
  EXPECT_EQ(token(), first);
  for (const int how : {SIGTERM, SIGKILL}) {
    const std::string before = token();
    agents[0]->end(how);
    start(0);
    link_of(0);
    EXPECT_NE(token(), before);
    EXPECT_EQ(get("status", before)->status, 401);
    EXPECT_EQ(found("status", token()).at("name"), "a");
  }
}

TEST_F(AgentsPage, ItsLinkHasTheAddressThatIsBound) {
  switch_on("a", "localhost");
  start(0);
  EXPECT_TRUE(link_of(0).starts_with("http://127.0.0.1:" + std::to_string(port) + "/#token="));
  EXPECT_EQ(found("status", token()).at("name"), "a");
}

// Another agent has copied the [page] line of a.
TEST_F(AgentsPage, ATakenPortStopsNeitherAStartNorAReload) {
  switch_on("a");
  start_all();
  const std::string link = link_of(0),
                    fault = "page.listen: cannot listen on 127.0.0.1:" + std::to_string(port) +
                            ": another program uses the port";
  switch_on("c");
  const Output reloaded = ask(2, {"agent", "reload"});
  EXPECT_EQ(reloaded.exit_code, 0) << reloaded.err;
  for (const bool restarted : {false, true}) {
    if (restarted) {
      EXPECT_EQ(agents[2]->end(SIGTERM), 0);
      start(2);
    }
    ASSERT_TRUE(wait_until([&] { return neighbours_up(2) == 3; })) << log(2);
    EXPECT_TRUE(contains(status(2)["notes"].dump(), fault)) << status(2)["notes"];
    const Output none = ask(2, {"page"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_TRUE(contains(none.err, fault)) << none.err;
    EXPECT_EQ(ask(0, {"page"}).out, link);
  }
  EXPECT_EQ(ask(2, {"fit"}).exit_code, 0);
  EXPECT_EQ(agents[0]->end(SIGTERM), 0);
  EXPECT_TRUE(link_of(2).starts_with("http://127.0.0.1:" + std::to_string(port)));  // without a restart
  EXPECT_FALSE(contains(status(2)["notes"].dump(), fault));
  EXPECT_EQ(found("status", link_of(2).substr(link_of(2).find('=') + 1, 64)).at("name"), "c");
}

TEST_F(AgentsPage, CheckTriesAllPorts) {
  const std::string address = "127.0.0.1:" + std::to_string(port),
                    metrics = "127.0.0.1:" + std::to_string(free_ports(1)[0]);
  switch_on("a");
  folder.write("a/agent.toml", content(at("a", "agent.toml")) + "[metrics]\nlisten = \"" + metrics + "\"\n");
  const auto check = [&](const std::string& name) {
    return run_tacit({"agent", "--config", folder.path(name), "--check"});
  };
  Output free = check("a");
  EXPECT_EQ(free.exit_code, 0) << free.out << free.err;
  for (const char* field : {"Good      listen: ", "Good      page.listen: ", "Good      metrics.listen: "})
    EXPECT_TRUE(contains(free.out, field)) << free.out;
  start(0);
  link_of(0);
  free = check("a");  // the agent itself has them open
  EXPECT_EQ(free.exit_code, 0) << free.out << free.err;
  // b has a's lines.
  const std::string own = status(0)["listen"];
  std::string text = content(at("b", "agent.toml"));
  folder.write("b/agent.toml",
               text + content(at("a", "agent.toml")).substr(content(at("a", "agent.toml")).find("[page]")));
  Output taken = check("b");
  EXPECT_EQ(taken.exit_code, 2);
  for (const std::string& one : {"Error     page.listen: cannot listen on " + address,
                                 "Error     metrics.listen: cannot listen on " + metrics})
    EXPECT_TRUE(contains(taken.out, one + ": another program uses the port")) << taken.out;
  EXPECT_TRUE(
      contains(taken.err, "the agent would start, but without some of its functions; fix the 2 errors above"))
      << taken.err;
  const RunningProgram other({"agent", "--config", at("b", "agent.toml")}, at("b", "out"), at("b", "log"));
  ASSERT_TRUE(wait_until([&] { return !status(1).is_null(); }));
  std::filesystem::rename(at("b", "state/control.sock"),
                          at("b", "state/elsewhere"));  // as if b were another agent
  taken = check("b");
  EXPECT_TRUE(contains(taken.out, "Error     listen: cannot listen on ")) << taken.out;
  EXPECT_TRUE(contains(taken.err, "the agent would not start; fix the 3 errors above")) << taken.err;
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
