#include "tacit/gp/fit/optimise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

using Point = std::vector<double>;

// −(x−1)² − 100 (y−x²)², whose maximum is at (1, 1).
double banana(const Point& p) { return -std::pow(p[0] - 1, 2) - 100 * std::pow(p[1] - p[0] * p[0], 2); }
Point banana_slope(const Point& p) {
  const double bend = p[1] - p[0] * p[0];
  return {-2 * (p[0] - 1) + 400 * bend * p[0], -200 * bend};
}

struct Climbed {
  Point best;
  std::size_t evaluations = 0;
  EndOf end;
};

Climbed climb(Maximiser maximiser) {
  Climbed result;
  while (const auto point = maximiser.next()) {
    ++result.evaluations;
    if (result.best.empty() || banana(*point) > banana(result.best)) result.best = *point;
    maximiser.tell(banana(*point), banana_slope(*point));
  }
  result.end = maximiser.end();
  EXPECT_EQ(maximiser.next(), std::nullopt);
  return result;
}

TEST(Maximiser, FindsTheTop) {
  const Climbed result = climb({{-1.2, 1},
                                {-5, -5},
                                {5, 5},
                                {.most_evaluations = 500, .value_tolerance = 1e-14, .point_tolerance = 0}});
  EXPECT_NEAR(result.best[0], 1, 1e-5);
  EXPECT_NEAR(result.best[1], 1, 1e-5);
  EXPECT_LT(result.evaluations, 100u);
  EXPECT_NE(result.end, EndOf::too_many_evaluations);
}

TEST(Maximiser, StaysInTheBoxAndFindsItsBestCorner) {
  Maximiser maximiser({-1.2, 1}, {-5, -5}, {0.5, 5}, {});
  Point best;
  while (const auto point = maximiser.next()) {
    EXPECT_LE((*point)[0], 0.5);
    if (best.empty() || banana(*point) > banana(best)) best = *point;
    maximiser.tell(banana(*point), banana_slope(*point));
  }
  EXPECT_NEAR(best[0], 0.5, 1e-6);
  EXPECT_NEAR(best[1], 0.25, 1e-3);
}

TEST(Maximiser, EndsAfterTheMostEvaluations) {
  const Climbed result = climb({{-1.2, 1}, {-5, -5}, {5, 5}, {.most_evaluations = 7}});
  EXPECT_EQ(result.evaluations, 7u);
  EXPECT_EQ(result.end, EndOf::too_many_evaluations);
}

TEST(Maximiser, EndsAtOnceWhereNothingRises) {
  Maximiser maximiser({0, 0}, {-1, -1}, {1, 1}, {});
  std::size_t evaluations = 0;
  while (maximiser.next()) {
    maximiser.tell(5, {0, 0});
    ASSERT_LT(++evaluations, 5u);
  }
}

TEST(Maximiser, RefusesAStartOutsideTheBoxAndAnswersThatAreNotFinite) {
  EXPECT_THROW(Maximiser({2}, {-1}, {1}, {}), InputError);
  Maximiser maximiser({0}, {-1}, {1}, {});
  ASSERT_TRUE(maximiser.next());
  EXPECT_THROW(maximiser.tell(std::nan(""), {0}), Error);
  EXPECT_THROW(maximiser.tell(0, {std::numeric_limits<double>::infinity()}), Error);
}

}  // namespace
}  // namespace tacit
