#include "tacit/ranks/by_ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

constexpr CommitteeOptions small{.expert_rows = 20, .split = RowSplit::random, .seed = 3};

Samples some_waves(Index rows) {
  Samples all{Matrix(rows, 2), Matrix(rows, 1)};
  for (Index row = 0; row < rows; ++row) {
    const double at = static_cast<double>(row);
    all.inputs.row(row) << std::fmod(0.37 * at, 5), std::fmod(1.93 * at, 3);
    all.outputs(row, 0) = std::sin(all.inputs(row, 0)) + all.inputs(row, 1) / 3;
  }
  return all;
}

// A rank's part of the rows. With more than two ranks, the last rank has none.
Samples part_of(const Samples& all, const Team& team) {
  const std::size_t parts = team.size() > 2 ? team.size() - 1 : team.size();
  if (team.rank() == parts) return {};
  const Index rows = all.inputs.rows(), ranks = static_cast<Index>(parts),
              rank = static_cast<Index>(team.rank());
  const Index first = rows * rank / ranks, count = rows * (rank + 1) / ranks - first;
  return {all.inputs.middleRows(first, count), all.outputs.middleRows(first, count)};
}

TEST(ByRanks, RowsOfAllRanksGiveTheBitsOfOneProcess) {
  const Samples all = some_waves(230);
  const Prior prior(se({1.0, 2.0}), 0.2);
  const Matrix at = all.inputs.topRows(3);
  const Fusion rule = Fusion::rbcm;
  const BlasThreads one_each(1);  // as in by_ranks
  const Committee alone(all.inputs, all.outputs, small);
  const Likelihood expected = alone.likelihood(prior, 0, 1);
  const Committee::PointEvidence expected_evidence = alone.evidence(prior, 0, 1, at, std::span(&rule, 1));
  for (std::size_t ranks : {1, 2, 3, 5}) {
    int led = 0;
    run_ranks(ranks, [&](Team& team) {
      by_ranks(
          team, [&] { return part_of(all, team); }, small,
          [&](const std::shared_ptr<const Crew>& crew) {
            ++led;
            EXPECT_TRUE(team.leads());
            EXPECT_EQ(crew->rows(), 230u);
            const Committee rows(crew);
            const Likelihood found = rows.likelihood(prior, 0, 1);
            EXPECT_EQ(found.value, expected.value) << ranks;
            EXPECT_EQ(found.slopes, expected.slopes) << ranks;
            const Committee::PointEvidence by_all = rows.evidence(prior, 0, 1, at, std::span(&rule, 1));
            EXPECT_EQ(by_all.evidence[0].weighted_mean, expected_evidence.evidence[0].weighted_mean) << ranks;
            EXPECT_EQ(by_all.evidence[0].precision, expected_evidence.evidence[0].precision) << ranks;
          });
    });
    EXPECT_EQ(led, 1);
  }
}

// The error on all ranks if one of three ranks has wrong rows. Rank 0 must not lead then.
std::string refused(const std::function<Samples(const Team&)>& own, const CommitteeOptions& how = small) {
  std::string words;
  run_ranks(3, [&](Team& team) {
    try {
      by_ranks(
          team, [&] { return own(team); }, how, [](const auto&) { ADD_FAILURE() << "rank 0 leads"; });
      ADD_FAILURE() << "rank " << team.rank() << " continued";
    } catch (const InputError& e) {
      if (team.leads()) words = e.what();
    }
  });
  return words;
}

TEST(ByRanks, WhatIsWrongOnOneRankAllThrow) {
  const Samples all = some_waves(60);
  EXPECT_EQ(refused([&](const Team& team) {
              if (team.rank() == 1) throw InputError("the disk of this rank is empty");
              return part_of(all, team);
            }),
            "the disk of this rank is empty");
  const std::string bad_cell = refused([&](const Team& team) {
    Samples own = part_of(all, team);
    if (team.rank() == 1) own.outputs(4, 0) = NAN;
    return own;
  });
  EXPECT_NE(bad_cell.find("(rank 1)"), std::string::npos) << bad_cell;
  const std::string narrow = refused([&](const Team& team) {
    Samples own = part_of(all, team);
    if (team.rank() == 1) own.inputs = own.inputs.leftCols(1).eval();
    return own;
  });
  EXPECT_NE(narrow.find("rank 1 has 1 inputs"), std::string::npos) << narrow;
  EXPECT_NE(refused([](const Team&) { return Samples(); }).find("no rank has any rows"), std::string::npos);
  const std::string clusters = refused([&](const Team& team) { return part_of(all, team); },
                                       {.expert_rows = 20, .split = RowSplit::clusters, .seed = 1});
  EXPECT_NE(clusters.find("clusters"), std::string::npos) << clusters;
}

TEST(ByRanks, WhatTheLeaderThrowsEndsTheOthersToo) {
  const Samples all = some_waves(60);
  std::atomic<int> ended = 0;
  EXPECT_THROW(run_ranks(3,
                         [&](Team& team) {
                           by_ranks(
                               team, [&] { return part_of(all, team); }, small,
                               [](const auto&) { throw InputError("enough"); });
                           ++ended;
                         }),
               InputError);
  EXPECT_EQ(ended, 2);
}

TEST(ByRanks, ExpertsThatNoRankHasAreRefused) {
  const Samples all = some_waves(60);
  const Fusion rule = Fusion::poe;
  run_ranks(2, [&](Team& team) {
    by_ranks(
        team, [&] { return part_of(all, team); }, small,
        [&](const std::shared_ptr<const Crew>& crew) {
          const Committee rows(crew);
          const std::vector<Expert> none = rows.make_experts(Prior(se(), 0.1), 0, 1);
          EXPECT_TRUE(none.empty());
          EXPECT_THROW(rows.evidence(none, all.inputs, std::span(&rule, 1)), InputError);
        });
  });
}

}  // namespace
}  // namespace tacit
