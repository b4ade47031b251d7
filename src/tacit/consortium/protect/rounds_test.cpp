#include "tacit/consortium/protect/rounds.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <limits>

#include "tacit/consortium/protect/protect_testing.hpp"

namespace tacit {
namespace {

TEST(RoundsRegression, IsThatOfKnownAnswers) {
  for (const char* name : {"regression 0", "regression 3"}) {
    const auto answer = testing::protect_answer(name);
    const Index rounds = answer.size(0), all = answer.size(1), k = answer.size(2);
    ObservedRounds observed{answer.matrix("observed", rounds, k), answer.matrix("iterates", rounds, all),
                            answer.matrix("noise", rounds, 1), answer.size(3), answer.numbers.at("sizes")[4]};
    const Vector eigenvalues = answer.matrix("eigenvalues", all, 1), at = answer.matrix("at", all, 1);
    const RoundsRegression regression(observed, answer.matrix("weights", k, 1), eigenvalues.head(k),
                                      eigenvalues);
    const auto [value, variance] = regression.at(at, 0.05);
    EXPECT_LT((value - answer.matrix("mean", k, 1)).cwiseAbs().maxCoeff(), 1e-9) << name;
    EXPECT_LT((variance - answer.matrix("variance", k, 1)).cwiseAbs().maxCoeff(), 1e-9) << name;
    EXPECT_LT((regression.round_weights(at, 0.05) - answer.matrix("shares", rounds, k)).cwiseAbs().maxCoeff(),
              1e-9);
    EXPECT_EQ(regression.likely_mismatch(), answer.numbers.at("mismatch")[0]) << name;
  }
}

struct Problem {
  Problem() : rows(testing::smooth_rows(150, 11)), mine(testing::own_rows(rows)) {
    copula = {public_scales({{-2, 2}, {-2, 2}, {-2, 2}, {-5, 25}}), Matrix::Identity(3, 3)};
    basis = std::make_shared<Basis>(Prior(se({1.1, 1.6, 2.5}, 0.9), 0.3), copula, 150.0,
                                    BasisOptions{40, 400, 1, 3});
    in_basis = std::make_unique<BasisRows>(*basis, copula.scales, mine);
  }

  Rounds run(ProtectedRun& run, std::size_t rounds, double clip) const {
    const RoundsPlan plan{std::vector<double>(rounds, 1e9), 150, 1e12, clip};
    return testing::finished(run_rounds(run, *basis, basis->eigenvalues(), mine, *in_basis, plan));
  }

  Samples rows;
  OwnRows mine;
  Copula copula;
  std::shared_ptr<const Basis> basis;
  std::unique_ptr<BasisRows> in_basis;
};

// Without noise and clipping, the rounds are the exact FITC fit: a dense Gaussian process of all rows with
// the covariance Φ'Φ + Λ.
TEST(ProtectedRounds, AreTheExactFitcFitWithoutNoiseAndClip) {
  const Problem p;
  testing::RecordingRun run({.agents = 3});
  const Rounds found = p.run(run, 90, std::numeric_limits<double>::infinity());
  const Matrix& phi = p.in_basis->features;
  Matrix covariance = phi.transpose() * phi;
  covariance.diagonal() += p.in_basis->lambda;
  const Matrix at = p.basis->features(p.copula.draw(30, 55));
  const Vector dense = at.transpose() * (phi * covariance.llt().solve(p.in_basis->targets));
  EXPECT_LT((at.transpose() * found.state.mean - dense).cwiseAbs().maxCoeff(),
            1e-4 * dense.cwiseAbs().maxCoeff());
  EXPECT_EQ(found.state.directions.size(), static_cast<std::size_t>(p.basis->size()));
}

TEST(ProtectedRounds, AreBoundedByTheirClip) {
  const Problem p;
  testing::RecordingRun run({.agents = 3});
  const Rounds found = p.run(run, 6, 1.2);
  for (std::size_t round = 0; round < 6; ++round) {
    double beyond = 0;
    for (const Values& term : run.openings[round].terms) {
      double square = 0;
      for (const double number : term) square += number * number;
      EXPECT_LE(square, run.requests[round].square);
      if (term.back() > 0) ++beyond;
    }
    EXPECT_NEAR(found.state.clipped[round], beyond / 150, 1e-9);
  }
  EXPECT_EQ(found.state.bounds.size(), 6u);
}

// A party that takes its own part out of the totals knows what the others know together.
TEST(ProtectedRounds, GiveTheInformationOfOthers) {
  const Problem p;
  testing::RecordingRun run({.agents = 3});
  const Rounds found = p.run(run, 8, std::numeric_limits<double>::infinity());
  const OthersInformation all = others_information(found, p.basis->eigenvalues(), 3, 0);
  Rounds without = found;
  without.own.added.setZero();
  const OthersInformation nobody = others_information(found, p.basis->eigenvalues(), 3, 1);
  EXPECT_LT(nobody.information.cwiseAbs().maxCoeff(), 1e-9);
  const OthersInformation total = others_information(without, p.basis->eigenvalues(), 3, 0);
  for (Index j = 0; j < p.basis->size(); ++j) {
    EXPECT_NEAR(all.information(j), total.information(j), 1e-12);
    EXPECT_GE(all.information(j), found.state.information(j) - 1e-9);
  }
}

}  // namespace
}  // namespace tacit
