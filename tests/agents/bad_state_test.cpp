// Agents whose keys, charter or state folder are wrong, damaged or on a full disk, with real processes: each
// problem is one sentence, and what can still work goes on.
#include <sched.h>
#include <sys/mount.h>

#include "agents_testing.hpp"

namespace tacit::testing {
namespace {

class BadState : public Consortium {
 protected:
  std::string state(const std::string& file) const { return at("b", "state/" + file); }
  // Stops agent b, changes its files, and starts it again.
  template <class Change>
  void restart_with(Change&& change) {
    EXPECT_EQ(agents[1]->end(SIGTERM), 0);
    change();
    start(1);
  }
  bool b_answers() {
    return wait_until([&] { return !status(1).is_null(); });
  }
  std::string notes() { return status(1)["notes"].dump(); }
  // Agent b answers at home, and refuses a fit.
  void expect_only_home(const std::string& why) {
    ASSERT_TRUE(b_answers()) << log(1);
    EXPECT_TRUE(contains(notes(), why)) << notes();
    ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3; })) << log(1);
    EXPECT_EQ(ask(1, {"predict", "--input", folder.path("points.csv")}).exit_code, 0);
    const Output own = ask(1, {"fit"});
    EXPECT_NE(own.exit_code, 0);
    EXPECT_TRUE(contains(own.err, why)) << own.err;
    const Output others = ask(0, {"fit"});
    EXPECT_EQ(others.exit_code, 1);
    EXPECT_TRUE(contains(others.err, "(b)") && contains(others.err, "its log has the reason")) << others.err;
  }
  void expect_fit() {
    ASSERT_TRUE(b_answers()) << log(1);
    ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3; })) << log(1);
    const Output fit = ask(0, {"fit"});
    EXPECT_EQ(fit.exit_code, 0) << fit.err;
  }
  void start_and_fit() {
    start_all();
    ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  }
};

TEST_F(BadState, KeysOfAnotherMemberAreRefused) {
  std::string config = content(at("a", "agent.toml"));
  config.replace(config.find("identity = \".\""), 14, "identity = \"../b\"");
  folder.write("a/agent.toml", config);
  const std::string why = "are those of b, but this agent listens on ";
  const Output check = run_tacit({"agent", "--config", folder.path("a"), "--check"});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_TRUE(contains(check.out, why) && contains(check.out, "set identity to the keys of a")) << check.out;
  const Output started = run_tacit({"agent", "--config", folder.path("a")});
  EXPECT_EQ(started.exit_code, 2);
  EXPECT_TRUE(contains(started.err, why)) << started.err;
}

// Behind a gateway, the address that an agent listens on shows nothing.
TEST_F(BadState, KeysOfAnotherMemberThanTheNameAreRefused) {
  std::string config = content(at("a", "agent.toml"));
  config.replace(config.find("identity = \".\""), 14, "name = \"a\"\nidentity = \"../b\"");
  const std::size_t listen = config.find("listen = \"") + 10;
  config.replace(listen, config.find('"', listen) - listen, "127.0.0.1:" + std::to_string(free_ports(1)[0]));
  folder.write("a/agent.toml", config);
  const std::string why = "are those of b, but agent.toml is that of a (name)";
  const Output check = run_tacit({"agent", "--config", folder.path("a"), "--check"});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_TRUE(contains(check.out, why)) << check.out;
  EXPECT_EQ(run_tacit({"agent", "--config", folder.path("a")}).exit_code, 2);
  config.replace(config.find("../b"), 4, ".");
  folder.write("a/agent.toml", config);
  EXPECT_EQ(run_tacit({"agent", "--config", folder.path("a"), "--check"}).exit_code, 0);
}

TEST_F(BadState, AnotherCharterWithTheSameNumberIsRefusedAtTheStart) {
  start_all();
  EXPECT_EQ(agents[1]->end(SIGTERM), 0);
  std::string charter = content(folder.path("charter.toml"));
  charter.replace(charter.find("title = \""), 9, "title = \"Not ");
  charter.resize(charter.find("[signatures]"));
  folder.write("charter.toml", charter);
  for (const std::string& name : names)
    ASSERT_EQ(run_tacit({"charter", "sign", folder.path("charter.toml"), "--identity", folder.path(name)})
                  .exit_code,
              0);
  const Output started = run_tacit({"agent", "--config", folder.path("b")});
  EXPECT_EQ(started.exit_code, 2);
  EXPECT_TRUE(contains(started.err, "is not charter number 1, ")) << started.err;
}

TEST_F(BadState, AnUnreadableLedgerEndsRunsAndIsNotReplaced) {
  start_and_fit();
  restart_with([&] {
    std::filesystem::rename(state("ledger.jsonl"), state("aside"));
    std::filesystem::create_directories(state("ledger.jsonl"));
  });
  expect_only_home("ledger.jsonl cannot be read: it is not a file");
  EXPECT_EQ(ask(1, {"ledger"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(state("ledger.jsonl.broken-1")));
  restart_with([&] {
    std::filesystem::remove(state("ledger.jsonl"));
    std::filesystem::rename(state("aside"), state("ledger.jsonl"));
  });
  expect_fit();
}

TEST_F(BadState, ADamagedSnapshotEndsRuns) {
  start_and_fit();
  std::string whole;
  restart_with([&] {
    whole = content(state("snapshot.tacit"));
    std::ofstream(state("snapshot.tacit"), std::ios::binary) << whole.substr(0, whole.size() / 2);
  });
  expect_only_home("snapshot.tacit");
  std::ofstream(state("snapshot.tacit"), std::ios::binary) << whole;
  EXPECT_EQ(ask(1, {"agent", "reload"}).exit_code, 0);  // without a restart
  expect_fit();
}

TEST_F(BadState, ADamagedJournalOrCopyOfTheCharterEndsRuns) {
  start_and_fit();
  for (const std::string file : {"journal/journal", "charter.toml"}) {
    std::string whole;
    restart_with([&] {
      whole = content(state(file));
      std::ofstream(state(file), std::ios::binary) << std::string(5000, 'x');
    });
    expect_only_home(file);
    std::ofstream(state(file), std::ios::binary) << whole;
    EXPECT_EQ(ask(1, {"agent", "reload"}).exit_code, 0) << log(1);
    ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3; })) << log(1);
  }
  expect_fit();
}

TEST_F(BadState, DamagedCountsAreNamedAndWorkGoesOn) {
  start_and_fit();
  restart_with([&] { std::ofstream(state("policy.json")) << "{"; });
  expect_fit();  // the policy has no limits
  EXPECT_TRUE(contains(notes(), "policy.json: the request counts are damaged")) << notes();
}

// The state folder of b is on a small disk of its own, in a mount namespace of this test.
class SmallDisk : public BadState {
 protected:
  bool mounted = false;

  void SetUp() override {
    BadState::SetUp();
    std::filesystem::create_directories(at("b", "state"));
    mounted = ::unshare(CLONE_NEWNS) == 0 &&
              ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
              ::mount("tmpfs", at("b", "state").c_str(), "tmpfs", 0, "size=4m,mode=0700") == 0;
    if (!mounted) GTEST_SKIP() << "this user cannot mount a disk";
  }
  void TearDown() override {
    agents.clear();
    if (mounted) ::umount2(at("b", "state").c_str(), MNT_DETACH);
  }
  void fill() {
    std::ofstream all(state("fill"), std::ios::binary);
    while (all.write(std::string(4096, 'x').data(), 4096).flush()) continue;
  }
};

TEST_F(SmallDisk, AFullOneEndsFitsAndAnswersAtHomeGoOn) {
  start_and_fit();
  fill();
  for (const bool restarted : {false, true}) {
    if (restarted) restart_with([] {});
    ASSERT_TRUE(b_answers()) << log(1);
    ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3 && neighbours_up(1) == 3; })) << log(1);
    const Output home = ask(1, {"predict", "--input", folder.path("points.csv")});
    EXPECT_EQ(home.exit_code, 0) << home.err;
    EXPECT_EQ(ask(0, {"fit"}).exit_code, 1);
    EXPECT_TRUE(contains(log(1), "No space left on device")) << log(1);
    EXPECT_EQ(ask(1, {"ledger", "--verify"}).exit_code, 0);
  }
  std::filesystem::remove(state("fill"));
  ASSERT_TRUE(wait_until([&] { return ask(0, {"fit"}).exit_code == 0; })) << log(1);
  EXPECT_EQ(status(1)["model"]["version"], 2);
}

TEST_F(SmallDisk, AReadOnlyOneIsNamedAndMayBeRepaired) {
  ASSERT_EQ(::mount(nullptr, at("b", "state").c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  const Output started = run_tacit({"agent", "--config", folder.path("b")});
  EXPECT_EQ(started.exit_code, 1);  // a service manager tries again
  EXPECT_TRUE(contains(started.err, "the state folder cannot be created or written: Read-only file system"))
      << started.err;
  ASSERT_EQ(::mount(nullptr, at("b", "state").c_str(), nullptr, MS_REMOUNT, "size=4m"), 0);
  start_and_fit();
}

}  // namespace
}  // namespace tacit::testing
