#include "tacit/gp/likelihood.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/gp/expert.hpp"

namespace tacit {
namespace {

Matrix random_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return normal(engine); });
}

struct LongReference {
  long double value = 0;
  long double quadratic = 0;  // y' (K + sigma^2 I)^-1 y
};

/// The formula after (lml), in long double.
LongReference reference(const Matrix& x, const Matrix& y, const Hyperparameters& h) {
  using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const long double l = h.lengthscale;
  const long double s = h.signal;
  const long double e = h.noise;
  const Index n = x.rows();
  const LongMatrix k = LongMatrix::NullaryExpr(n, n, [&](Index i, Index j) {
    const long double squared = (x.row(i).cast<long double>() - x.row(j).cast<long double>()).squaredNorm();
    return s * s * std::exp(-squared / (2 * l * l)) + (i == j ? e * e : 0);
  });
  const Eigen::LLT<LongMatrix> factor(k);
  LongReference result;
  result.quadratic = (y.cast<long double>().transpose() * factor.solve(y.cast<long double>())).trace();
  const long double half_log_determinant = LongMatrix(factor.matrixL()).diagonal().array().log().sum();
  result.value = -result.quadratic / 2 -
                 y.cols() * (half_log_determinant + n * std::log(2 * std::numbers::pi_v<long double>) / 2);
  return result;
}

/// Central difference of fourth order of the reference, with a step relative to the parameter.
double difference(const Matrix& x, const Matrix& y, Hyperparameters h, double Hyperparameters::*parameter) {
  const double at = h.*parameter;
  const double step = 1e-3 * at;
  const auto value = [&](int k) {
    h.*parameter = at + k * step;
    return reference(x, y, h).value;
  };
  return static_cast<double>((8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step));
}

RC_GTEST_PROP(LogMarginalLikelihood, AgreesWithTheFormulaAndItsDifferencesInLongDouble, ()) {
  const Index n = *rc::gen::inRange(1, 50);
  const unsigned seed = *rc::gen::arbitrary<unsigned>();
  const Hyperparameters h{*rc::gen::element(0.3, 1.0, 4.0), *rc::gen::element(0.1, 1.0, 20.0),
                          *rc::gen::element(0.05, 0.5)};
  const Matrix x = random_matrix(n, *rc::gen::inRange(1, 6), seed);
  const Matrix y = random_matrix(n, *rc::gen::inRange(1, 4), seed + 1);
  const Likelihood l = log_marginal_likelihood(x, y, h);
  const LongReference exact = reference(x, y, h);
  // The terms of the likelihood and of each derivative (times its parameter) are of this size, and may
  // cancel.
  const double size = static_cast<double>(exact.quadratic) + static_cast<double>(y.size());
  RC_ASSERT(std::abs(l.value - static_cast<double>(exact.value)) <= 1e-9 * size);
  const auto close = [&](double derivative, double Hyperparameters::*parameter) {
    return std::abs(derivative - difference(x, y, h, parameter)) <= 1e-8 * size / (h.*parameter);
  };
  RC_ASSERT(close(l.d_lengthscale, &Hyperparameters::lengthscale));
  RC_ASSERT(close(l.d_signal, &Hyperparameters::signal));
  RC_ASSERT(close(l.d_noise, &Hyperparameters::noise));
}

TEST(LogMarginalLikelihood, IsTheExpertsAndSumsOverOutputs) {
  const Hyperparameters h{0.9, 1.2, 0.2};
  const Matrix x = random_matrix(40, 3, 1);
  const Matrix y = random_matrix(40, 3, 2);
  const Likelihood all = log_marginal_likelihood(x, y, h);
  const Vector each = Expert::fit(x, y, h).log_marginal_likelihood();
  EXPECT_NEAR(all.value, each.sum(), 1e-10);
  Likelihood sum;
  for (Index o = 0; o < 3; ++o) {
    const Likelihood one = log_marginal_likelihood(x, y.col(o), h);
    EXPECT_NEAR(one.value, each(o), 1e-10);
    sum.d_lengthscale += one.d_lengthscale;
    sum.d_signal += one.d_signal;
    sum.d_noise += one.d_noise;
  }
  EXPECT_NEAR(all.d_lengthscale, sum.d_lengthscale, 1e-9);
  EXPECT_NEAR(all.d_signal, sum.d_signal, 1e-9);
  EXPECT_NEAR(all.d_noise, sum.d_noise, 1e-9);
}

TEST(LogMarginalLikelihood, OfOneRowIsTheNormalDensity) {
  const Likelihood l = log_marginal_likelihood(Matrix::Zero(1, 1), Matrix::Constant(1, 1, 3), {1, 2, 1});
  // Variance 5: value and derivatives of log N(3; 0, 5) by hand.
  EXPECT_NEAR(l.value, -0.5 * (9.0 / 5 + std::log(5.0) + std::log(2 * std::numbers::pi)), 1e-14);
  EXPECT_EQ(l.d_lengthscale, 0);
  EXPECT_NEAR(l.d_signal, 2 * (9.0 / 25 - 1.0 / 5), 1e-15);
  EXPECT_NEAR(l.d_noise, 9.0 / 25 - 1.0 / 5, 1e-15);
}

TEST(LogMarginalLikelihood, ReportsJitter) {
  const Matrix x = Matrix::Zero(3, 1);
  const Matrix y = Matrix::Ones(3, 1);
  EXPECT_GT(log_marginal_likelihood(x, y, {1, 1, 1e-9}).jitter, 0);
  EXPECT_EQ(log_marginal_likelihood(x, y, {1, 1, 1e-2}).jitter, 0);
}

TEST(LogMarginalLikelihood, StaysFiniteForRowsVeryFarApart) {
  Matrix x(3, 1);
  x << 0, 1, 1e300;
  const Likelihood l = log_marginal_likelihood(x, Matrix::Ones(3, 1), {1, 1, 0.1});
  EXPECT_TRUE(std::isfinite(l.value));
  EXPECT_TRUE(std::isfinite(l.d_lengthscale));
}

TEST(LogMarginalLikelihood, OfNoOutputsIsZero) {
  const Likelihood l = log_marginal_likelihood(random_matrix(5, 2, 1), Matrix(5, 0), {});
  EXPECT_EQ(l.value, 0);
  EXPECT_EQ(l.d_noise, 0);
}

TEST(LogMarginalLikelihood, RefusesBadInput) {
  EXPECT_THROW(log_marginal_likelihood(Matrix::Zero(2, 1), Matrix::Zero(3, 1), {}), InputError);
  EXPECT_THROW(log_marginal_likelihood(Matrix::Constant(2, 1, NAN), Matrix::Zero(2, 1), {}), InputError);
  EXPECT_THROW(log_marginal_likelihood(Matrix::Zero(2, 1), Matrix::Zero(2, 1), {1, 0, 1}), InputError);
}

}  // namespace
}  // namespace tacit
