#include "tacit/charter/bounds/row_space.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tacit {
namespace {

Functional row(std::initializer_list<std::int64_t> numbers) {
  Functional result;
  for (std::int64_t a : numbers) result.push_back(residue(a));
  return result;
}

TEST(Span, CountsIndependentFunctionals) {
  Span span(3);
  EXPECT_TRUE(span.add(row({1, 2, 3})));
  EXPECT_TRUE(span.add(row({0, 1, 1})));
  EXPECT_FALSE(span.add(row({2, 7, 9})));  // 2 of the first and 3 of the second
  EXPECT_EQ(span.rank(), 2u);
  EXPECT_TRUE(span.contains(row({-1, 0, -1})));
  EXPECT_FALSE(span.contains(row({0, 0, 1})));
}

TEST(Span, ShowsSmallSetsAsRows) {
  Span span(4);
  span.add(row({1, 1, 1, 1}));
  span.add(row({1, 2, 2, 1}));
  ASSERT_EQ(span.rank(), 2u);
  EXPECT_EQ(span.rows()[0], row({1, 0, 0, 1}));
  EXPECT_EQ(span.rows()[1], row({0, 1, 1, 0}));
}

TEST(Span, DoesNotDependOnTheOrder) {
  std::mt19937_64 random(7);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<Functional> rows(5, Functional(7));
    for (Functional& r : rows)
      for (Residue& c : r) c = residue(static_cast<std::int64_t>(random() % 5) - 2);
    Span forth(7), back(7);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      forth.add(rows[k]);
      back.add(rows[rows.size() - 1 - k]);
    }
    EXPECT_EQ(forth, back);
  }
}

TEST(Span, IntersectionHasTheRightRankAndLiesInBoth) {
  std::mt19937_64 random(8);
  std::size_t seen[4] = {};
  for (int turn = 0; turn < 300; ++turn) {
    Span a(6), b(6), sum(6);
    for (int k = 0; k < 7; ++k) {
      Functional r(6);
      for (Residue& c : r) c = residue(static_cast<std::int64_t>(random() % 3) - 1);
      if (k < 4) a.add(r);
      if (k >= 3) b.add(r);
      sum.add(r);
    }
    const Span common = intersection(a, b);
    EXPECT_EQ(common.rank() + sum.rank(), a.rank() + b.rank());
    for (const Functional& r : common.rows()) EXPECT_TRUE(a.contains(r) && b.contains(r));
    ++seen[std::min<std::size_t>(3, common.rank())];
  }
  EXPECT_GT(seen[1] + seen[2] + seen[3], 100u);  // not only empty ones
}

TEST(Residue, FractionsComeBack) {
  for (std::int64_t n : {-7, -1, 0, 1, 3, 1'000'003})
    for (std::int64_t d : {1, 2, 9, 65'536}) {
      Residue inverse = 1, power = residue(d);  // d^(p-2)
      for (Residue e = (Residue{1} << 61) - 3; e; e /= 2, power = multiply(power, power))
        if (e % 2) inverse = multiply(inverse, power);
      const auto found = fraction(multiply(residue(n), inverse));
      ASSERT_TRUE(found);
      EXPECT_EQ(found->first * d, found->second * n) << n << "/" << d;
    }
  EXPECT_EQ(residue(-1), (Residue{1} << 61) - 2);
  EXPECT_FALSE(fraction(0x1e3779b97f4a7c15));
}

}  // namespace
}  // namespace tacit
