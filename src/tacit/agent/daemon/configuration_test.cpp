// Reloading an agent's files.
#include "tacit/agent/daemon/configuration.hpp"

#include <gtest/gtest.h>

#include "tacit/agent/daemon/served_charter.hpp"
#include "tacit/agent/work/run_handler_testing.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/charter/amend.hpp"

namespace tacit {
namespace {

using namespace testing;

class Reloading : public ::testing::Test {
 protected:
  PaperConsortium paper{4};
  AgentConfig config;

  void SetUp() override {
    paper.sign_all();
    config = config_of_b(paper, 40);
  }
  Configuration first() { return load_configuration(config, preflight(config)); }
  ReloadedConfiguration again(const Configuration& now) {
    return reload_configuration(now, config, preflight(config));
  }

  // Replaces the charter by a successor that all have signed.
  void amend(const std::string& field, const std::string& value) {
    Amendment changes;
    changes.settings = {{field, value}};
    paper.charter = amended(paper.charter, changes);
    paper.sign_all();
    paper.folder.write("charter.toml", to_toml(paper.charter));
  }
  static bool any_says(const std::vector<std::string>& all, const std::string& words) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& one) { return says(one, words); });
  }
};

TEST_F(Reloading, NothingNewIsNothingToDo) {
  const Configuration now = first();
  const ReloadedConfiguration same = again(now);
  EXPECT_FALSE(same.next);
  EXPECT_TRUE(same.words.empty());
}

TEST_F(Reloading, SettingsRowsAndChartersEachBeginAnew) {
  Configuration now = first();
  config.policy.fewest = 4;
  ReloadedConfiguration next = again(now);
  ASSERT_TRUE(next.next);
  EXPECT_TRUE(any_says(next.words, "agent.toml has changed"));
  now = std::move(*next.next);

  paper.folder.write("b.csv", rows_csv(43, 3));
  next = again(now);
  EXPECT_FALSE(next.next);
  EXPECT_TRUE(says(next.waiting, "3 rows were added and 0 rows removed")) << next.waiting;
  paper.folder.write("b.csv", rows_csv(70, 3));
  next = again(now);
  ASSERT_TRUE(next.next);
  EXPECT_EQ(next.next->material.data->rows(), 70u);
  EXPECT_EQ(next.waiting, "");
  now = std::move(*next.next);
  EXPECT_FALSE(previous_charter(config.state));

  amend("timeouts.gather", "40");
  next = again(now);
  ASSERT_TRUE(next.next);
  EXPECT_EQ(charter_hash(previous_charter(config.state).value()), charter_hash(now.material.charter));
  EXPECT_TRUE(any_says(next.words, "charter number 2, "));
  EXPECT_TRUE(any_says(next.words, "charter: timeout, gather: 40 instead of 20"));
  EXPECT_EQ(next.next->material.charter.number, 2u);
}

// The charter of the folder is not the one that the agent runs with if its snapshot could not be read.
TEST_F(Reloading, TheCharterThatWasServedIsKeptAfterAStartAtHome) {
  const Charter old = first().material.charter;
  const auto file = config.state / "snapshot.tacit";
  const std::string intact = read_whole(file);
  write_whole(file, "damaged", 0600);
  amend("timeouts.gather", "40");
  const Configuration at_home = first();
  EXPECT_NE(at_home.material.only_home, "");
  EXPECT_FALSE(previous_charter(config.state));
  write_whole(file, intact, 0600);
  ASSERT_TRUE(again(at_home).next);
  EXPECT_EQ(charter_hash(previous_charter(config.state).value()), charter_hash(old));
  EXPECT_EQ(read_whole(config.state / "charter.toml"), to_toml(paper.charter));
}

TEST_F(Reloading, AMissedStepIsReported) {
  const Configuration now = first();
  amend("timeouts.gather", "40");
  amend("timeouts.gather", "50");
  const ReloadedConfiguration next = again(now);
  ASSERT_TRUE(next.next);
  EXPECT_EQ(next.next->material.charter.number, 3u);
  EXPECT_TRUE(any_says(next.words, "which is not its direct predecessor"));
}

TEST_F(Reloading, WhatCannotBeIsRefusedInOneSentence) {
  const Charter old = paper.charter;
  const Configuration now = first();
  AgentConfig moved = config;
  moved.state = paper.folder.path / "elsewhere";
  EXPECT_TRUE(says(refusal([&] { reload_configuration(now, moved, preflight(moved)); }),
                   "cannot change while the agent"));
  paper.charter.title = "Another consortium";
  paper.sign_all();
  paper.folder.write("charter.toml", to_toml(paper.charter));
  EXPECT_TRUE(says(refusal([&] { again(now); }), "is not a successor of charter number 1"));
  // A folder that has served a later charter does not go back automatically.
  paper.charter = old;
  amend("timeouts.gather", "40");
  first();
  paper.folder.write("charter.toml", to_toml(old));
  EXPECT_TRUE(says(refusal([&] { first(); }), "this agent has already served number 2"));
}

TEST_F(Reloading, AnotherCharterWithTheSameNumberIsRefusedAtAStartToo) {
  first();
  const Charter old = paper.charter;
  paper.charter.title = "Another consortium";
  paper.sign_all();
  paper.folder.write("charter.toml", to_toml(paper.charter));
  const std::string message = refusal([&] { first(); });
  EXPECT_TRUE(says(message, "is not charter number 1, ")) << message;
  EXPECT_TRUE(says(message, "Use another state folder for another consortium")) << message;
  paper.folder.write("charter.toml", to_toml(old));
  EXPECT_EQ(first().material.charter.title, old.title);
}

TEST_F(Reloading, ADamagedCopyOfTheCharterEndsRunsOnly) {
  first();
  const std::string intact = read_whole(config.state / "charter.toml");
  write_whole(config.state / "charter.toml", "agents = [");
  const Configuration now = first();
  EXPECT_TRUE(says(now.material.only_home,
                   "is the copy of the charter that this agent has served, and it is damaged"))
      << now.material.only_home;
  EXPECT_EQ(now.material.data->rows(), 40u);
  EXPECT_EQ(read_whole(config.state / "charter.toml"), "agents = [");
  EXPECT_TRUE(says(refusal([&] { again(now); }), "it is damaged"));
  const Charter old = paper.charter;
  amend("timeouts.gather", "40");
  write_whole(config.state / "charter.toml", to_toml(paper.charter));  // a later one is restored
  paper.folder.write("charter.toml", to_toml(old));
  EXPECT_TRUE(says(refusal([&] { again(now); }), "this agent has already served number 2"));
  write_whole(config.state / "charter.toml", intact);
  const ReloadedConfiguration next = again(now);
  ASSERT_TRUE(next.next);
  EXPECT_EQ(next.next->material.only_home, "");
}

TEST_F(Reloading, ADamagedJournalEndsRunsOnly) {
  first();
  const auto folder = journal_folder(config.state, paper.charter);
  std::filesystem::create_directories(folder);
  write_whole(folder / "journal", std::string(5000, 'x'));
  const Configuration now = first();
  EXPECT_TRUE(
      says(now.material.only_home, "the journal " + (folder / "journal").string() + " cannot be used"))
      << now.material.only_home;
  EXPECT_NE(error_of<Error>([&] { again(now); }), "");
  std::filesystem::remove(folder / "journal");
  const ReloadedConfiguration next = again(now);
  ASSERT_TRUE(next.next);
  EXPECT_EQ(next.next->material.only_home, "");
}

// An error of the system, not of Tacit.
TEST_F(Reloading, AStateFolderThatCannotBeSearchedEndsRunsOnly) {
  first();
  std::filesystem::remove(config.state / "charter.toml");
  std::filesystem::create_symlink("charter.toml", config.state / "charter.toml");  // a loop
  const Configuration now = first();
  EXPECT_NE(now.material.only_home, "");
  std::filesystem::remove(config.state / "charter.toml");
  EXPECT_EQ(again(now).next.value().material.only_home, "");
}

// The agent can still answer at home.
TEST_F(Reloading, ADamagedSnapshotEndsRunsOnly) {
  EXPECT_EQ(first().material.only_home, "");
  const auto file = config.state / "snapshot.tacit";
  const std::string intact = read_whole(file);
  std::string damaged = intact;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  write_whole(file, damaged, 0600);
  const Configuration now = first();
  EXPECT_TRUE(says(now.material.only_home, "snapshot.tacit")) << now.material.only_home;
  EXPECT_TRUE(says(now.material.only_home, "restore it from a backup"));
  EXPECT_EQ(now.material.data->rows(), 40u);
  EXPECT_EQ(read_whole(file), damaged);
  EXPECT_FALSE(refusal([&] { again(now); }).empty());  // a reload changes nothing
  write_whole(file, intact, 0600);
  const ReloadedConfiguration next = again(now);
  ASSERT_TRUE(next.next);
  EXPECT_EQ(next.next->material.only_home, "");
  EXPECT_TRUE(any_says(next.words, "the state folder can be used again"));
}

TEST_F(Reloading, TheStateFolderRemembersItsMember) {
  first();
  EXPECT_EQ(read_whole(config.state / "member"), "agent-b\n");
}

TEST_F(Reloading, ADamagedPreviousCharterIsOnlyLogged) {
  const Configuration now = first();
  std::string log;
  const auto served = [&] {
    return served_charter(now.material, [&](LogLevel, const std::string& text) { log += text; });
  };
  EXPECT_FALSE(served().before);
  EXPECT_EQ(log, "");
  Charter other = now.material.charter;
  other.title = "The one before";
  write_whole(config.state / "charter-before.toml", to_toml(other));
  EXPECT_EQ(served().before.value().title, "The one before");
  EXPECT_EQ(charter_hash(served().charter), charter_hash(now.material.charter));
  write_whole(config.state / "charter-before.toml", "not a charter");
  EXPECT_FALSE(served().before);
  EXPECT_TRUE(says(log, "the page does not show what changed since the previous charter"));
}

TEST_F(Reloading, LaterChartersHaveJournalsOfTheirOwn) {
  const auto before = journal_folder("/s", paper.charter);
  EXPECT_EQ(before, "/s/journal");
  amend("timeouts.gather", "40");
  const auto second = journal_folder("/s", paper.charter);
  EXPECT_EQ(second.parent_path(), before);
  amend("timeouts.gather", "50");
  EXPECT_NE(journal_folder("/s", paper.charter), second);
}

}  // namespace
}  // namespace tacit
