#include "tacit/ranks/rank_crew.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/standardise/column_jobs.hpp"
#include "tacit/gp/expert/expert_jobs.hpp"
#include "tacit/ranks/held_rows.hpp"
#include "tacit/ranks/job_file.hpp"
#include "tacit/ranks/team/message.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

Samples some_rows_of(Index rows, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> cell(-1, 1);
  Samples all{Matrix(rows, 2), Matrix(rows, 2)};
  for (Matrix* part : {&all.inputs, &all.outputs})
    for (double& number : part->reshaped()) number = cell(random);
  return all;
}

std::vector<std::uint32_t> rank_of_rows(std::size_t ranks, std::size_t party, std::size_t rows,
                                        const CommitteeOptions& committee) {
  return experts_of_rank(0, ranks, party, rows, committee).rank_of;
}

struct Case {
  std::vector<Samples> parties;
  CommitteeOptions committee{.expert_rows = 7};

  // The parties' crews on one rank, which holds only the rows that its experts need.
  std::vector<Held> here(const Team& team) const {
    std::vector<Held> all;
    for (std::size_t p = 0; p < parties.size(); ++p) {
      const auto rows = static_cast<std::size_t>(parties[p].inputs.rows());
      const std::vector<std::uint32_t> rank = rank_of_rows(team.size(), p, rows, committee);
      const std::vector<Index> own = rows_of_rank(rank, team.rank());
      Samples mine{parties[p].inputs(own, Eigen::all), parties[p].outputs(own, Eigen::all)};
      const auto held = held_rows(rows, own, std::move(mine));
      all.push_back({held, rank, crew_of_threads(held, committee, 2)});
    }
    return all;
  }

  // Calls `use` on rank 0 with a crew for each party over that many ranks.
  template <class Use>
  void over_ranks(std::size_t ranks, const Use& use) const {
    run_ranks(ranks, [&](Team& team) {
      if (!team.leads()) return serve(team, here(team));
      const Leader leader(team, here(team));
      std::vector<std::shared_ptr<const Crew>> crews;
      for (std::size_t p = 0; p < parties.size(); ++p) crews.push_back(leader.crew(p));
      use(crews);
    });
  }
};

Case usual() {
  Case made;
  for (unsigned p = 0; p < 3; ++p) made.parties.push_back(some_rows_of(std::array{900, 60, 5}[p], p + 1));
  return made;
}

std::shared_ptr<const RowUnits> some_units() {
  return std::make_shared<const RowUnits>(RowUnits{{Vector::Constant(2, 0.3), Vector::Constant(2, 1.7)},
                                                   {Vector::Zero(2), Vector::Constant(2, 0.7)}});
}

// Jobs of every kind.
std::vector<std::unique_ptr<const Job>> all_jobs() {
  const Prior prior =
      checked_prior({parse_kernel("matern52-ard(lengthscale=[0.4,0.7],signal=1.1) + linear"), 0.3}, 2);
  const Samples few = some_rows_of(6, 9);
  auto landmarks = std::make_shared<const Landmarks>(few.inputs, prior.kernel);
  LandmarkSums sums(6, 1);
  const Samples more = some_rows_of(20, 10);
  add_landmark_sums(sums, more.inputs, more.outputs.leftCols(1), prior, *landmarks);
  auto pooled = std::make_shared<const PooledPart>(landmarks, sums.precision, sums.weighted);
  const std::vector<ColumnRange> ranges(4, {-3, 3});
  const std::vector<ColumnRange> inputs(2, {-3, 3});
  std::vector<std::unique_ptr<const Job>> jobs;
  jobs.push_back(std::make_unique<ColumnSumsJob>(ranges));
  jobs.push_back(std::make_unique<ColumnSumsJob>(ranges, std::vector<double>{0.1, -0.2, 0.05, 1. / 3}));
  jobs.push_back(std::make_unique<MomentsJob>(inputs));
  jobs.push_back(std::make_unique<MomentsJob>(inputs, std::vector<double>{0.1, -0.2}));
  jobs.push_back(std::make_unique<LikelihoodJob>(prior, OutputColumns{0, 2}));
  jobs.push_back(std::make_unique<LikelihoodJob>(prior, OutputColumns{1, 1}, pooled));
  jobs.push_back(std::make_unique<LandmarkJob>(prior, OutputColumns{0, 2}, landmarks));
  for (const auto& part : {std::shared_ptr<const PooledPart>(), pooled})
    jobs.push_back(std::make_unique<EvidenceJob>(prior, OutputColumns{0, 1}, few.inputs, all_fusions, part));
  return jobs;
}

void expect_same_bits(const ExpertSums& one, const ExpertSums& other, std::string_view what) {
  EXPECT_EQ(one.sums, other.sums) << what;
  EXPECT_EQ(one.jitter, other.jitter) << what;
}

TEST(RankCrew, EveryJobGivesTheBitsOfOneProcessOnAnyNumberOfRanks) {
  const Case three = usual();
  const auto jobs = all_jobs();
  for (std::size_t ranks : {1, 2, 3, 5})
    three.over_ranks(ranks, [&](const auto& crews) {
      for (std::size_t p = 0; p < crews.size(); ++p) {
        const auto alone = crew_of(three.parties[p], three.committee);
        EXPECT_EQ(crews[p]->experts(), alone->experts());
        EXPECT_EQ(crews[p]->rows(), alone->rows());
        for (const auto& job : jobs) {
          expect_same_bits(crews[p]->add_up(*job), alone->add_up(*job), job->kind());
          expect_same_bits(crews[p]->in_units(some_units())->add_up(*job),
                           alone->in_units(some_units())->add_up(*job), job->kind());
        }
      }
    });
}

TEST(RankCrew, AJobThatWasWrittenIsTheSameJob) {
  const Samples rows = some_rows_of(40, 5);
  const auto crew = crew_of(rows, {.expert_rows = 9});
  for (const auto& job : all_jobs()) {
    MessageWriter out;
    write_job(out, *job);
    MessageReader in(message(out));
    const auto again = read_job(in);
    in.end();
    expect_same_bits(crew->add_up(*again), crew->add_up(*job), job->kind());
  }
}

TEST(RankCrew, AJobOfAnUnknownKindIsRefused) {
  MessageWriter out;
  out.text("tea");
  MessageReader in(message(out));
  EXPECT_THROW(read_job(in), InputError);
}

TEST(RankCrew, SeveralThreadsMayAskAtOnce) {
  const Case three = usual();
  const auto jobs = all_jobs();
  three.over_ranks(3, [&](const auto& crews) {
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < crews.size(); ++p)
      threads.emplace_back([&, p] {
        const auto alone = crew_of(three.parties[p], three.committee);
        for (const auto& job : jobs)
          expect_same_bits(crews[p]->add_up(*job), alone->add_up(*job), job->kind());
      });
    for (std::thread& thread : threads) thread.join();
  });
}

// The message of the InputError that a party's sum of columns throws.
std::string refusal(const Case& of, std::size_t ranks) {
  std::string message;
  of.over_ranks(ranks, [&](const auto& crews) {
    const ColumnSumsJob job(std::vector<ColumnRange>(4, {-1, 1}));
    EXPECT_THROW(
        {
          try {
            crews[0]->add_up(job);
          } catch (const InputError& e) {
            message = e.what();
            throw;
          }
        },
        InputError);
    EXPECT_EQ(crews[1]->add_up(job).sums.size(), 4u);  // the ranks continue
  });
  return message;
}

TEST(RankCrew, AnErrorIsTheFirstExpertsAndNamesRowAndRank) {
  Case spoilt = usual();
  const auto parts = split_rows(spoilt.parties[0].inputs, spoilt.committee);
  const Index early = parts[3][2], late = parts.back()[0];
  spoilt.parties[0].inputs(late, 0) = 17;
  const std::string last = refusal(spoilt, 3);
  EXPECT_EQ(last.find("row " + std::to_string(late + 1) + ","), 0u) << last;
  EXPECT_NE(last.find("(rank 2)"), last.npos) << last;
  spoilt.parties[0].outputs(early, 1) = -17;
  const std::string first = refusal(spoilt, 3);
  EXPECT_EQ(first.find("row " + std::to_string(early + 1) + ","), 0u) << first;
  EXPECT_NE(first.find("(rank 0)"), first.npos) << first;
}

TEST(RankCrew, ARankThatEndsIsNamedAndNoRankWaits) {
  const Case three = usual();
  try {
    run_ranks(3, [&](Team& team) {
      if (team.rank() == 1) return;
      if (!team.leads()) {
        try {
          serve(team, three.here(team));
        } catch (const Error&) {  // the leader has ended as well
        }
        return;
      }
      const Leader leader(team, three.here(team));
      leader.crew(0)->add_up(*all_jobs()[0]);
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("rank 1 has ended"), std::string::npos) << e.what();
  }
}

TEST(RankCrew, RowsComeFromWhereTheyAreInTheOrderAskedFor) {
  const Case three = usual();
  run_ranks(3, [&](Team& team) {
    if (!team.leads()) return serve(team, three.here(team));
    const Leader leader(team, three.here(team));
    Matrix inputs, outputs;
    leader.rows(0)->read(std::vector<Index>{899, 0, 17, 17, 450}, inputs, outputs);
    const std::vector<Index> which{899, 0, 17, 17, 450};
    EXPECT_EQ(inputs, Matrix(three.parties[0].inputs(which, Eigen::all)));
    EXPECT_EQ(outputs, Matrix(three.parties[0].outputs(which, Eigen::all)));
  });
}

TEST(RankCrew, NeighbouringRowsAreAskedForInFewBytes) {
  const Case three = usual();
  run_ranks(3, [&](Team& team) {
    if (!team.leads()) return serve(team, three.here(team));
    const Leader leader(team, three.here(team));
    std::vector<Index> which(900);
    std::iota(which.begin(), which.end(), Index{0});
    Matrix inputs, outputs;
    leader.rows(0)->read(which, inputs, outputs);
    EXPECT_EQ(inputs, three.parties[0].inputs);
    EXPECT_EQ(outputs, three.parties[0].outputs);
    EXPECT_LT(team.sent(), 500u);
  });
}

TEST(RankCrew, NoRankHoldsMuchMoreThanItsShare) {
  for (std::size_t ranks : {2, 3, 7}) {
    std::vector<std::size_t> held(ranks);
    for (std::size_t rank : rank_of_rows(ranks, 1, 10000, {.expert_rows = 50})) ++held[rank];
    for (std::size_t one : held) EXPECT_NEAR(double(one), 10000. / double(ranks), 200) << ranks;
  }
}

TEST(RankCrew, RowsSplitByClustersAreRefused) {
  EXPECT_THROW(rank_of_rows(2, 0, 1000, {.expert_rows = 50, .split = RowSplit::clusters}), InputError);
}

}  // namespace
}  // namespace tacit
