#include "tacit/lab/study/parties/row_groups.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "tacit/table/rows/row_blocks.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using Rows = std::vector<std::size_t>;
using testing::error_of;
using testing::Strings;

Rows counted(std::size_t rows) {
  Rows numbers(rows);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// The literal orders come from a second implementation of generator and shuffle in another language.
TEST(ShuffledRows, IsTheSameEverywhere) {
  EXPECT_EQ(shuffled_rows(10, 0), (Rows{7, 2, 0, 8, 3, 9, 6, 1, 5, 4}));
  EXPECT_EQ(shuffled_rows(12, 7), (Rows{4, 0, 2, 6, 10, 9, 1, 5, 11, 8, 7, 3}));
  EXPECT_EQ(shuffled_rows(5, std::numeric_limits<std::uint64_t>::max()), (Rows{1, 3, 2, 4, 0}));
  EXPECT_EQ(shuffled_rows(1, 3), Rows{0});
  EXPECT_EQ(shuffled_rows(0, 3), Rows{});
}

TEST(ShuffledRows, FavoursNoOrder) {
  std::map<Rows, int> seen;
  constexpr int trials = 24'000;
  for (std::uint64_t seed = 0; seed < trials; ++seed) ++seen[shuffled_rows(4, seed)];
  EXPECT_EQ(seen.size(), 24u);
  double chi_square = 0;
  for (const auto& [order, count] : seen) chi_square += std::pow(count - trials / 24, 2) / (trials / 24);
  EXPECT_LT(chi_square, 49.7);  // 23 degrees of freedom, one in a thousand
}

RC_GTEST_PROP(ShuffledRows, HoldsEveryRowOnce, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 2000);
  Rows order = shuffled_rows(rows, seed);
  RC_ASSERT(order == shuffled_rows(rows, seed));
  std::sort(order.begin(), order.end());
  RC_ASSERT(order == counted(rows));
}

TEST(ContiguousBlocks, PutsLargerBlocksFirst) {
  EXPECT_EQ(contiguous_blocks(Rows{9, 3, 5, 5, 0, 1, 2, 8}, 3),
            (std::vector<Rows>{{9, 3, 5}, {5, 0, 1}, {2, 8}}));
  EXPECT_EQ(contiguous_blocks(Rows{4, 2}, 2), (std::vector<Rows>{{4}, {2}}));
}

RC_GTEST_PROP(ContiguousBlocks, CutTheRowsInOrderIntoEqualParts, ()) {
  const auto rows = *rc::gen::nonEmpty(rc::gen::arbitrary<Rows>());
  const auto agents = *rc::gen::inRange<std::size_t>(1, rows.size() + 1);
  const auto blocks = contiguous_blocks(rows, agents);
  RC_ASSERT(blocks.size() == agents);
  Rows joined;
  for (const Rows& block : blocks) joined.insert(joined.end(), block.begin(), block.end());
  RC_ASSERT(joined == rows);
  for (std::size_t i = 1; i < agents; ++i) RC_ASSERT(blocks[i].size() <= blocks[i - 1].size());
  RC_ASSERT(blocks.front().size() - blocks.back().size() <= 1u);
}

TEST(ContiguousBlocks, RefusesFewerRowsThanAgents) {
  EXPECT_EQ(error_of([] { contiguous_blocks(counted(3), 5); }),
            "3 rows cannot be split among 5 agents, because each needs at least one; "
            "use more rows or fewer agents.");
  EXPECT_EQ(error_of([] { contiguous_blocks(counted(1), 2); }),
            "1 row cannot be split among 2 agents, because each needs at least one; "
            "use more rows or fewer agents.");
  EXPECT_EQ(error_of([] { contiguous_blocks(counted(3), 0); }),
            "There are no agents to split the rows among; use at least one.");
}

TEST(HoldOut, IsTheSameEverywhere) {
  const auto [train, test] = hold_out(20, 0.25, 3);
  EXPECT_EQ(test, (Rows{1, 2, 6, 18, 19}));
  EXPECT_EQ(train, (Rows{0, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}));
  EXPECT_NE(hold_out(20, 0.25, 4).second, test);
}

TEST(HoldOut, RoundsUpButNotForRoundingErrors) {
  const auto held = [](std::size_t rows, double fraction) {
    return hold_out(rows, fraction, 1).second.size();
  };
  EXPECT_EQ(held(442, 0.2), 89u);
  EXPECT_EQ(held(10, 0.01), 1u);
  EXPECT_EQ(held(10, 1e-300), 1u);
  EXPECT_EQ(held(2, 0.5), 1u);
  EXPECT_EQ(held(100, 0.07), 7u);  // the product of the doubles is 7.000000000000001
  EXPECT_EQ(held(100, 0.0701), 8u);
  EXPECT_EQ(held(100, 0.07 + 1e-12), 8u);
  for (std::size_t percent = 1; percent < 100; ++percent) {
    EXPECT_EQ(held(100, static_cast<double>(percent) / 100), percent);
    EXPECT_EQ(held(1000, static_cast<double>(percent) / 100), 10 * percent);
  }
}

RC_GTEST_PROP(HoldOut, PartsTheRows, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(2, 1000);
  const auto wanted = *rc::gen::inRange<std::size_t>(1, rows);
  const auto [train, test] =
      hold_out(rows, (static_cast<double>(wanted) - 0.5) / static_cast<double>(rows), seed);
  RC_ASSERT(test.size() == wanted);
  RC_ASSERT(std::is_sorted(train.begin(), train.end()));
  RC_ASSERT(std::is_sorted(test.begin(), test.end()));
  Rows all;
  std::merge(train.begin(), train.end(), test.begin(), test.end(), std::back_inserter(all));
  RC_ASSERT(all == counted(rows));
}

TEST(HoldOut, RefusesFractionsThatLeaveNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double fraction : {0.0, 1.0, -0.1, 1.5, nan}) {
    const std::string message = error_of([&] { hold_out(10, fraction, 1); });
    EXPECT_TRUE(message.starts_with("The fraction of rows to hold out is ")) << message;
    EXPECT_TRUE(message.ends_with("; give a number between 0 and 1 (`test_fraction`).")) << message;
  }
  EXPECT_EQ(
      error_of([] { hold_out(3, 0.9, 1); }),
      "Holding out 3 of 3 rows (a fraction of 0.9) leaves none for training; give a smaller fraction or more "
      "rows.");
  EXPECT_EQ(error_of([] { hold_out(1, 0.5, 1); }),
            "Holding out 1 of 1 row (a fraction of 0.5) leaves none for training; give a smaller fraction or "
            "more rows.");
  EXPECT_EQ(
      error_of([] { hold_out(0, 0.5, 1); }),
      "Holding out 0 of 0 rows (a fraction of 0.5) leaves none for training; give a smaller fraction or more "
      "rows.");
}

TEST(GroupsBy, SortsNumbersAsNumbersAndThenTexts) {
  const Strings labels{"10", "south", "9", "-1.5", "9", "North", "1e1", "south"};
  const Groups groups = groups_by(TextColumn(labels), Rows{7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(groups.names, (Strings{"-1.5", "9", "10", "1e1", "North", "south"}));
  EXPECT_EQ(groups.rows, (std::vector<Rows>{{3}, {4, 2}, {0}, {6}, {5}, {7, 1}}));
}

TEST(GroupsBy, TakesOnlyTheRowsGiven) {
  const Strings labels{"a", "b", "c", "a"};
  const Groups groups = groups_by(TextColumn(labels), Rows{3, 1});
  EXPECT_EQ(groups.names, (Strings{"a", "b"}));
  EXPECT_EQ(groups.rows, (std::vector<Rows>{{3}, {1}}));
  EXPECT_TRUE(groups_by(TextColumn(labels), Rows{}).names.empty());
}

TEST(GroupsBy, RefusesARowWithoutALabel) {
  const Strings labels{"a", "b"};
  EXPECT_EQ(error_of([&] {
              groups_by(TextColumn(labels), Rows{0, 2});
            }),
            "Row 2 has no label, because there are only 2 labels; label every row.");
}

RC_GTEST_PROP(GroupsBy, PartsTheRowsByLabel, ()) {
  const auto labels = *rc::gen::container<Strings>(
      rc::gen::element<std::string>("1", "2", "10", "1.0", "nan", "inf", "x", "y", "-3", "0", "-0", ""));
  const Rows rows = shuffled_rows(labels.size(), 5);
  const Groups groups = groups_by(TextColumn(labels), rows);
  RC_ASSERT(groups.names.size() == groups.rows.size());
  Rows all;
  for (std::size_t i = 0; i < groups.names.size(); ++i) {
    Rows expected;
    for (const std::size_t row : rows) {
      if (labels[row] == groups.names[i]) expected.push_back(row);
    }
    RC_ASSERT(groups.rows[i] == expected);
    all.insert(all.end(), expected.begin(), expected.end());
  }
  std::sort(all.begin(), all.end());
  RC_ASSERT(all == counted(labels.size()));
}

}  // namespace
}  // namespace tacit
