#include "tacit/gp/kernel/covariance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <string>

#include "tacit/base/error.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::long_kernel;
using testing::random_points;

/// The exponent amplifies rounding errors of the exponent; exp has an error of at most 4 ulp.
double tolerance(double value, double signal, Index dimensions) {
  const double exponent = std::abs(std::log(value / (signal * signal)));
  return std::numeric_limits<double>::epsilon() * (6 + (4 + static_cast<double>(dimensions)) * exponent) *
         value;
}

RC_GTEST_PROP(Covariance, IsTheFormulaToTheLastPlaces, ()) {
  const Index dimensions = *rc::gen::inRange(1, 30);
  const double lengthscale = std::pow(10.0, *rc::gen::inRange(-3, 4));
  const double signal = std::pow(10.0, *rc::gen::inRange(-3, 4));
  const Kernel kernel = se(lengthscale, signal);
  const unsigned seed = *rc::gen::arbitrary<unsigned>();
  const double size = 3 * lengthscale;
  const double offset = *rc::gen::element(0.0, 1.0, 1e6, -1e9);
  const Matrix a = random_points(*rc::gen::inRange(1, 50), dimensions, size, seed).array() + offset;
  const Matrix b = random_points(*rc::gen::inRange(1, 50), dimensions, size, seed + 1).array() + offset;
  const Matrix k = covariance(a, b, kernel);
  RC_ASSERT(k.rows() == a.rows());
  RC_ASSERT(k.cols() == b.rows());
  for (Index j = 0; j < k.cols(); ++j)
    for (Index i = 0; i < k.rows(); ++i) {
      const auto value = static_cast<double>(long_kernel(kernel, a, i, b, j));
      RC_ASSERT(std::abs(k(i, j) - value) <= tolerance(value, signal, dimensions));
    }
}

TEST(Covariance, ExpIsGoodToFourUlp) {
  // One dimension, and differences whose squares are exact, so that the whole error is that of exp.
  Matrix x(2000, 1);
  for (Index i = 0; i < x.rows(); ++i) x(i) = static_cast<double>(i) / 64;
  const Matrix k = covariance(x, Matrix::Zero(1, 1), se());
  for (Index i = 0; i < x.rows(); ++i) {
    const double value = std::exp(-x(i) * x(i) / 2);
    if (value < 1e-303) break;
    EXPECT_NEAR(k(i), value, 4 * std::numeric_limits<double>::epsilon() * value) << i;
  }
}

TEST(Covariance, IsZeroWhereItIsTinyHoweverFar) {
  Matrix x(6, 1);
  x << 0, 37, 38, 1e10, 1e160, -1.7e308;
  const Matrix k = covariance(x, x, se(1., 3));
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
  const Matrix x = random_points(37, 5, 2, 1);
  for (const Kernel& kernel : testing::every_leaf(1.3, 5)) {
    SCOPED_TRACE(kernel.text());
    const Matrix k = covariance(x, x, kernel);
    EXPECT_TRUE(k == covariance(x, x, kernel));
    EXPECT_LE((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-15);  // only the lower triangle is used
    for (Index shift = 1; shift < 20; ++shift)
      EXPECT_TRUE(covariance(x.bottomRows(37 - shift), x, kernel) == k.bottomRows(37 - shift)) << shift;
  }
}

TEST(NoisyCovarianceLower, AddsTheNoiseAndSparesTheUpperTriangle) {
  const Kernel kernel = se(0.9, 1.1) + linear(0.4);
  for (Index n : {1, 15, 16, 17, 50}) {
    const Matrix x = random_points(n, 3, 1, 2);
    const Matrix full = covariance(x, x, kernel) + 0.3 * 0.3 * Matrix::Identity(n, n);
    Matrix lower = Matrix::Constant(n, n, -7);
    noisy_covariance_lower(PreparedPoints(x, kernel), {kernel, 0.3}, lower);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) EXPECT_EQ(lower(i, j), i >= j ? full(i, j) : -7);
  }
}

TEST(Covariance, OfEveryKernelIsItsFormulaOverSixOrdersOfLengthscales) {
  for (double l : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3})
    for (Index inputs : {1, 3}) {
      const Matrix a = random_points(20, inputs, 3 * l, 1), b = random_points(9, inputs, 3 * l, 2);
      for (const Kernel& kernel : testing::every_composition(l, inputs)) {
        SCOPED_TRACE(kernel.text());
        const Matrix k = covariance(a, b, kernel);
        const Matrix exact = testing::long_covariance(a, b, kernel).cast<double>();
        const Vector variance = kernel.for_inputs(inputs).prior_variance(a);
        EXPECT_LE((k - exact).cwiseAbs().maxCoeff(), 1e-13 * variance.maxCoeff());
        EXPECT_LE((variance - covariance(a, a, kernel).diagonal()).cwiseAbs().maxCoeff(),
                  1e-13 * variance.maxCoeff());
      }
    }
}

TEST(Covariance, OfEveryKernelIsPositiveSemidefinite) {
  const Matrix x = random_points(30, 3, 2, 5);
  for (const Kernel& kernel : testing::every_composition(0.8, 3)) {
    const Matrix k = covariance(x, x, kernel);
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues();
    EXPECT_GE(values.minCoeff(), -1e-12 * values.maxCoeff()) << kernel.text();
  }
}

TEST(Covariance, StaysFiniteForPointsVeryFarApart) {
  Matrix x(4, 1);
  x << 0, 1, 1e150, -1e300;
  for (const Kernel& kernel : {se(), se(ard), matern12(), matern32(), matern52(), rational_quadratic()}) {
    const Matrix k = covariance(x, x, kernel);
    EXPECT_TRUE(k.allFinite()) << kernel.text();
    EXPECT_LT(k(0, 3), 1e-10) << kernel.text();
  }
}

TEST(Covariance, RefusesBadPoints) {
  EXPECT_THROW(covariance(Matrix::Zero(2, 3), Matrix::Zero(2, 2), se()), InputError);
  EXPECT_THROW(covariance(Matrix(2, 0), Matrix(2, 0), se()), InputError);
  EXPECT_THROW(covariance(Matrix::Zero(2, 2), Matrix::Constant(2, 2, INFINITY), se()), InputError);
  EXPECT_THROW(covariance(Matrix::Zero(2, 2), Matrix::Zero(2, 2), se({1, 2, 3})), InputError);
  EXPECT_EQ(covariance(Matrix(0, 2), Matrix::Zero(3, 2), se()).cols(), 3);
}

}  // namespace
}  // namespace tacit
