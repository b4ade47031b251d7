#include "tacit/agent/rows/snapshot.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tacit/base/system/files.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using testing::PaperConsortium;
using testing::refusal;
using testing::says;

class Snapshots : public ::testing::Test {
 protected:
  PaperConsortium paper{3};
  std::filesystem::path folder = paper.folder.path / "state";

  void SetUp() override { std::filesystem::create_directories(folder); }

  // Rows `first` to `last` - 1, all different.
  static Samples rows(int first, int last) {
    Samples out;
    const Index count = std::max(0, last - first);
    out.inputs.resize(count, 3);
    out.outputs.resize(count, 1);
    for (Index r = 0; r < count; ++r) {
      out.inputs.row(r) << 20 + 0.1 * static_cast<double>(first + r), 1, 0;
      out.outputs(r, 0) = first + static_cast<double>(r);
    }
    return out;
  }
  Snapshot settle(const Samples& now, const Samples& holdout = {}, std::size_t fewest = 25) {
    return settle_rows(folder, paper.charter, rows_here(now), holdout, fewest);
  }
  static Index count(const Snapshot& snapshot) { return static_cast<Index>(snapshot.rows->rows()); }
  static std::string words(const Snapshot& snapshot) {
    std::string all;
    for (const std::string& one : snapshot.words) all += one + "\n";
    return all;
  }
};

TEST_F(Snapshots, AFewNewRowsWaitUntilThereAreEnough) {
  EXPECT_TRUE(settle(rows(0, 100)).replaced);
  const Snapshot same = settle(rows(0, 100));
  EXPECT_FALSE(same.replaced);
  EXPECT_TRUE(same.words.empty());
  const Snapshot three = settle(rows(0, 103));
  EXPECT_FALSE(three.replaced);
  EXPECT_EQ(count(three), 100);
  EXPECT_EQ(three.waiting.changes.came, 3u);
  EXPECT_EQ(three.waiting.changes.went, 0u);
  EXPECT_TRUE(says(words(three), "3 rows were added and 0 rows removed since ")) << words(three);
  EXPECT_TRUE(says(words(three), "a new snapshot requires 25 (policy.fewest_new_rows)"));
  EXPECT_FALSE(settle(rows(0, 124)).replaced);
  const Snapshot enough = settle(rows(0, 125));
  EXPECT_TRUE(enough.replaced);
  EXPECT_EQ(count(enough), 125);
  EXPECT_FALSE(enough.waiting.changes.any());
  EXPECT_FALSE(settle(rows(1, 125)).replaced);  // a removed row also counts
  EXPECT_TRUE(settle(rows(1, 125), {}, 1).replaced);
}

TEST_F(Snapshots, OrderMeansNothing) {
  Samples all = rows(0, 50);
  const Snapshot first = settle(all);
  Samples reversed{all.inputs.colwise().reverse(), all.outputs.colwise().reverse()};
  const Snapshot again = settle(reversed);
  EXPECT_FALSE(again.replaced);
  EXPECT_FALSE(again.waiting.changes.any());
  EXPECT_EQ(again.rows->here()->inputs, first.rows->here()->inputs);  // the order of the snapshot is kept
  EXPECT_EQ(again.taken_at, first.taken_at);
}

// Thirteen corrected rows count as thirteen patients, although 26 rows differ.
TEST_F(Snapshots, ACorrectedRowIsOnePatient) {
  settle(rows(0, 100));
  Samples corrected = rows(0, 100);
  for (Index r = 0; r < 13; ++r) corrected.outputs(r, 0) += 0.5;
  const Snapshot kept = settle(corrected);
  EXPECT_FALSE(kept.replaced);
  EXPECT_EQ(kept.waiting.changes.came, 13u);
  EXPECT_EQ(kept.waiting.changes.went, 13u);
}

// Many rows change, then all but three change back: fits on the two snapshots would reveal these three.
TEST_F(Snapshots, EarlierSnapshotsCountToo) {
  settle(rows(0, 100));
  EXPECT_TRUE(settle(rows(0, 140)).replaced);
  const Snapshot near = settle(rows(0, 103));
  EXPECT_FALSE(near.replaced);
  EXPECT_EQ(count(near), 140);
  EXPECT_TRUE(says(words(near), "only 3 rows were added and 0 rows removed since the earlier one of "))
      << words(near);
  EXPECT_TRUE(settle(rows(0, 100)).replaced);  // the identical old rows reveal nothing new
}

TEST_F(Snapshots, HeldOutRowsAreJudgedByThemselves) {
  settle(rows(0, 100), rows(200, 230));
  const Snapshot more = settle(rows(0, 130), rows(200, 233));
  EXPECT_EQ(count(more), 130);
  EXPECT_EQ(more.holdout.inputs.rows(), 30);
  EXPECT_TRUE(more.replaced);
  EXPECT_EQ(more.holdout_waiting.changes.came, 3u);
  EXPECT_FALSE(more.waiting.changes.any());
}

// A score without and a score with three held-out rows reveal these three.
TEST_F(Snapshots, TheFirstHeldOutRowsWaitToo) {
  settle(rows(0, 100));
  EXPECT_EQ(settle(rows(0, 100), rows(200, 203)).holdout.inputs.rows(), 0);
  EXPECT_EQ(settle(rows(0, 100), rows(200, 225)).holdout.inputs.rows(), 25);
}

TEST_F(Snapshots, ASnapshotThatIsGoneIsNotForgotten) {
  settle(rows(0, 100));
  std::filesystem::remove(folder / "snapshot.tacit");
  const std::string message = refusal([&] { settle(rows(0, 103)); });
  EXPECT_TRUE(says(message, "3 rows were added and 0 rows removed since ")) << message;
  EXPECT_TRUE(says(message, "Restore snapshot.tacit")) << message;
  EXPECT_EQ(count(settle(rows(0, 100))), 100);  // identical rows reveal nothing
  std::filesystem::remove(folder / "snapshot.tacit");
  EXPECT_EQ(count(settle(rows(0, 130))), 130);
}

TEST_F(Snapshots, TheSameRowsRoundedAreSuspected) {
  settle(rows(0, 100));
  Samples rounded = rows(0, 103);
  rounded.inputs.col(0).array() += 0.001;
  EXPECT_TRUE(says(words(settle(rounded)), "if these are the same patients in another format"));
}

TEST_F(Snapshots, OtherColumnsOrTighterRangesNeedNewRows) {
  settle(rows(0, 100));
  paper.charter.inputs[0].high = 200;
  EXPECT_FALSE(settle(rows(0, 101)).replaced);  // wider ranges change nothing
  paper.charter.inputs[0].high = 25;
  const Snapshot narrow = settle(rows(0, 40));
  EXPECT_TRUE(narrow.replaced);
  EXPECT_TRUE(says(words(narrow), "policy") || says(words(narrow), "took a new snapshot of 40 rows"));
  paper.charter.inputs[0].name = "years";
  const Snapshot other = settle(rows(0, 41));
  EXPECT_TRUE(says(words(other), "the charter's columns have changed"));
  EXPECT_EQ(count(other), 41);
}

TEST_F(Snapshots, NamesAreSaltedAndLast) {
  const std::string name = name_of_rows(folder, *rows_here(rows(0, 10)));
  EXPECT_EQ(name_of_rows(folder, *rows_here(rows(0, 10))), name);
  EXPECT_NE(name_of_rows(folder, *rows_here(rows(0, 11))), name);
  const auto elsewhere = paper.folder.path / "other";
  std::filesystem::create_directories(elsewhere);
  EXPECT_NE(name_of_rows(elsewhere, *rows_here(rows(0, 10))), name);
}

TEST_F(Snapshots, FilesAreTheOwnersAloneAndDamageIsNamed) {
  settle(rows(0, 100));
  for (const char* name : {"snapshot.tacit", "snapshots.tacit", "rows-salt"}) {
    const auto mode = std::filesystem::status(folder / name).permissions();
    EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write) << name;
  }
  std::string text = read_whole(folder / "snapshot.tacit");
  text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
  write_whole(folder / "snapshot.tacit", text, 0600);
  const std::string message = refusal([&] { settle(rows(0, 100)); });
  EXPECT_TRUE(says(message, "snapshot.tacit")) << message;
  EXPECT_TRUE(says(message, "restore it from a backup")) << message;
}

}  // namespace
}  // namespace tacit
