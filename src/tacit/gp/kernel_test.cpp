#include "tacit/gp/kernel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

Matrix random_points(Index rows, Index columns, double size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return uniform(engine); });
}

double exact(const Matrix& a, Index i, const Matrix& b, Index j, const Hyperparameters& h) {
  long double squared = 0;
  for (Index k = 0; k < a.cols(); ++k) {
    const long double d = static_cast<long double>(a(i, k)) - b(j, k);
    squared += d * d;
  }
  const long double l = h.lengthscale;
  return static_cast<double>(static_cast<long double>(h.signal) * h.signal *
                             std::exp(-squared / (2 * l * l)));
}

/// Rounding in the exponent shows magnified by the exponent; exp itself is good to 4 ulp.
double tolerance(double value, const Hyperparameters& h, Index dimensions) {
  const double exponent = std::abs(std::log(value / (h.signal * h.signal)));
  return std::numeric_limits<double>::epsilon() * (6 + (4 + static_cast<double>(dimensions)) * exponent) *
         value;
}

RC_GTEST_PROP(Covariance, IsTheFormulaToTheLastPlaces, ()) {
  const Index dimensions = *rc::gen::inRange(1, 30);
  const Hyperparameters h{std::pow(10.0, *rc::gen::inRange(-3, 4)), std::pow(10.0, *rc::gen::inRange(-3, 4)),
                          1};
  const unsigned seed = *rc::gen::arbitrary<unsigned>();
  const double size = 3 * h.lengthscale;
  const double offset = *rc::gen::element(0.0, 1.0, 1e6, -1e9);
  const Matrix a = random_points(*rc::gen::inRange(1, 50), dimensions, size, seed).array() + offset;
  const Matrix b = random_points(*rc::gen::inRange(1, 50), dimensions, size, seed + 1).array() + offset;
  const Matrix k = covariance(a, b, h);
  RC_ASSERT(k.rows() == a.rows());
  RC_ASSERT(k.cols() == b.rows());
  for (Index j = 0; j < k.cols(); ++j)
    for (Index i = 0; i < k.rows(); ++i) {
      const double value = exact(a, i, b, j, h);
      RC_ASSERT(std::abs(k(i, j) - value) <= tolerance(value, h, dimensions));
    }
}

TEST(Covariance, ExpIsGoodToFourUlp) {
  // One dimension and differences whose squares are exact, so that the whole error is that of exp.
  Matrix x(2000, 1);
  for (Index i = 0; i < x.rows(); ++i) x(i) = static_cast<double>(i) / 64;
  const Matrix k = covariance(x, Matrix::Zero(1, 1), {1, 1, 1});
  for (Index i = 0; i < x.rows(); ++i) {
    const double value = std::exp(-x(i) * x(i) / 2);
    if (value < 1e-303) break;
    EXPECT_NEAR(k(i), value, 4 * std::numeric_limits<double>::epsilon() * value) << i;
  }
}

TEST(Covariance, IsZeroWhereItIsTinyHoweverFar) {
  Matrix x(6, 1);
  x << 0, 37, 38, 1e10, 1e160, -1.7e308;
  const Matrix k = covariance(x, x, {1, 3, 1});
  EXPECT_GT(k(0, 1), 0);
  for (Index i = 0; i < 6; ++i) {
    EXPECT_EQ(k(i, i), 9);
    for (Index j = 0; j < 6; ++j)
      if (std::abs(x(i) - x(j)) >= 38) {
        EXPECT_EQ(k(i, j), 0) << i << " " << j;
      }
  }
}

TEST(Covariance, DoesNotDependOnWhereItsPointsLieInMemory) {
  const Hyperparameters h{1.3, 0.7, 1};
  const Matrix x = random_points(37, 5, 2, 1);
  const Matrix k = covariance(x, x, h);
  EXPECT_EQ(k, covariance(x, x, h));
  EXPECT_EQ(k, k.transpose());
  for (Index shift = 1; shift < 20; ++shift)
    EXPECT_EQ(covariance(x.bottomRows(37 - shift), x, h), k.bottomRows(37 - shift));
}

TEST(NoisyCovarianceLower, AddsTheNoiseAndSparesTheUpperTriangle) {
  const Hyperparameters h{0.9, 1.1, 0.3};
  for (Index n : {1, 15, 16, 17, 50}) {
    const Matrix x = random_points(n, 3, 1, 2);
    const Matrix full = covariance(x, x, h) + 0.3 * 0.3 * Matrix::Identity(n, n);
    Matrix lower = Matrix::Constant(n, n, -7);
    noisy_covariance_lower(PackedRows(x), h, lower);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) EXPECT_EQ(lower(i, j), i >= j ? full(i, j) : -7);
  }
}

TEST(CheckHyperparameters, NamesParameterValueAndCure) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto error_of = [](const Hyperparameters& h) -> std::string {
    try {
      check_hyperparameters(h);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of({}), "no error");
  EXPECT_EQ(error_of({1, 1, 1e-12}), "no error");
  EXPECT_EQ(error_of({-2, 1, 1}),
            "lengthscale is -2, but must lie between 1e-100 and 1e100; set it to the distance over which the "
            "function changes, in the unit of the inputs");
  EXPECT_EQ(error_of({1, nan, 1}),
            "signal is nan, but must lie between 1e-100 and 1e100; set it to about the standard deviation of "
            "the outputs");
  EXPECT_EQ(error_of({1, 1, 0}),
            "noise is 0, but must lie between 1e-100 and 1e100; set it to the standard deviation of the "
            "noise, or for exact data to 1e-6 of the signal");
}

TEST(Covariance, RefusesBadPoints) {
  EXPECT_THROW(covariance(Matrix::Zero(2, 3), Matrix::Zero(2, 2), {}), InputError);
  EXPECT_THROW(covariance(Matrix(2, 0), Matrix(2, 0), {}), InputError);
  EXPECT_THROW(covariance(Matrix::Zero(2, 2), Matrix::Constant(2, 2, INFINITY), {}), InputError);
  EXPECT_THROW(covariance(Matrix::Zero(2, 2), Matrix::Zero(2, 2), {0, 1, 1}), InputError);
  EXPECT_EQ(covariance(Matrix(0, 2), Matrix::Zero(3, 2), {}).cols(), 3);
}

}  // namespace
}  // namespace tacit
