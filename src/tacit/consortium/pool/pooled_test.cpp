#include "tacit/consortium/pool/pooled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/predict/local.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/kernel/bounds.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit::testing {
namespace {

struct Parties {
  std::vector<Samples> rows;
  Matrix landmarks;
  Priors priors;

  explicit Parties(std::size_t agents, Index each = 60, Index m = 25, const Prior& prior = {se(1.5), 0.3}) {
    std::mt19937_64 random(3);
    for (std::size_t i = 0; i < agents; ++i) rows.push_back(random_samples(each, 2, 2, random));
    landmarks = random_samples(m, 2, 1, random).inputs;
    priors = {prior, prior};
  }
  PooledFacts facts() const {
    double high = 0;
    for (const Samples& one : rows) high = std::max(high, one.outputs.cwiseAbs().maxCoeff());
    const KernelBounds bounds = kernel_bounds(priors[0].kernel.for_inputs(2), 2, 2);
    return {.agents = rows.size(),
            .landmarks = static_cast<std::size_t>(landmarks.rows()),
            .outputs = 2,
            .priors = priors[0] == priors[1] ? 1u : 2u,
            .rows = static_cast<std::size_t>(rows[0].inputs.rows()),
            .prior_high = bounds.high,
            .noise = std::min(priors[0].noise, priors[1].noise),
            .output_max = high};
  }
  std::vector<LandmarkSums> sums(std::size_t agent) const {
    return LocalExperts(rows[agent], {.expert_rows = 25}).landmark_sums(priors, landmarks);
  }
  std::vector<std::vector<PooledTotals>> pooled() const {
    Simulator simulator(complete_graph(rows.size()),
                        {.threads = 1, .seed = 1, .network = {}, .coalition = {}});
    const PlainSum plain;
    const PooledFacts known = facts();
    std::vector<std::vector<LandmarkSums>> own;
    for (std::size_t i = 0; i < rows.size(); ++i) own.push_back(sums(i));
    return simulator.run<std::vector<PooledTotals>>(
        [&](tacit::Run& net) { return pool_privately(net, plain, known, own[net.self()]); });
  }
};

TEST(PooledSum, IsTheTotalUpToTheUnit) {
  for (const bool shared : {true, false}) {
    Parties parties(4);
    if (!shared) parties.priors[1] = {matern32(2.) + constant(), 0.4};
    const auto found = parties.pooled();
    std::vector<LandmarkSums> plain = parties.sums(0);
    for (std::size_t i = 1; i < 4; ++i)
      for (std::size_t g = 0; g < plain.size(); ++g) plain[g] += parties.sums(i)[g];
    ASSERT_EQ(plain.size(), shared ? 1u : 2u);
    const double most = 4 * pooled_unit(4, 25) / 2;
    for (const auto& totals : found)
      for (std::size_t g = 0; g < plain.size(); ++g) {
        const Matrix full = plain[g].precision.selfadjointView<Eigen::Lower>();
        EXPECT_LE((totals[g].precision - full).cwiseAbs().maxCoeff(), most);
        EXPECT_LE((totals[g].weighted - plain[g].weighted).cwiseAbs().maxCoeff(), most);
        EXPECT_EQ(totals[g].precision, found[0][g].precision);
        EXPECT_EQ(totals[g].weighted, found[0][g].weighted);
      }
    EXPECT_EQ(pooled_sum(parties.facts()).dimension, shared ? 25 * 26 / 2 + 50u : 2 * (25 * 26 / 2) + 50u);
  }
}

TEST(PooledSum, NoRowsBreakTheBound) {
  // The worst case: all rows at a landmark, targets at their limit.
  const Prior prior(se(0.5, 3.), 0.05);
  Parties parties(1, 200, 5, prior);
  for (Index r = 0; r < 200; ++r) parties.rows[0].inputs.row(r) = parties.landmarks.row(0);
  parties.rows[0].outputs.setConstant(7);
  const double bound = pooled_sum(parties.facts()).range.bound;
  const LandmarkSums sums = parties.sums(0)[0];
  const double worst = std::max(sums.precision.cwiseAbs().maxCoeff(), sums.weighted.cwiseAbs().maxCoeff());
  EXPECT_LE(worst, bound);
  EXPECT_GT(worst, bound / 4);  // no bits are wasted
  const PooledPart part(std::make_shared<const Landmarks>(parties.landmarks, prior.kernel), sums.precision,
                        sums.weighted);
  EXPECT_LE(part.weights().col(0).squaredNorm(), most_weight_square(200, 7, 0.05));
}

// The unit is fine enough, and not finer than necessary.
TEST(PooledSum, RoundingMovesNoPredictionByAHundredthOfItsDeviation) {
  for (const Index m : {20, 80}) {
    const Parties parties(8, 60, m);
    std::mt19937_64 random(9);
    const Matrix points = random_samples(2000, 2, 1, random).inputs;
    const auto landmarks = std::make_shared<const Landmarks>(parties.landmarks, parties.priors[0].kernel);
    const Matrix features = landmarks->features(points);
    std::vector<LandmarkSums> own;
    LandmarkSums exact(m, 2);
    for (std::size_t i = 0; i < 8; ++i) {
      own.push_back(parties.sums(i)[0]);
      exact += own.back();
    }
    const PooledPart part(landmarks, exact.precision, exact.weighted);
    const Vector deviation =
        (part.variance(features) + landmarks->residual_variance(points, features)).cwiseSqrt();
    const auto worst_with = [&](double unit, double times = 1) {  // as large as the prior states
      LandmarkSums rounded(m, 2);
      for (LandmarkSums one : own) {
        one.precision = unit * (one.precision / unit).array().round();
        one.weighted = unit * (times * one.weighted / unit).array().round();
        rounded += one;
      }
      const PooledPart moved(landmarks, rounded.precision, rounded.weighted);
      return ((moved.mean(features) - times * part.mean(features)).col(0).array() / deviation.array())
          .abs()
          .maxCoeff();
    };
    const double unit = pooled_unit(8, static_cast<std::size_t>(m));
    EXPECT_LT(worst_with(unit), 0.01) << m;
    EXPECT_GT(worst_with(64 * unit), 0.01) << m;
    EXPECT_GT(worst_with(unit, 1000), 0.01) << m;
    EXPECT_LT(worst_with(pooled_unit(8, static_cast<std::size_t>(m), 1000), 1000), 0.01) << m;
  }
}

}  // namespace
}  // namespace tacit::testing
