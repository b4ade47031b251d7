#include "tacit/consortium/predict/public_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/consortium/predict/local.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/kernel/bounds.hpp"

namespace tacit {
namespace {

TEST(PublicBounds, HoldForRandomData) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const Index n = 1 + static_cast<Index>(random() % 12);
    const Hyperparameters h{std::pow(10.0, u(random)), std::pow(10.0, u(random)),
                            std::pow(10.0, u(random) - 0.5)};
    Matrix x(n, 2), y(n, 1), points(5, 2);
    for (double& v : x.reshaped())
      v = u(random) * (repeat % 3);  // every third time, all rows are at one point
    for (double& v : y.reshaped()) v = 4 * u(random);
    for (double& v : points.reshaped()) v = u(random) * (repeat % 3);
    const Prediction p = Expert::of(x, y, h).predict(points);
    const PublicBounds bounds =
        public_bounds({7, static_cast<std::size_t>(n), h.signal * h.signal, h.signal * h.signal, h.noise, 4});
    for (Index k = 0; k < 5; ++k) {
      const double v = p.latent_variance(k, 0), f = p.mean(k, 0);
      EXPECT_GE(v, bounds.variance_low * (1 - 1e-9));
      EXPECT_LE(std::abs(f), bounds.mean);
      EXPECT_LE(std::abs(f) / v, bounds.weighted_mean * (1 + 1e-9));
      EXPECT_LE(7 / v, bounds.value);
      EXPECT_LE(7 * std::abs(f) / v, bounds.value);
      EXPECT_LE(v / 7, bounds.variance_high * (1 + 1e-12));
    }
  }
}

TEST(PublicBounds, ThePrecisionBoundIsReached) {  // by all rows at the test point: no smaller bound holds
  const Hyperparameters h{1, 2, 0.5};
  const Prediction p = Expert::of(Matrix::Zero(30, 1), Matrix::Ones(30, 1), h).predict(Matrix::Zero(1, 1));
  EXPECT_NEAR(p.latent_variance(0, 0), public_bounds({1, 30, 4, 4, 0.5, 1}).variance_low, 1e-9);
}

TEST(PublicBounds, TunedSignalsAreBoundedByTheirBox) {
  const PublicBounds box = public_bounds({4, 10, 0.01, 2500, 1, 1});
  for (double signal : {0.1, 3.0, 50.0}) {
    const PublicBounds one = public_bounds({4, 10, signal * signal, signal * signal, 1, 1});
    EXPECT_LE(one.value, box.value);
    EXPECT_LE(box.variance_low, one.variance_low);
    EXPECT_LE(one.variance_high, box.variance_high);
    EXPECT_LE(one.mean, box.mean);
  }
}

TEST(PublicBounds, RefusesWhatIsNotPositive) {
  EXPECT_THROW(public_bounds({4, 10, 0, 1, 1, 1}), InputError);
  EXPECT_THROW(public_bounds({4, 10, 1, 1, -1, 1}), InputError);
  EXPECT_THROW(public_bounds({4, 10, 1, 1, 1, NAN}), InputError);
}

// Nearly equal rows with targets at the ends of their range come closest to the bounds and to the limits of
// double precision.
TEST(PublicBounds, HoldDownToTheLeastNoise) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  const double spreads[] = {0, 1e-9, 1e-7, 1e-5, 1e-3, 1e-1, 1};
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const Index n = 1 + static_cast<Index>(random() % (repeat % 50 ? 50 : 200));
    const double spread = spreads[repeat % 7], signal = std::pow(10.0, u(random));
    const double noise =
        least_noise(static_cast<double>(n), signal * signal) * std::pow(10.0, repeat % 4) * 1.001;
    Matrix x(n, 2), points(10, 2);
    for (double& v : x.reshaped()) v = 0.3 + spread * u(random);
    for (double& v : points.reshaped()) v = 0.3 + spread * u(random);
    points.row(0) = x.row(0);
    Matrix y = Matrix::Ones(n, 1);
    for (Index row = 0; row < n; ++row)
      if (repeat % 3 == 0 ? random() % 2 : repeat % 3 == 1 && x(row, 0) < 0.3) y(row, 0) = -1;
    const Hyperparameters h{std::pow(10.0, 1.5 * u(random)), signal, noise};
    const Prediction p = Expert::of(x, y, h).predict(points);
    const double k = signal * signal;
    const PublicBounds bounds = public_bounds({1, static_cast<std::size_t>(n), k, k, noise, 1});
    for (Index at = 0; at < points.rows(); ++at) {
      EXPECT_LE(1 / p.latent_variance(at, 0), bounds.value) << repeat;
      EXPECT_LE(std::abs(p.mean(at, 0)) / p.latent_variance(at, 0), bounds.value) << repeat;
    }
  }
}

TEST(PublicBounds, RefusesNoiseThatDoublesDoNotCarryWithTheLeastThatWorks) {
  PublicFacts facts{.agents = 4,
                    .rows = 2000,
                    .prior_low = 100,
                    .prior_high = 100,
                    .noise = 1e-7,
                    .output_max = 1,
                    .expert_rows = 200};
  try {
    public_bounds(facts);
    FAIL() << "noise of 1e-8 of the signal was accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("200 rows"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("at least 8.5e-06"), std::string::npos) << e.what();
  }
  facts.noise = 8.5e-6;
  EXPECT_NO_THROW(public_bounds(facts));
  facts.expert_rows = 0;  // one expert of all rows
  EXPECT_THROW(public_bounds(facts), InputError);
}

// For every kernel, rule, set of rows and split, an agent's contribution is within its public bounds.
TEST(PublicBounds, HoldForEveryKernelRuleAndSplit) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const auto rows = static_cast<Index>(1 + random() % 40);
    Samples data{Matrix(rows, 2), Matrix(rows, 1)};
    for (double& v : data.inputs.reshaped()) v = 2 * u(random) * (repeat % 3);
    for (double& v : data.outputs.reshaped()) v = 4 * u(random);
    Matrix points(5, 2);
    for (double& v : points.reshaped()) v = 2 * u(random);
    const Prior prior{
        repeat % 2 ? se({0.5, 2.}, 1.5) + constant(0.3) * linear(0.5) : matern32(0.7, 2.) * periodic(3),
        std::pow(10.0, u(random) - 0.5)};
    const KernelBounds kernel = kernel_bounds(prior.kernel, 2, 4);
    const CommitteeOptions committee{.expert_rows = 1 + random() % 20};
    const LocalExperts local(data, committee);
    const LocalEvidence found = local.evidence(points, {prior}, all_fusions);
    for (std::size_t k = 0; k < 4; ++k) {
      const PublicBounds bounds =
          public_bounds({.agents = 3,
                         .rows = static_cast<std::size_t>(rows),
                         .prior_low = kernel.low,
                         .prior_high = kernel.high,
                         .noise = prior.noise,
                         .output_max = 4,
                         .fusion = all_fusions[k],
                         .experts = expert_count(static_cast<std::size_t>(rows), committee),
                         .expert_rows = committee.expert_rows});
      const Evidence& e = found.by_rule[k];
      EXPECT_LE(e.precision.maxCoeff(), bounds.precision * (1 + 1e-9));
      EXPECT_LE(e.weighted_mean.cwiseAbs().maxCoeff(), bounds.weighted_mean * (1 + 1e-9));
      for (double value : contribution(e, {all_fusions[k], {}, bounds.count_unit}))
        EXPECT_LE(3 * std::abs(value), bounds.value);
      EXPECT_LE(e.experts, bounds.experts);
      const Prediction alone = fuse(all_fusions[k], e, found.prior);
      EXPECT_LE(alone.mean.cwiseAbs().maxCoeff(), bounds.mean * (1 + 1e-9));
    }
  }
  EXPECT_THROW(public_bounds({4, 10, kernel_bounds(linear(), 2, 1).low, 1, 1, 1}), InputError);
}

}  // namespace
}  // namespace tacit
