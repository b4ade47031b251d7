#include "tacit/gp/expert/cholesky.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <string>

#include "tacit/base/base_testing.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;

Matrix lower_of(const Matrix& m) { return m.triangularView<Eigen::Lower>(); }

std::string error_of(const Matrix& m) {
  return testing::error_of<Error>([&] { safe_cholesky(m); });
}

RC_GTEST_PROP(SafeCholesky, FactorsSolvesAndInverts, ()) {
  const Index n = *rc::gen::inRange(1, 60);
  const Matrix half = random_matrix(n, n + 3, *rc::gen::arbitrary<unsigned>());
  const Matrix a = half * half.transpose() + 0.1 * Matrix::Identity(n, n);
  Cholesky factor = safe_cholesky(a);
  const Matrix l = lower_of(factor.lower());
  RC_ASSERT(factor.jitter() == 0);
  RC_ASSERT((l * l.transpose()).isApprox(a, 1e-12));
  RC_ASSERT(
      std::abs(factor.log_determinant() - a.partialPivLu().matrixLU().diagonal().array().abs().log().sum()) <
      1e-9 * static_cast<double>(n));

  const Matrix b = random_matrix(n, 3, 5);
  Matrix x = b;
  factor.solve_lower(x);
  RC_ASSERT((l * x).isApprox(b, 1e-10));
  factor.solve_upper(x);
  RC_ASSERT((a * x).isApprox(b, 1e-9));
  const Matrix inverse = std::move(factor).inverse();
  RC_ASSERT(lower_of(inverse).isApprox(lower_of(a.inverse()), 1e-8));
}

TEST(SafeCholesky, ReadsTheLowerTriangleOnly) {
  Matrix a = Matrix::Identity(5, 5);
  a.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(lower_of(safe_cholesky(a).lower()), Matrix::Identity(5, 5));
}

TEST(SafeCholesky, AddsAndReportsTheLeastJitterThatHelps) {
  EXPECT_EQ(safe_cholesky(Matrix::Constant(6, 6, 4.0)).jitter(), 4e-12);
  // The smallest eigenvalue of this one is -3e-8.
  Matrix a = Matrix::Identity(2, 2);
  a(1, 0) = a(0, 1) = 1 + 3e-8;
  const Cholesky factor = safe_cholesky(a);
  EXPECT_DOUBLE_EQ(factor.jitter(), 1e-7);
  const Matrix l = lower_of(factor.lower());
  EXPECT_TRUE((l * l.transpose()).isApprox(a + 1e-7 * Matrix::Identity(2, 2), 1e-14));
}

TEST(SafeCholesky, TakesAPivotAtRoundingLevelForZero) {
  Matrix a = Matrix::Ones(2, 2);
  a(1, 1) += std::numeric_limits<double>::epsilon();
  EXPECT_GT(safe_cholesky(a).jitter(), 0);
  // A small diagonal entry is not a small pivot.
  Matrix scaled = Matrix::Identity(2, 2);
  scaled(1, 1) = 1e-30;
  EXPECT_EQ(safe_cholesky(scaled).jitter(), 0);
}

TEST(SafeCholesky, NamesCauseAndCureWhenNothingHelps) {
  Matrix a = Matrix::Identity(3, 3);
  a(2, 1) = a(1, 2) = 2;
  EXPECT_EQ(
      error_of(a),
      "covariance matrix of 3 rows is not positive definite at row 2 (from 0), even with 1e-06 added to its "
      "diagonal; rows may be duplicates and the noise too small: remove duplicate rows or raise the noise");
  EXPECT_NE(error_of(Matrix::Zero(2, 2)).find("not positive definite at row 0"), std::string::npos);
}

TEST(SafeCholesky, NamesRowAndColumnOfANonFiniteEntry) {
  Matrix a = Matrix::Identity(4, 4);
  a(3, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of(a),
            "covariance matrix: the entry at row 3, column 1 (from 0) is inf; look for extreme values in the "
            "inputs or the hyperparameters");
}

TEST(SafeCholesky, RefusesWrongShapes) {
  EXPECT_THROW(safe_cholesky(Matrix::Ones(2, 3)), InputError);
  Matrix b = Matrix::Ones(3, 1);
  EXPECT_THROW(safe_cholesky(Matrix::Identity(2, 2)).solve_lower(b), InputError);
}

TEST(Cholesky, ExtendedIsTheFactorOfTheWhole) {
  for (Index m : {1, 5, 40}) {
    const Matrix half = random_matrix(60, 70, 3);
    const Matrix a = half * half.transpose();
    const Cholesky whole = safe_cholesky(a);
    const auto extended = safe_cholesky(a.topLeftCorner(60 - m, 60 - m))
                              .extended(a.topRightCorner(60 - m, m), a.bottomRightCorner(m, m));
    ASSERT_TRUE(extended);
    EXPECT_TRUE(lower_of(extended->lower()).isApprox(lower_of(whole.lower()), 1e-12));
  }
  const Matrix one = Matrix::Ones(1, 1);  // the same row again, without noise
  EXPECT_FALSE(safe_cholesky(one).extended(one, one));
}

}  // namespace
}  // namespace tacit
