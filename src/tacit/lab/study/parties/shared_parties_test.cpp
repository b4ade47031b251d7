#include "tacit/lab/study/parties/shared_parties.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/lab/study/study.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

using testing::ScratchFolder;

// Two inputs, a remark with line breaks, and a target. Every tenth row has a missing cell.
std::string some_csv(int rows, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string text = "remark,a,b,y\n";
  for (int row = 0; row < rows; ++row) {
    const double a = static_cast<double>(random() % 2000) / 1000,
                 b = static_cast<double>(random() % 2000) / 700;
    text += fmt::format("\"row\n{}\",{},{},{}\n", row, row % 10 == 9 ? "" : fmt::format("{}", a), b,
                        std::sin(3 * a) + 0.2 * b);
  }
  return text;
}

PartyOptions asking(std::vector<std::filesystem::path> files) {
  PartyOptions options;
  options.data = std::move(files);
  options.targets = {"y"};
  options.inputs = {"a", "b"};
  options.agents = 3;
  options.reading.missing = Missing::drop;
  return options;
}

StudyOptions study() {
  StudyOptions options;
  options.topology = parse_topology("complete");
  options.model.standardise = true;
  options.model.committee.expert_rows = 20;
  options.threads = 1;
  return options;
}

// The study by this many ranks, with what rank 0 knows of the data.
std::pair<Parties, StudyReport> by_ranks(std::size_t ranks, const PartyOptions& options) {
  std::pair<Parties, StudyReport> found;
  run_ranks(ranks, [&](Team& team) {
    SharedParties shared = gather_parties(team, options, study().model.committee, 1);
    if (!team.leads()) return serve(team, std::move(shared.rows));
    const Leader leader(team, std::move(shared.rows));
    for (std::size_t agent = 0; agent < shared.parties.names.size(); ++agent) {
      shared.parties.elsewhere.readers.push_back(leader.rows(agent));
      shared.parties.elsewhere.crews.push_back(leader.crew(agent));
    }
    found.second = run_study(shared.parties, study());
    shared.parties.elsewhere.readers.clear();
    shared.parties.elsewhere.crews.clear();
    found.first = std::move(shared.parties);
  });
  return found;
}

void expect_same_study(const PartyOptions& options) {
  const Parties parties = gather_parties(options);
  const StudyReport alone = run_study(parties, study());
  for (std::size_t ranks : {2, 3}) {
    const auto [known, found] = by_ranks(ranks, options);
    EXPECT_EQ(known.names, parties.names);
    EXPECT_EQ(known.test.inputs, parties.test.inputs);
    EXPECT_EQ(known.test.outputs, parties.test.outputs);
    EXPECT_EQ(known.test.lines, parties.test.lines);
    EXPECT_EQ(known.target_range.low, parties.target_range.low);
    EXPECT_EQ(known.target_range.high, parties.target_range.high);
    ASSERT_EQ(known.files.size(), parties.files.size());
    for (std::size_t f = 0; f < parties.files.size(); ++f) {
      EXPECT_EQ(known.files[f].name, parties.files[f].name);
      EXPECT_EQ(known.files[f].rows, parties.files[f].rows);
      EXPECT_EQ(known.files[f].dropped, parties.files[f].dropped);
    }
    EXPECT_EQ(found.model.experts, alone.model.experts);
    ASSERT_EQ(found.predictions.together.size(), alone.predictions.together.size());
    for (std::size_t i = 0; i < alone.predictions.together.size(); ++i) {
      EXPECT_EQ(found.predictions.together[i].mean, alone.predictions.together[i].mean) << ranks;
      EXPECT_EQ(found.predictions.together[i].latent_variance, alone.predictions.together[i].latent_variance)
          << ranks;
    }
    EXPECT_EQ(found.accuracy->pooled->rmse, alone.accuracy->pooled->rmse);
    EXPECT_EQ(found.network.cost.bytes, alone.network.cost.bytes);
  }
}

TEST(SharedParties, OneFileByPartsGivesTheBitsOfOneProcess) {
  const ScratchFolder folder;
  expect_same_study(asking({folder.write("all.csv", some_csv(300))}));
  PartyOptions shuffled = asking({folder.path / "all.csv"});
  shuffled.split = SplitMode::shuffled;
  expect_same_study(shuffled);
}

TEST(SharedParties, ATestInAFileOfItsOwnGivesTheBitsOfOneProcess) {
  const ScratchFolder folder;
  PartyOptions options = asking({folder.write("all.csv", some_csv(200))});
  options.test = folder.write("test.csv", some_csv(20, 7));
  expect_same_study(options);
}

TEST(SharedParties, FilesGiveTheBitsOfOneProcess) {
  const ScratchFolder folder;
  PartyOptions one_each =
      asking({folder.write("a.csv", some_csv(90, 1)), folder.write("b.csv", some_csv(70, 2)),
              folder.write("c.csv", some_csv(80, 3))});
  expect_same_study(one_each);
  one_each.parts = true;
  expect_same_study(one_each);
}

std::string refused(std::size_t ranks, const PartyOptions& options) {
  std::string words;
  try {
    run_ranks(ranks, [&](Team& team) {
      try {
        gather_parties(team, options, study().model.committee, 1);
        ADD_FAILURE() << "rank " << team.rank() << " continued";
      } catch (const InputError& e) {
        if (!team.leads()) return;
        words = e.what();
      }
    });
  } catch (const Error& e) {
    ADD_FAILURE() << e.what();
  }
  return words;
}

TEST(SharedParties, WhatOneRankRefusesAllRefuse) {
  const ScratchFolder folder;
  PartyOptions options = asking({folder.write("bad.csv", some_csv(100) + "late,one,2,3\n")});
  EXPECT_NE(refused(3, options).find("line 202"), std::string::npos) << refused(3, options);
}

TEST(SharedParties, BadCellsAreCountedOverAllRanks) {
  const ScratchFolder folder;
  std::string text = "a,b,y\n";
  for (int row = 0; row < 400; ++row)
    text += fmt::format("{},{},{}\n", row % 6 == 5 ? "what" : "1.5", row > 300 ? "x" : "2", row);
  const PartyOptions options = asking({folder.write("bad.csv", text)});
  std::string alone;
  try {
    gather_parties(options);
  } catch (const InputError& e) {
    alone = e.what();
  }
  EXPECT_NE(alone.find("66 cells are not numbers"), std::string::npos) << alone;
  EXPECT_EQ(refused(3, options), alone);
}

TEST(SharedParties, WhatNoRankCanSeeIsRefused) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder.write("all.csv", some_csv(100));
  PartyOptions by = asking({file});
  by.split = SplitMode::by_column;
  by.split_column = "remark";
  by.agents.reset();
  EXPECT_NE(refused(2, by).find("`split=contiguous`"), std::string::npos) << refused(2, by);
  PartyOptions levels = asking({file});
  levels.reading.categorical = {{"b", {}}};
  EXPECT_NE(refused(2, levels).find("name those of 'b'"), std::string::npos) << refused(2, levels);
  EXPECT_NE(refused(2, asking({folder.path / "none.csv"})).find("there is no such file"), std::string::npos);
  EXPECT_NE(refused(2, asking({folder.write("empty.csv", "")})).find("empty.csv: the file is empty"),
            std::string::npos);
  PartyOptions whole = asking({file, file});
  whole.parts = true;
  EXPECT_NE(refused(3, whole).find("2 files are fewer than the 3 ranks, and each rank reads whole files"),
            std::string::npos)
      << refused(3, whole);
  PartyOptions query = asking({"sqlite://" + (folder.path / "rows.db").string()});
  query.reading.sql = "SELECT a, b, y FROM t WHERE id % {shares} = {share}";
  query.shares = 2;
  EXPECT_NE(refused(3, query).find("2 shares are fewer than the 3 ranks"), std::string::npos)
      << refused(3, query);
}

}  // namespace
}  // namespace tacit
