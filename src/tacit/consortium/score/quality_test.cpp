#include "tacit/consortium/score/quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tacit {
namespace {

std::size_t place_of(double level) {
  return static_cast<std::size_t>(std::ranges::find(interval_levels, level) - interval_levels.begin());
}

// 68.27 % of a normal distribution are within one deviation of the mean, and 95.45 % within two.
TEST(Quality, IntervalsOfAllLevels) {
  const Matrix mean = Matrix::Zero(4, 1), variance = Matrix::Constant(4, 1, 9);
  Matrix truth(4, 1);
  truth << 0, 3, -3, 6;
  const Quality found = quality(mean, variance, truth);
  EXPECT_EQ(found.inside[place_of(0.05)], 0.25);
  EXPECT_EQ(found.inside[place_of(0.65)], 0.25);
  EXPECT_EQ(found.inside[place_of(0.7)], 0.75);
  EXPECT_EQ(found.inside[place_of(0.95)], 0.75);
  EXPECT_EQ(found.inside[place_of(0.99)], 1);
  EXPECT_EQ(found.coverage, 0.75);
  EXPECT_DOUBLE_EQ(found.rmse, std::sqrt(54 / 4.0));
}

TEST(Quality, CoverageIsThatOfTheLevel95) {
  Matrix mean(50, 2), truth(50, 2);
  for (Index k = 0; k < mean.size(); ++k) {
    mean.data()[k] = std::sin(static_cast<double>(k));
    truth.data()[k] = mean.data()[k] + 2.5 * std::cos(static_cast<double>(3 * k));
  }
  const Quality found = quality(mean, Matrix::Ones(50, 2), truth);
  EXPECT_EQ(found.inside[place_of(0.95)], found.coverage);
  EXPECT_TRUE(std::ranges::is_sorted(found.inside));
}

}  // namespace
}  // namespace tacit
