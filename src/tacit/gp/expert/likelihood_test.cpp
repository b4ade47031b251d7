#include "tacit/gp/expert/likelihood.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::LongMatrix;
using testing::random_matrix;

struct LongReference {
  long double value = 0;
  long double quadratic = 0;  // y' (K + sigma^2 I)^-1 y
};

/// Computes (lml) in long double.
LongReference reference(const Matrix& x, const Matrix& y, const Prior& prior) {
  const Index n = x.rows();
  const long double noise = prior.noise;
  const LongMatrix k =
      testing::long_covariance(x, x, prior.kernel) + noise * noise * LongMatrix::Identity(n, n);
  const Eigen::LLT<LongMatrix> factor(k);
  LongReference result;
  result.quadratic = (y.cast<long double>().transpose() * factor.solve(y.cast<long double>())).trace();
  const long double half_log_determinant = LongMatrix(factor.matrixL()).diagonal().array().log().sum();
  result.value = -result.quadratic / 2 -
                 y.cols() * (half_log_determinant + n * std::log(2 * std::numbers::pi_v<long double>) / 2);
  return result;
}

/// Returns the fourth-order central difference of the reference in the logarithm of a parameter.
double difference(const Matrix& x, const Matrix& y, const Prior& prior, std::size_t parameter) {
  constexpr double step = 1e-4;
  const auto value = [&](int k) {
    std::vector<double> logs = prior.logarithms();
    logs[parameter] += k * step;
    return reference(x, y, prior.at(logs)).value;
  };
  return static_cast<double>((8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step));
}

void expect_right(const Matrix& x, const Matrix& y, const Prior& given) {
  SCOPED_TRACE(given.kernel.text());
  const Prior prior = checked_prior(given, x.cols());
  const Likelihood l = log_marginal_likelihood(x, y, prior);
  const LongReference exact = reference(x, y, prior);
  // The terms of the likelihood and of each slope have this size and may cancel.
  const double size = static_cast<double>(exact.quadratic) + static_cast<double>(y.size());
  EXPECT_NEAR(l.value, static_cast<double>(exact.value), 1e-9 * size);
  ASSERT_EQ(l.slopes.size(), prior.names().size());
  for (std::size_t k = 0; k < l.slopes.size(); ++k)
    EXPECT_NEAR(l.slopes[k], difference(x, y, prior, k), 1e-8 * size) << prior.names()[k];
}

TEST(LogMarginalLikelihood, AgreesWithTheFormulaAndItsDifferencesInLongDouble) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::initializer_list<double> from) {
      return from.begin()[random() % from.size()];
    };
    const Hyperparameters h{pick({0.3, 1, 4}), pick({0.1, 1, 20}), pick({0.05, 0.5})};
    const auto n = static_cast<Index>(1 + random() % 50);
    expect_right(random_matrix(n, 1 + random() % 5, seed), random_matrix(n, 1 + random() % 3, seed + 99), h);
  }
}

// Distances between inputs are of the order of the length-scale, from a thousandth to a thousand.
TEST(LogMarginalLikelihood, OfEveryKernelHasTheRightSlopesOverSixOrdersOfLengthscales) {
  const Matrix unit = random_matrix(18, 2, 3), y = random_matrix(18, 2, 4);
  for (double l : {1e-3, 1e-1, 1.0, 30.0, 1e3}) {
    const Matrix x = l * unit;
    for (const Kernel& kernel : testing::every_leaf(l, 2)) expect_right(x, y, {kernel, 0.3});
  }
  for (const Kernel& kernel : testing::every_composition(0.8, 2)) expect_right(unit, y, {kernel, 0.3});
}

// Length-scales differ widely from the distances: K is nearly diagonal or nearly constant.
TEST(LogMarginalLikelihood, HasTheRightSlopesWhereLengthscalesFitBadly) {
  const Matrix x = random_matrix(15, 2, 5), y = random_matrix(15, 1, 6);
  for (double l : {1e-3, 1e-1, 10.0, 1e3})
    for (const Kernel& kernel : testing::every_leaf(l, 2))
      if (kernel.leaves()[0].shape != Shape::periodic || l > 0.05) expect_right(x, y, {kernel, 0.5});
}

TEST(LogMarginalLikelihood, IsTheExpertsAndSumsOverOutputs) {
  const Hyperparameters h{0.9, 1.2, 0.2};
  const Matrix x = random_matrix(40, 3, 1);
  const Matrix y = random_matrix(40, 3, 2);
  const Likelihood all = log_marginal_likelihood(x, y, h);
  const Vector each = Expert::of(x, y, h).log_marginal_likelihood();
  EXPECT_NEAR(all.value, each.sum(), 1e-10);
  Likelihood sum;
  for (Index o = 0; o < 3; ++o) {
    const Likelihood one = log_marginal_likelihood(x, y.col(o), h);
    EXPECT_NEAR(one.value, each(o), 1e-10);
    sum.slopes.resize(one.slopes.size());
    for (std::size_t k = 0; k < one.slopes.size(); ++k) sum.slopes[k] += one.slopes[k];
  }
  for (std::size_t k = 0; k < sum.slopes.size(); ++k) EXPECT_NEAR(all.slopes[k], sum.slopes[k], 1e-9);
}

TEST(LogMarginalLikelihood, OfOneRowIsTheNormalDensity) {
  const Likelihood l =
      log_marginal_likelihood(Matrix::Zero(1, 1), Matrix::Constant(1, 1, 3), Prior(se(1., 2), 1));
  // Variance 5: value and derivatives of log N(3; 0, 5), computed by hand.
  EXPECT_NEAR(l.value, -0.5 * (9.0 / 5 + std::log(5.0) + std::log(2 * std::numbers::pi)), 1e-14);
  EXPECT_EQ(l.slopes[0], 0);
  EXPECT_NEAR(l.slopes[1], 4 * (9.0 / 25 - 1.0 / 5), 1e-15);
  EXPECT_NEAR(l.slopes[2], 9.0 / 25 - 1.0 / 5, 1e-15);
}

TEST(LogMarginalLikelihood, ReportsJitter) {
  const Matrix x = Matrix::Zero(3, 1);
  const Matrix y = Matrix::Ones(3, 1);
  EXPECT_GT(log_marginal_likelihood(x, y, {se(), 1e-9}).jitter, 0);
  EXPECT_EQ(log_marginal_likelihood(x, y, {se(), 1e-2}).jitter, 0);
}

TEST(LogMarginalLikelihood, StaysFiniteForRowsVeryFarApart) {
  Matrix x(3, 1);
  x << 0, 1, 1e300;
  const Likelihood l = log_marginal_likelihood(x, Matrix::Ones(3, 1), {se(ard), 0.1});
  EXPECT_TRUE(std::isfinite(l.value));
  EXPECT_TRUE(std::isfinite(l.slopes[0]));
}

TEST(LogMarginalLikelihood, OfNoOutputsIsZero) {
  const Likelihood l = log_marginal_likelihood(random_matrix(5, 2, 1), Matrix(5, 0), {});
  EXPECT_EQ(l.value, 0);
  EXPECT_EQ(l.slopes.back(), 0);
}

TEST(LogMarginalLikelihood, RefusesBadInput) {
  EXPECT_THROW(log_marginal_likelihood(Matrix::Zero(2, 1), Matrix::Zero(3, 1), {}), InputError);
  EXPECT_THROW(log_marginal_likelihood(Matrix::Constant(2, 1, NAN), Matrix::Zero(2, 1), {}), InputError);
  EXPECT_THROW(log_marginal_likelihood(Matrix::Zero(2, 1), Matrix::Zero(2, 1), {se(), 0}), InputError);
}

}  // namespace
}  // namespace tacit
