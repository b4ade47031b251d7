// The long-term life of a consortium, with real processes: members, keys, rows and settings change while
// agents run.
#include "agents_testing.hpp"

namespace tacit::testing {
namespace {

// A port that another program has.
class TakenPort {
 public:
  TakenPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    listen(socket_, 1);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~TakenPort() { free(); }
  TakenPort(const TakenPort&) = delete;
  const std::string& address() const { return address_; }
  void free() {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
  }

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string address_;
};

class Years : public Consortium {
 protected:
  Years() {  // rows are few, so fits open a large share
    policy = "[policy]\nfewest_agents = 3\nmost_opened = 20.0\n[policy.a_day]\npredictions = 100\n";
  }

  std::string charter_file() const { return folder.path("charter.toml"); }

  // Replaces the charter by an amended one, signed by these agents.
  void amend(const std::vector<std::string>& changes, const std::vector<std::string>& signers) {
    std::vector<std::string> words{"charter", "amend", charter_file(),
                                   "--force", "-o",    folder.path("next.toml")};
    words.insert(words.end(), changes.begin(), changes.end());
    const Output made = run_tacit(words);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    amendment = made.out;
    for (const std::string& signer : signers) {
      const Output one =
          run_tacit({"charter", "sign", folder.path("next.toml"), "--identity", folder.path(signer)});
      ASSERT_EQ(one.exit_code, 0) << one.err;
    }
    folder.write("charter.toml", content(folder.path("next.toml")));
  }
  std::string amendment;  ///< the output of the last amend

  Output reload(const std::string& name) {
    return run_tacit({"agent", "reload", "--agent", folder.path(name)});
  }
  bool linked(const std::vector<std::string>& all) {
    return wait_until([&] {
      return std::all_of(all.begin(), all.end(), [&](const std::string& name) {
        const Json now = status(name);
        if (now.is_null()) return false;
        const Json& peers = now["peers"];
        return static_cast<std::size_t>(std::count_if(peers.begin(), peers.end(), [](const Json& peer) {
                 return peer["up"] == true;
               })) == all.size() - 1;
      });
    });
  }
  std::string rows(int first, int last) const {
    std::string text = "x,z\n";
    for (int k = first; k < last; ++k)
      text += std::to_string(-9 + 0.01 * k) + "," + std::to_string(50 + 0.03 * k + k % 5) + "\n";
    return text;
  }
  std::string digest(const std::string& name) { return status(name)["model"]["digest"]; }
};

TEST_F(Years, ASettingChangesWhileAgentsRun) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  ASSERT_EQ(ask(0, {"predict", "--together", "--input", folder.path("points.csv")}).exit_code, 0);
  const Json before = status("b");
  EXPECT_EQ(before["peers"][0]["left"]["predict"], 97);
  amend({"--set", "timeouts.gather=31"}, {"a", "b", "c"});
  EXPECT_TRUE(contains(amendment, "Change   timeout, gather: 31 instead of 20")) << amendment;
  // The agent keeps the old charter until all have signed the new one.
  Output one = reload("a");
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_TRUE(contains(one.err, "nothing was changed: charter: ")) << one.err;
  EXPECT_TRUE(contains(status("a")["notes"].dump(), "could not reload its files and continued as before"));
  EXPECT_TRUE(contains(one.err, "not signed by d")) << one.err;
  EXPECT_EQ(neighbours_up(0), 3);
  ASSERT_EQ(run_tacit({"charter", "sign", charter_file(), "--identity", folder.path("d")}).exit_code, 0);
  one = reload("a");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_TRUE(contains(one.out, "charter number 2, ")) << one.out;
  EXPECT_TRUE(contains(one.out, "charter: timeout, gather: 31 instead of 20")) << one.out;
  // The others have the old charter, and both sides report which one is older.
  EXPECT_TRUE(wait_until([&] {
    return contains(status("a")["peers"].dump(), "number: ours 2, theirs 1; the side with the lower number");
  })) << status("a")["peers"].dump(1);
  for (const char* name : {"b", "c", "d"}) ASSERT_EQ(reload(name).exit_code, 0);
  ASSERT_TRUE(linked(names));
  // The old model is set aside without an error. The ledger and the version numbers continue.
  const Json after = status("b");
  EXPECT_EQ(after["charter_number"], 2);
  EXPECT_TRUE(after["model"].is_null());
  EXPECT_TRUE(contains(ask(1, {"status"}).out, "Model    none under this charter; version 1 was set aside"));
  EXPECT_EQ(after["ledger"]["hash"], before["ledger"]["hash"]);
  EXPECT_EQ(after["peers"][0]["left"]["predict"], 97);
  EXPECT_FALSE(contains(log(1), "\"level\":\"error\"")) << log(1);
  EXPECT_TRUE(contains(log(1), "model version 1 was fitted under another charter"));
  ASSERT_EQ(ask(2, {"fit"}).exit_code, 0);
  EXPECT_EQ(status("b")["model"]["version"], 2);
  EXPECT_EQ(reload("b").out, "Nothing has changed.\n");
  EXPECT_EQ(status("b")["load"], 2);
}

TEST_F(Years, AnOlderCharterIsNotTakenOver) {
  start_all();
  const std::string first = content(charter_file());
  amend({"--set", "timeouts.queue=700"}, names);
  for (const std::string& name : names) ASSERT_EQ(reload(name).exit_code, 0);
  folder.write("charter.toml", first);
  const Output back = reload("a");
  EXPECT_EQ(back.exit_code, 2);
  EXPECT_TRUE(contains(back.err, "this is charter number 1, but this agent already serves number 2"))
      << back.err;
  EXPECT_EQ(status("a")["charter_number"], 2);
  EXPECT_EQ(agents[0]->end(SIGTERM), 0);
  start(0);
  EXPECT_TRUE(wait_until([&] { return !agents[0]->running(); }));
  EXPECT_TRUE(contains(log(0), "this agent has already served number 2")) << log(0);
}

TEST_F(Years, AMemberJoinsAndAnotherLeaves) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  // e joins.
  const std::string address = "127.0.0.1:" + std::to_string(free_ports(1)[0]);
  ASSERT_EQ(run_tacit({"keygen", folder.path("e"), "--address", address}).exit_code, 0);
  folder.write("e/data.csv", rows(0, 40));
  folder.write("e/agent.toml",
               "agent = 1\ncharter = \"../charter.toml\"\nidentity = \".\"\ndata = "
               "\"data.csv\"\nlisten = \"" +
                   address + "\"\nstate = \"state\"\n");
  amend({"--add", at("e", "card.toml")}, {"a", "b", "c", "d", "e"});
  EXPECT_TRUE(contains(amendment, "e joins, with address " + address)) << amendment;
  for (const std::string& name : names) ASSERT_EQ(reload(name).exit_code, 0);
  names.push_back("e");
  agents.resize(5);
  start(4);
  ASSERT_TRUE(linked(names)) << log(4);
  Output fit = ask(4, {"fit"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_TRUE(contains(fit.out, "on the data of a, b, c, d and e"));
  EXPECT_EQ(status("b")["model"]["version"], 2);
  EXPECT_TRUE(contains(status("b")["notes"].dump(),
                       "Under this charter and earlier ones, models were fitted with and without e."));
  // The first agent, a, leaves, so the ids of all others change.
  amend({"--drop", "a"}, {"b", "c", "d", "e"});
  EXPECT_TRUE(contains(amendment, "a leaves: later models do not learn from its rows")) << amendment;
  Output left = reload("a");
  EXPECT_EQ(left.exit_code, 2);
  EXPECT_TRUE(contains(left.err, "there is no agent called a in this charter")) << left.err;
  for (std::size_t i = 1; i < 5; ++i) ASSERT_EQ(reload(names[i]).exit_code, 0);
  ASSERT_TRUE(linked({"b", "c", "d", "e"})) << log(1);
  fit = ask(1, {"fit"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_TRUE(contains(fit.out, "on the data of b, c, d and e")) << fit.out;
  EXPECT_EQ(
      run_tacit({"predict", "--agent", folder.path("c"), "--together", "--input", folder.path("points.csv")})
          .exit_code,
      0);
  EXPECT_EQ(digest("e"), digest("b"));
  EXPECT_EQ(ask(2, {"ledger", "--verify"}).exit_code, 0);
}

TEST_F(Years, ALostKeyIsReplaced) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  agents[2]->end(SIGKILL);
  for (const char* secret : {"identity.key", "tls.key", "card.toml"})
    std::filesystem::remove(at("c", secret));
  const Json card = status("b")["peers"];
  std::string address;
  for (const Json& peer : card)
    if (peer["name"] == "c") address = peer["address"];
  ASSERT_EQ(run_tacit({"keygen", folder.path("c"), "--address", address}).exit_code, 0);
  amend({"--replace", at("c", "card.toml")}, names);
  EXPECT_TRUE(contains(amendment, "c has new keys: identity ")) << amendment;
  for (const char* name : {"a", "b", "d"}) ASSERT_EQ(reload(name).exit_code, 0);
  start(2);
  ASSERT_TRUE(linked(names)) << log(2);
  ASSERT_EQ(ask(2, {"fit"}).exit_code, 0);
  EXPECT_EQ(status("c")["model"]["version"], 2);
  EXPECT_EQ(ask(2, {"ledger", "--verify"}).exit_code, 0);
}

TEST_F(Years, RowsAreLearntFromByTheSnapshot) {
  start_all();
  folder.write("b/data.csv", rows(0, 200));
  Output one = reload("b");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_TRUE(contains(one.out, "took a new snapshot of 200 rows")) << one.out;
  ASSERT_TRUE(linked(names));
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  const Json fitted = status("b");
  EXPECT_EQ(fitted["rows"], 200);
  // Three more rows: the snapshot and the model remain.
  folder.write("b/data.csv", rows(0, 203));
  one = reload("b");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_TRUE(contains(one.out, "3 rows were added and 0 rows removed since ")) << one.out;
  EXPECT_TRUE(contains(one.out, "The agent continues unchanged.")) << one.out;
  Json now = status("b");
  EXPECT_EQ(now["rows"], 200);
  EXPECT_EQ(now["rows_changed"], false);
  EXPECT_EQ(now["snapshot"]["name"], fitted["snapshot"]["name"]);
  EXPECT_TRUE(contains(now["snapshot"]["waiting"], "3 rows were added and 0 rows removed since "));
  EXPECT_TRUE(contains(now["snapshot"]["waiting"], "; a new snapshot requires 25 (policy.fewest_new_rows)"));
  // A restart does not change that.
  EXPECT_EQ(agents[1]->end(SIGTERM), 0);
  start(1);
  ASSERT_TRUE(linked(names));
  EXPECT_EQ(status("b")["rows"], 200);
  EXPECT_EQ(ask(3, {"predict", "--together", "--input", folder.path("points.csv")}).exit_code, 0);
  // Enough new rows, with a reload by SIGHUP.
  folder.write("b/data.csv", rows(0, 240));
  agents[1]->send(SIGHUP);
  ASSERT_TRUE(wait_until([&] { return status("b")["rows"] == 240; })) << log(1);
  ASSERT_TRUE(linked(names));
  now = status("b");
  EXPECT_EQ(now["rows_changed"], true);
  EXPECT_NE(now["snapshot"]["name"], fitted["snapshot"]["name"]);
  EXPECT_TRUE(contains(ask(1, {"status"}).out, "Rows have changed since version 1 was fitted"));
  EXPECT_EQ(ask(3, {"predict", "--together", "--input", folder.path("points.csv")}).exit_code, 1);
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  EXPECT_EQ(status("b")["rows_changed"], false);
}

TEST_F(Years, ABadFileLeavesTheAgentAsItIs) {
  start_all();
  folder.write("c/data.csv", "x,z\n1,2\n3000,4\n");
  const Output bad = reload("c");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_TRUE(contains(bad.err, "the cell \"3000\" is outside the charter's range")) << bad.err;
  EXPECT_FALSE(contains(log(2), "3000"));
  EXPECT_EQ(neighbours_up(2), 3);
  EXPECT_EQ(status("c")["rows"], 25);
  std::filesystem::remove(at("c", "data.csv"));
  EXPECT_TRUE(contains(reload("c").err, "data.csv: there is no such file"));
  folder.write("c/agent.toml", "agent = 1\n");
  EXPECT_EQ(run_tacit({"agent", "reload", "--agent", at("c", "state/control.sock")}).exit_code, 2);
  EXPECT_EQ(neighbours_up(1), 3);
}

// The files are valid, but the port is in use. The agent notices this only when it restarts with the new
// files.
TEST_F(Years, ATakenPortLeavesTheAgentAsItIs) {
  start_all();
  const std::string config = content(at("c", "agent.toml"));
  const std::string taken = status("b")["listen"], own = status("c")["listen"];
  std::string other = config;
  other.replace(other.find(own), own.size(), taken);
  folder.write("c/agent.toml", other);
  const Output reloaded = reload("c");
  EXPECT_EQ(reloaded.exit_code, 1);
  EXPECT_TRUE(contains(reloaded.err, "continues with the previous ones")) << reloaded.err;
  EXPECT_TRUE(contains(
      log(2),
      "cannot run with the changed files and continues with the previous ones: cannot listen on " + taken))
      << log(2);
  ASSERT_TRUE(linked(names)) << log(2);
  EXPECT_EQ(status("c")["listen"], own);
  EXPECT_EQ(ask(2, {"fit"}).exit_code, 0);
}

// Outgoing connections of other programs may use the port for a moment.
TEST_F(Years, APortThatIsTakenForAMomentDoesNotEndAReload) {
  start_all();
  const std::string own = status("c")["listen"];
  TakenPort taken;
  std::string other = content(at("c", "agent.toml"));
  other.replace(other.find(own), own.size(), taken.address());
  folder.write("c/agent.toml", other);
  auto reloading = std::make_unique<RunningProgram>(
      std::vector<std::string>{"agent", "reload", "--agent", folder.path("c")}, folder.path("out"),
      folder.path("err"));
  ASSERT_TRUE(wait_until([&] { return contains(log(2), "trying again for 5 s"); })) << log(2);
  taken.free();
  EXPECT_EQ(reloading->end(0), 0) << content(folder.path("err")) << log(2);
  EXPECT_EQ(status("c")["listen"], taken.address());
}

// A service manager starts it again, because the port may become free.
TEST_F(Years, AnAgentWhosePortIsTakenAtItsStartEndsWithExitCode1) {
  const TakenPort taken;
  std::string config = content(at("c", "agent.toml"));
  const std::size_t listen = config.find("listen = \"") + 10;
  config.replace(listen, config.find('"', listen) - listen, taken.address());
  folder.write("c/agent.toml", config);
  const Output started = run_tacit({"agent", "--config", folder.path("c")});
  EXPECT_EQ(started.exit_code, 1);
  EXPECT_TRUE(
      contains(started.err, "cannot listen on " + taken.address() + ": another program uses the port"))
      << started.err;
}

// An agent that receives SIGTERM during a reload stops cleanly.
TEST_F(Years, StoppedInTheMiddleOfAReload) {
  start_all();
  folder.write("b/data.csv", rows(0, 200));
  agents[1]->send(SIGHUP);
  EXPECT_EQ(agents[1]->end(SIGTERM), 0);
  EXPECT_TRUE(contains(log(1), "\"stopped\"")) << log(1);
}

// nohup makes the program ignore SIGHUP.
TEST_F(Years, NohupHolds) {
  ::signal(SIGHUP, SIG_IGN);  // the program inherits this
  start(0);
  ::signal(SIGHUP, SIG_DFL);
  ASSERT_TRUE(wait_until([&] { return !status("a").is_null(); }));
  folder.write("a/data.csv", rows(0, 200));
  agents[0]->send(SIGHUP);
  EXPECT_EQ(status("a")["rows"], 25);
  EXPECT_EQ(reload("a").exit_code, 0);  // the command still works
  EXPECT_EQ(status("a")["rows"], 200);
}

class Refitting : public Years {
 protected:
  void SetUp() override {
    agreed.push_back("--allow-refits");
    policy += "\n[refit]\nevery = \"3s\"\n";
    Years::SetUp();
  }
};

// All four agents are due at the same time, and only one fit takes place each time.
TEST_F(Refitting, AgentsAskByThemselvesAndSettleOnOne) {
  start_all();
  ASSERT_TRUE(wait_until([&] {
    const Json now = status("a");
    return !now.is_null() && !now["model"].is_null() && now["model"]["version"] >= 2;
  })) << log(0);
  for (const std::string& name : names) EXPECT_FALSE(status(name)["refit"].is_null());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(agents[i]->end(SIGTERM), 0);
  std::string all;
  for (std::size_t i = 0; i < 4; ++i) all += log(i);
  const auto count = [&](const std::string& words) {
    std::size_t found = 0;
    for (std::size_t k = all.find(words); k != std::string::npos; k = all.find(words, k + 1)) ++found;
    return found;
  };
  const Json ledger = Json::parse(ask(0, {"ledger", "--json"}).out);
  std::size_t done = 0;
  for (const Json& run : ledger["runs"]) done += run["kind"] == "fit" && run["outcome"] == "done" ? 1 : 0;
  EXPECT_EQ(count("refit: done"), done);  // one agent asked for each fit
  EXPECT_GT(count("refit: another agent's fit came first"), 0u) << all;
}

TEST_F(Years, TheCharterMustAllowRefits) {
  folder.write("a/agent.toml", content(at("a", "agent.toml")) + "\n[refit]\nevery = \"1s\"\n");
  start_all();
  EXPECT_TRUE(contains(log(0), "the charter does not allow automatic fits"));
  EXPECT_TRUE(status("a")["refit"].is_null());
}

}  // namespace
}  // namespace tacit::testing
