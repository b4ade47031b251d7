// An agent's rows on several ranks give the same names, digests, snapshots and sums as in one process.
#include "tacit/agent/rows/rank_rows.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>

#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/agent/rows/snapshot.hpp"
#include "tacit/agent/work/run_handler_testing.hpp"
#include "tacit/consortium/standardise/column_jobs.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

using namespace testing;

class RowsOverRanks : public ::testing::Test {
 protected:
  PaperConsortium paper{4};
  AgentConfig config;

  void SetUp() override {
    config = config_of_b(paper, 101);
    std::filesystem::create_directories(config.state);
  }

  template <class Work>
  static void with_ranks(std::size_t ranks, const Work& work) {
    run_ranks(ranks, [&](Team& team) {
      if (!team.leads()) return serve_agent(team);
      RankHome home(team, 1);
      work(home);
    });
  }

  std::string name(const RowSet& rows) const { return name_of_rows(config.state, rows); }
  RowDigests digests(const RowSet& rows) const { return rows.digests(RowSalt(config.state)); }

  Snapshot settled(RowHome& home) {
    return settle_rows(config.state, paper.charter, home.read(config, paper.charter).rows, {}, 25, home);
  }
  std::vector<std::string> parts() const {
    std::vector<std::string> names;
    for (const auto& one : std::filesystem::directory_iterator(config.state))
      if (one.path().filename().string().starts_with("snapshot-")) names.push_back(one.path().filename());
    std::ranges::sort(names);
    return names;
  }

  // Names, digests, ranges and sums are those of one process.
  void expect_the_same(const RowSet& rows, const RowSet& alone) const {
    EXPECT_EQ(rows.here(), nullptr);
    EXPECT_EQ(rows.rows(), alone.rows());
    EXPECT_EQ(rows.inputs(), alone.inputs());
    EXPECT_EQ(rows.outputs(), alone.outputs());
    EXPECT_EQ(name(rows), name(alone));
    EXPECT_EQ(digests(rows), digests(alone));
    EXPECT_EQ(rows.ranges(), alone.ranges());
    const CommitteeOptions committee{.expert_rows = 7};
    const ColumnSumsJob job({{0, 120}, {0, 1}, {0, 1}, {-1.5, 346.25}});
    const auto crew = rows.crew(committee), other = alone.crew(committee);
    EXPECT_EQ(crew->experts(), other->experts());
    EXPECT_EQ(crew->add_up(job).sums, other->add_up(job).sums);
  }

  void expect_the_same_as_alone() {
    const FoundRows alone = home_here().read(config, paper.charter);
    for (const std::size_t ranks : {2, 3, 5})
      with_ranks(ranks, [&](RowHome& home) {
        const FoundRows found = home.read(config, paper.charter);
        EXPECT_EQ(found.dropped, alone.dropped);
        EXPECT_EQ(found.notes, alone.notes);
        EXPECT_TRUE(found.bad.empty());
        expect_the_same(*found.rows, *alone.rows);
        expect_the_same(*home.spread(*alone.rows->here()), *alone.rows);
      });
  }
};

TEST_F(RowsOverRanks, OfOneFileAreThoseOfOneProcess) {
  expect_the_same_as_alone();
  paper.folder.write("b.csv", rows_csv(2, 3));  // some ranks have no row
  expect_the_same_as_alone();
}

TEST_F(RowsOverRanks, OfAListOfFilesAreThoseOfOneProcess) {
  for (unsigned k = 0; k < 5; ++k)
    config.data.rows.more.push_back(paper.folder.write("more" + std::to_string(k), rows_csv(10 + k, k)));
  EXPECT_EQ(home_here().read(config, paper.charter).rows->rows(), 161u);
  expect_the_same_as_alone();
}

TEST_F(RowsOverRanks, OfAQueryByModulusAreThoseOfOneProcess) {
  sqlite3* base = nullptr;
  ASSERT_EQ(sqlite3_open((paper.folder.path / "rows.db").c_str(), &base), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(base,
                   "CREATE TABLE patients (id INTEGER, age REAL, sex TEXT, y REAL); WITH RECURSIVE n(i) AS "
                   "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 57) INSERT INTO patients SELECT i, "
                   "20 + i, CASE i % 3 WHEN 0 THEN 'f' ELSE 'm' END, 3.25 * i FROM n",
                   nullptr, nullptr, nullptr),
      SQLITE_OK);
  sqlite3_close(base);
  config.data.rows.file = "sqlite://" + (paper.folder.path / "rows.db").string();
  config.data.rows.sql =
      "SELECT age, sex AS \"sex \\ gender\", y FROM patients WHERE id % {shares} = {share} ORDER BY id";
  EXPECT_TRUE(says(refusal([&] { home_here().read(config, paper.charter); }),
                   "data.sql contains {share}; set the number of shares with data.shares"));
  config.data.rows.shares = 7;
  EXPECT_EQ(home_here().read(config, paper.charter).rows->rows(), 57u);
  expect_the_same_as_alone();
}

TEST_F(RowsOverRanks, AChangedCharterOrConfigurationIsUsed) {
  Charter narrow = paper.charter;
  narrow.inputs.at(0).high = 25;
  AgentConfig other = config;
  other.data.rows.file = paper.folder.write("other.csv", rows_csv(40, 5));
  with_ranks(3, [&](RowHome& home) {
    for (int time = 0; time < 2; ++time) {
      EXPECT_TRUE(home.read(config, paper.charter).bad.empty());
      EXPECT_FALSE(home.read(config, narrow).bad.empty());
      EXPECT_EQ(home.read(config, paper.charter).rows->rows(), 101u);
      EXPECT_EQ(home.read(other, paper.charter).rows->rows(), 40u);
    }
  });
}

TEST_F(RowsOverRanks, SnapshotsOutliveAnyNumberOfRanks) {
  const Rows alone = home_here().read(config, paper.charter).rows;
  with_ranks(3, [&](RowHome& home) {
    const Snapshot taken = settled(home);
    EXPECT_TRUE(taken.replaced);
    expect_the_same(*taken.rows, *alone);
    EXPECT_FALSE(settled(home).replaced);
  });
  EXPECT_EQ(parts().size(), 3u);
  paper.folder.write("b.csv", rows_csv(104, 3));  // too few new rows for a new snapshot
  for (const std::size_t ranks : {2, 4, 5})
    with_ranks(ranks, [&](RowHome& home) {
      const Snapshot kept = settled(home);
      EXPECT_FALSE(kept.replaced);
      EXPECT_EQ(kept.waiting.changes.came, 3u);
      expect_the_same(*kept.rows, *alone);
    });
  const Snapshot here = settled(home_here());
  EXPECT_FALSE(here.replaced);
  EXPECT_EQ(here.rows->here()->inputs, alone->here()->inputs);
  EXPECT_EQ(here.rows->here()->outputs, alone->here()->outputs);
}

TEST_F(RowsOverRanks, ANewSnapshotTakesThePlaceOfTheOldOne) {
  with_ranks(3, [&](RowHome& home) { settled(home); });
  const auto old = parts();
  std::ofstream(config.state / "snapshot-unfinished") << "left by a killed agent";
  paper.folder.write("b.csv", rows_csv(140, 3));
  with_ranks(2, [&](RowHome& home) {
    EXPECT_TRUE(settled(home).replaced);
    EXPECT_EQ(parts().size(), 2u);
  });
  for (const std::string& one : old) EXPECT_EQ(std::ranges::count(parts(), one), 0) << one;
  paper.folder.write("b.csv", rows_csv(170, 3));
  EXPECT_TRUE(settled(home_here()).replaced);
  EXPECT_TRUE(parts().empty());
  with_ranks(2, [&](RowHome& home) {  // the snapshot of a single process
    const Snapshot kept = settled(home);
    EXPECT_FALSE(kept.replaced);
    expect_the_same(*kept.rows, *home_here().read(config, paper.charter).rows);
  });
}

TEST_F(RowsOverRanks, ADamagedOrMissingPartIsNamed) {
  with_ranks(3, [&](RowHome& home) { settled(home); });
  const auto files = parts();
  std::filesystem::resize_file(config.state / files[1], 40);
  for (const std::size_t ranks : {1, 2, 3})
    with_ranks(ranks, [&](RowHome& home) {
      EXPECT_TRUE(says(refusal([&] { settled(home); }), files[1]));
      EXPECT_EQ(home.read(config, paper.charter).rows->rows(), 101u) << "the ranks remain usable";
    });
  std::filesystem::remove(config.state / files[1]);
  EXPECT_TRUE(says(refusal([&] { settled(home_here()); }),
                   files[1] + ": this part of the snapshot is missing on this machine"));
}

TEST_F(RowsOverRanks, BadCellsAreNamedByTheirLinesAndNotLogged) {
  std::string text = rows_csv(101, 3);
  text += "500.5,f,3,x\n";  // line 103
  config.data.rows.file = paper.folder.write("bad.csv", text);
  with_ranks(3, [&](RowHome& home) {
    const FoundRows found = home.read(config, paper.charter);
    ASSERT_EQ(found.bad.size(), 1u);
    EXPECT_TRUE(says(found.bad[0].text, "bad.csv, line 103, column \"age\": the cell \"500.5\" is outside"))
        << found.bad[0].text;
    EXPECT_TRUE(says(found.bad[0].quietly, "line 103"));
    EXPECT_FALSE(says(found.bad[0].quietly, "500.5"));
  });
  config.data.rows.file = paper.folder.write("bad.csv", text + "secretive,f,3,x\n");
  paper.charter.protocol.rows = 100;  // bad cells are reported before the number of rows
  config.charter = paper.folder.write("charter.toml", to_toml(paper.charter));
  with_ranks(3, [&](RowHome& home) {
    const Preflight report = preflight(config, Signing::awaited, home);
    std::string messages, logged;
    for (const Finding& one : report.findings) {
      messages += one.text + "\n";
      logged += one.log + "\n";
    }
    EXPECT_TRUE(says(messages, "line 104, column \"age\": the cell \"secretive\" is not a number"))
        << messages;
    EXPECT_TRUE(says(logged, "line 104, column \"age\": the cell is not a number")) << logged;
    EXPECT_FALSE(says(logged, "secretive")) << logged;
  });
}

TEST_F(RowsOverRanks, ASourceThatCannotBeSharedIsRefusedWithTheCure) {
  config.data.rows.file = paper.folder.write("a.csv", rows_csv(10, 1));
  config.data.rows.more = {paper.folder.write("b.csv", rows_csv(10, 2))};
  with_ranks(3, [&](RowHome& home) {
    EXPECT_TRUE(
        says(refusal([&] { home.read(config, paper.charter); }),
             "a.csv and 1 more: 2 files are fewer than the 3 ranks, and each rank reads whole files; start 2 "
             "ranks, or divide the data into more files (data.files)"));
  });
  paper.charter.protocol.rows = 19;
  with_ranks(2, [&](RowHome& home) {
    EXPECT_TRUE(
        says(refusal([&] { home.read(config, paper.charter); }), "a.csv and 1 more file: the data have 20"));
  });
}

}  // namespace
}  // namespace tacit
