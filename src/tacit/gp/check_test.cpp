#include "tacit/gp/check.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(FindNonFinite, FindsEveryKindAtEveryPlace) {
  for (double bad : {nan, inf, -inf})
    for (Index row = 0; row < 7; ++row)
      for (Index column = 0; column < 3; ++column) {
        Matrix values = Matrix::Constant(7, 3, 1e308);
        EXPECT_FALSE(find_non_finite(values));
        values(row, column) = bad;
        const MatrixPosition found = find_non_finite(values);
        EXPECT_EQ(found.row, row);
        EXPECT_EQ(found.column, column);
      }
}

TEST(FindNonFinite, LowerLooksAtTheLowerTriangleOnly) {
  Matrix values = Matrix::Ones(4, 4);
  values(1, 2) = nan;
  EXPECT_FALSE(find_non_finite_lower(values));
  values(2, 2) = inf;
  const MatrixPosition found = find_non_finite_lower(values);
  EXPECT_EQ(found.row, 2);
  EXPECT_EQ(found.column, 2);
}

TEST(CheckFinite, NamesWhatWhereAndTheValue) {
  Matrix values = Matrix::Zero(5, 4);
  values(3, 2) = -inf;
  try {
    check_finite("points", values);
    FAIL() << "no exception";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "points: the value at row 3, column 2 (from 0) is -inf; remove the row or fill in a number");
  }
}

TEST(CheckTrainingRows, RefusesWhatCannotBeFitted) {
  EXPECT_THROW(check_training_rows(Matrix(0, 2), Matrix(0, 1)), InputError);
  EXPECT_THROW(check_training_rows(Matrix(3, 0), Matrix::Zero(3, 1)), InputError);
  EXPECT_THROW(check_training_rows(Matrix::Zero(3, 1), Matrix::Constant(3, 1, nan)), InputError);
  EXPECT_THROW(check_training_rows(Matrix::Constant(3, 1, inf), Matrix::Zero(3, 1)), InputError);
  EXPECT_NO_THROW(check_training_rows(Matrix::Zero(3, 1), Matrix(3, 0)));
  try {
    check_training_rows(Matrix::Zero(3, 2), Matrix::Zero(4, 1));
    FAIL() << "no exception";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "3 rows of inputs but 4 rows of outputs; give one row of outputs for each row of inputs");
  }
}

}  // namespace
}  // namespace tacit
