// Daily operation of agents, with real processes: stopped requests, stopped and absent agents, logs, status,
// metrics, and progress on a terminal.
#include <pty.h>

#include <map>

#include "agents_testing.hpp"

namespace tacit::testing {
namespace {

class Running : public Consortium {
 protected:
  Json peer(std::size_t i, const std::string& name) {
    const Json all = status(i);
    for (const Json& one : all["peers"])
      if (one["name"] == name) return one;
    return {};
  }
  /// Starts a request that runs in parallel with the test.
  std::unique_ptr<RunningProgram> asking(std::size_t i, std::vector<std::string> words,
                                         const std::string& err) {
    words.insert(words.end(), {"--agent", folder.path(names[i])});
    return std::make_unique<RunningProgram>(words, folder.path("out"), folder.path(err));
  }
  /// Returns the texts in an agent's log, except at level debug, that contain these words.
  std::vector<std::string> lines(std::size_t i, const std::string& words) const {
    std::vector<std::string> all;
    std::istringstream log(this->log(i));
    for (std::string line; std::getline(log, line);) {
      const Json event = Json::parse(line, nullptr, false);
      if (event.is_discarded() || event["level"] == "debug") continue;
      if (contains(event["text"], words)) all.push_back(event["text"]);
    }
    return all;
  }
};

// Returns whether the program handles this signal; before that, the signal would end it.
bool handles(const RunningProgram& program, int signal) {
  const std::string text = content("/proc/" + std::to_string(program.process()) + "/status");
  const std::size_t at = text.find("SigCgt:");
  return at != std::string::npos &&
         (std::stoull(text.substr(at + 7, 20), nullptr, 16) >> (signal - 1) & 1) != 0;
}

class LongFit : public Running {
 protected:
  LongFit() {
    policy = "[policy]\nfewest_agents = 3\nmost_opened = 1000000.0\n";  // every trial opens a few numbers
    changed = {{"restarts = 0", "restarts = 1000"}, {"evaluations = 100", "evaluations = 100000"}};
  }
  bool tuning(std::size_t i) { return contains(status(i)["running"].dump(), "tuning, evaluation"); }
};

TEST_F(LongFit, CtrlCStopsItEverywhereAndReportsIt) {
  start_all();
  auto fit = asking(0, {"fit"}, "first");
  for (std::size_t i = 0; i < 4; ++i) ASSERT_TRUE(wait_until([&] { return tuning(i); })) << log(i);
  // A second request waits. Stopping it does not affect the first.
  auto second = asking(0, {"fit"}, "second");
  ASSERT_TRUE(wait_until([&] { return handles(*second, SIGTERM); }));
  second->send(SIGTERM);
  EXPECT_EQ(second->end(0), 1);
  EXPECT_TRUE(contains(content(folder.path("second")), "stopped before the run began"))
      << content(folder.path("second"));
  EXPECT_TRUE(tuning(0));

  fit->send(SIGINT);
  EXPECT_EQ(fit->end(0), 1);
  const std::string text = content(folder.path("first"));
  EXPECT_TRUE(contains(text, "stopping the request; press Ctrl-C again to end this command at once\n"))
      << text;
  EXPECT_TRUE(contains(text, "\nstopped: b, c and d were notified; no model was created; ")) << text;
  EXPECT_TRUE(contains(text, " numbers had already been opened and remain in the ledger\n")) << text;
  EXPECT_FALSE(contains(text, "error")) << text;
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(wait_until([&] { return status(i)["running"] == ""; }));
    const Json runs = status(i)["runs"];
    EXPECT_EQ(runs["withdrawn"], i == 0 ? 2 : 1) << runs;
    EXPECT_EQ(runs["failed"], 0) << runs;
    EXPECT_EQ(lines(i, "fit requested by a"), std::vector<std::string>{"fit requested by a: withdrawn by a"});
    EXPECT_EQ(lines(i, "fit requested here").size(), i == 0 ? 1u : 0u);
    const Json ledger = Json::parse(ask(i, {"ledger", "--json"}).out);
    EXPECT_EQ(ledger["runs"][0]["outcome"], "failed");
    EXPECT_GT(ledger["runs"][0]["opened"].get<int>(), 0);
  }
  // Another agent need not wait. The agent that withdrew its run waits, unless that was long ago, and then
  // fits.
  for (const std::size_t i : {1, 0}) {
    auto next = asking(i, {"fit"}, "next");
    ASSERT_TRUE(wait_until([&] { return tuning(3); })) << log(i);
    next->send(SIGINT);
    EXPECT_EQ(next->end(0), 1);
    ASSERT_TRUE(wait_until([&] { return status(3)["running"] == ""; }));
  }
}

TEST_F(LongFit, ASecondCtrlCLeavesAtOnce) {
  start_all();
  auto fit = asking(0, {"fit"}, "first");
  ASSERT_TRUE(wait_until([&] { return tuning(0); })) << log(0);
  agents[0]->freeze();  // so that it cannot answer
  fit->send(SIGINT);
  ASSERT_TRUE(wait_until([&] { return contains(content(folder.path("first")), "stopping the request"); }));
  fit->send(SIGINT);
  EXPECT_EQ(fit->end(0), 1);
  EXPECT_TRUE(contains(content(folder.path("first")), "ended; the agents may continue the request"))
      << content(folder.path("first"));
  agents[0]->send(SIGCONT);
}

// One agent does not answer, so the run does not begin. After it is stopped, the next one begins at once.
TEST_F(Running, CtrlCBeforeItBeginsHoldsNoAgent) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  agents[3]->freeze();
  auto fit = asking(0, {"fit"}, "first");
  ASSERT_TRUE(wait_until([&] { return status(0)["runs"]["waiting"] == 1; }));
  fit->send(SIGINT);
  EXPECT_EQ(fit->end(0), 1);
  EXPECT_TRUE(contains(content(folder.path("first")),
                       "stopped before the run began; no model was created, and version 1 remains in use\n"))
      << content(folder.path("first"));
  EXPECT_EQ(lines(0, "fit requested here"),
            std::vector<std::string>{"fit requested here: withdrawn before it began"});
  agents[3]->send(SIGCONT);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(3) == 3; })) << log(3);
  const Output next = ask(0, {"fit"});
  EXPECT_EQ(next.exit_code, 0) << next.err << log(0);
}

TEST_F(Running, AStoppedAgentIsDistinguishedFromAnAbsentOne) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  const std::string process = std::to_string(agents[3]->process());
  agents[3]->freeze();
  ASSERT_TRUE(wait_until([&] {
    return contains(ask(3, {"status"}).err,
                    "(process " + process + ") is stopped; continue it with kill -CONT " + process);
  }));
  EXPECT_EQ(ask(3, {"status"}).exit_code, 1);
  ASSERT_TRUE(wait_until([&] { return peer(0, "d")["up"] == false; }));
  const std::string silent = "its machine accepts connections, but the agent does not answer";
  EXPECT_TRUE(contains(peer(0, "d")["why_down"], silent));
  EXPECT_TRUE(contains(ask(0, {"status"}).out, "down: " + silent));
  const std::vector<std::string> together{"predict", "--together", "--input", folder.path("points.csv")};
  const Output asked = ask(0, together);
  EXPECT_EQ(asked.exit_code, 1);
  EXPECT_TRUE(contains(asked.err, "d (agent 3) did not answer")) << asked.err;
  EXPECT_TRUE(contains(asked.err, silent)) << asked.err;
  EXPECT_EQ(lines(0, "predict").size(), 1u) << log(0);

  agents[3]->end(SIGKILL);  // its socket file remains
  EXPECT_TRUE(contains(ask(3, {"status"}).err, "no agent listens at " + at("d", "state/control.sock")));
  EXPECT_TRUE(contains(ask(0, {"status"}).out, "down: no process listens at its address"));
  EXPECT_TRUE(contains(ask(0, together).err, "no process listens at its address"));
}

class OwnersSayNo : public Running {
 protected:
  OwnersSayNo() {
    policy = "[policy]\nfewest_agents = 3\n[policy.may]\nfit = [\"a\"]\npredict = [\"*\"]\nevaluate = []\n";
  }
};

// A refusal or failure is one line in the log of the refusing agent and of the asker.
TEST_F(OwnersSayNo, OneLineAndOneNumber) {
  start_all();
  EXPECT_EQ(ask(1, {"fit"}).exit_code, 1);  // refused by the other agents
  EXPECT_EQ(lines(1, "fit").size(), 1u) << log(1);
  EXPECT_TRUE(contains(lines(1, "fit").at(0), "fit requested here: failed: agent ")) << log(1);
  EXPECT_EQ(status(1)["runs"]["failed"], 1);
  ASSERT_TRUE(wait_until([&] { return lines(2, "fit").size() == 1; })) << log(2);
  EXPECT_TRUE(contains(lines(2, "fit").at(0), "refused fit requested by agent 1 (b): the policy of c"))
      << log(2);
  EXPECT_EQ(status(2)["runs"]["refused"], 1);
  EXPECT_EQ(status(2)["runs"]["failed"], 0);
  EXPECT_EQ(ask(0, {"predict", "--input", folder.path("points.csv")}).exit_code, 2);  // no model
  EXPECT_EQ(lines(0, "predict").size(), 1u) << log(0);
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  EXPECT_EQ(ask(0, {"evaluate"}).exit_code, 1);  // refused by the other agents
  EXPECT_EQ(lines(0, "evaluate").size(), 1u) << log(0);
  const std::string text = ask(0, {"status"}).out;
  EXPECT_TRUE(contains(text, "Runs     1 done, 1 failed, 0 withdrawn, 2 refused here, 0 waiting")) << text;
  EXPECT_TRUE(contains(text, ", Tacit ")) << text;
}

// Returns the successive progress lines of a fit on a terminal with this many columns.
std::vector<std::string> shown_on_terminal(unsigned short columns, const std::string& agent) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    execl(TACIT_BINARY_DIR "/tacit", "tacit", "fit", "--agent", agent.c_str(), nullptr);
    _exit(127);
  }
  std::string all;
  char some[4096];
  for (ssize_t got = 0; (got = read(terminal, some, sizeof some)) > 0;)
    all.append(some, static_cast<std::size_t>(got));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_EQ(WEXITSTATUS(status), 0) << all;
  std::vector<std::string> lines;
  const std::string wipe = "\r\033[K";
  for (std::size_t at = all.find(wipe); at != std::string::npos;) {
    const std::size_t next = all.find(wipe, at + 1);
    if (next == std::string::npos) break;  // the result follows
    lines.push_back(all.substr(at + wipe.size(), next - at - wipe.size()));
    at = next;
  }
  return lines;
}

TEST_F(Running, ProgressFitsInOneLineOfTheTerminal) {
  start_all();
  for (const auto& [columns, room] : std::map<unsigned short, std::size_t>{{40, 39}, {0, 79}, {500, 499}}) {
    const auto lines = shown_on_terminal(columns, folder.path("a"));
    std::size_t longest = 0;
    for (const std::string& line : lines) longest = std::max(longest, line.size());
    EXPECT_LE(longest, room);
    const bool cut =
        std::any_of(lines.begin(), lines.end(), [](const auto& line) { return line.ends_with("..."); });
    EXPECT_EQ(cut, columns != 500) << longest;
  }
}

TEST_F(Running, AFolderWillDoWhereAConfigurationIsMeant) {
  EXPECT_EQ(run_tacit({"agent", "--config", folder.path("a"), "--check"}).exit_code, 0);
  std::filesystem::create_directories(folder.path("empty"));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"agent", "--config"},
                                                {"status", "--agent"},
                                                {"ledger", "--agent"},
                                                {"fit", "--agent"}}) {
    std::vector<std::string> all = words;
    all.push_back(folder.path("empty"));
    const Output output = run_tacit(all);
    EXPECT_EQ(output.exit_code, 2) << words[0];
    EXPECT_TRUE(contains(output.err, "there is no agent.toml in this folder")) << output.err;
  }
}

std::string get_metrics(int port) {
  const int handle = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string all;
  if (connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    const std::string ask = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    send(handle, ask.data(), ask.size(), MSG_NOSIGNAL);
    char some[4096];
    for (ssize_t got = 0; (got = recv(handle, some, sizeof some, 0)) > 0;)
      all.append(some, static_cast<std::size_t>(got));
  }
  close(handle);
  return all;
}

TEST_F(Running, MetricsCountWhatHappens) {
  const int port = free_ports(1)[0];
  for (const char* name : {"a", "b"})
    folder.write(
        std::string(name) + "/agent.toml",
        content(at(name, "agent.toml")) + "[metrics]\nlisten = \"127.0.0.1:" + std::to_string(port) + "\"\n");
  for (const std::size_t i : {0, 2, 3}) start(i);
  ASSERT_TRUE(wait_until([&] { return contains(get_metrics(port), "tacit_link_up{peer=\"c\"} 1"); }))
      << log(0);
  const std::string fault = "metrics.listen: cannot listen on 127.0.0.1:" + std::to_string(port);
  const Output taken = run_tacit({"agent", "--config", folder.path("b"), "--check"});  // the same port
  EXPECT_EQ(taken.exit_code, 2);
  EXPECT_TRUE(contains(taken.out, fault)) << taken.out;
  start(1);  // it runs without metrics
  ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3 && neighbours_up(1) == 3; })) << log(1);
  EXPECT_TRUE(contains(status(1)["notes"].dump(), fault)) << status(1)["notes"];
  EXPECT_EQ(ask(0, {"predict", "--input", folder.path("points.csv")}).exit_code, 2);
  ASSERT_EQ(ask(1, {"fit"}).exit_code, 0);
  ASSERT_TRUE(wait_until([&] { return contains(get_metrics(port), "tacit_model_version 1"); }));
  const std::string metrics = get_metrics(port);
  for (const char* line : {"\ntacit_runs_total{kind=\"fit\",outcome=\"done\"} 1\n",
                           "\ntacit_run_seconds_count{kind=\"fit\"} 1\n",
                           "\ntacit_requests_refused_total{kind=\"predict\",asked_by=\"home\"} 1\n",
                           "\ntacit_link_up{peer=\"b\"} 1\n", ",agent=\"a\"} 1\n"})
    EXPECT_TRUE(contains(metrics, line)) << line << metrics;
  EXPECT_EQ(agents[0]->end(SIGTERM), 0);
}

}  // namespace
}  // namespace tacit::testing
