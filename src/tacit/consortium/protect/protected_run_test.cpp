#include "tacit/consortium/protect/protected_run.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/consortium/protect/protect_testing.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

// Code that has a ProtectedRun cannot open a raw total, send a message or reach the run.
template <class R>
concept OpensRawTotals = requires(R& run, const ExactPlan& plan, Values mine) {
  exact_sum(run, plan, mine);
}
|| requires(R& run, const SecureSum& sums, Values mine) { sums.sum(run, mine, SumRange{}); }
|| requires(R& run, const BoundedPlan& plan, BoundedTerms mine) { bounded_sum(run, plan, mine); };
template <class R>
concept ReachesTheRun = requires(R& run) {
  static_cast<Run&>(run);
}
|| requires(R& run) { static_cast<Channel&>(run); }
|| requires(R& run) { run.channel(); }
|| requires(R& run) { run.randomness(); }
|| requires(R& run) { run.net_; };
static_assert(OpensRawTotals<Run> && ReachesTheRun<Run>, "the concepts find what they look for");
static_assert(!OpensRawTotals<ProtectedRun> && !OpensRawTotals<BoundedRun>);
static_assert(!ReachesTheRun<ProtectedRun> && !ReachesTheRun<BoundedRun>);

TEST(ProtectedRun, ChargesEveryOpening) {
  SimulatorOptions options;
  options.threads = 1;
  struct Outcome {
    Values first, second;
    std::vector<Charge> charges;
    double spent = 0;
  };
  const auto outcomes = Simulator(complete_graph(3), options).run<Outcome>([](tacit::Run& its_net) {
    return [](tacit::Run& net) -> Task<Outcome> {
      BoundedRun run(net, {.agents = 3, .colluding = 1, .most_rows = 10});
      const KeyTerms terms{2, [](std::size_t key, std::span<double> term) {
                             term[0] = key == 0 ? 1 : std::numeric_limits<double>::quiet_NaN();
                           }};
      const Opening opening{"one", 1, 1, {}, 2};
      Outcome outcome;
      const OpenedSum first = co_await run.sum(opening, terms);
      const OpenedSum second = co_await run.sum(opening, terms);
      outcome.first = first.total;
      outcome.second = second.total;
      outcome.charges = run.charges();
      outcome.spent = run.spent();
      co_return outcome;
    }(its_net);
  });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.charges, outcomes[0].charges);
    ASSERT_EQ(outcome.charges.size(), 2u);
    EXPECT_LE(outcome.spent, 4);
    EXPECT_GT(outcome.spent, 3.99);
    EXPECT_NEAR(outcome.first[0], 3, 6 * outcome.charges[0].noise)
        << "terms that are not finite count as zero";
    EXPECT_NE(outcome.first, outcome.second);
  }
}

TEST(OwnRows, HaveTheSameKeysInAnyOrder) {
  const Samples rows = testing::smooth_rows(20, 1);
  std::vector<std::uint64_t> slots;
  for (std::uint64_t k = 0; k < 20; ++k) slots.push_back(100 + k / 2);
  Samples turned = rows;
  std::vector<std::uint64_t> turned_slots(slots.rbegin(), slots.rend());
  turned.inputs = rows.inputs.colwise().reverse();
  turned.outputs = rows.outputs.colwise().reverse();
  constexpr std::byte secret[32] = {};
  const OwnRows one(rows, slots, secret, 10), other(turned, turned_slots, secret, 10);
  EXPECT_EQ(one.keys(), 10u);
  EXPECT_EQ(one.rows(), 20);
  EXPECT_EQ(one.inputs(), other.inputs());
  EXPECT_EQ(one.targets(), other.targets());
  EXPECT_THROW(OwnRows(rows, slots, secret, 9), InputError);
  constexpr std::byte another[32] = {std::byte{1}};
  EXPECT_NE(OwnRows(rows, slots, another, 10).hash(0), one.hash(0));
}

TEST(OwnRows, LeaveOutRowsThatAreNotFinite) {
  Samples rows = testing::smooth_rows(5, 1);
  rows.inputs(1, 2) = std::numeric_limits<double>::infinity();
  rows.outputs(3, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(testing::own_rows(rows).keys(), 3u);
}

TEST(OwnRows, OfOneKeyHaveTheMeanOfTheirTerms) {
  const Samples rows = testing::smooth_rows(3, 1);
  constexpr std::byte secret[32] = {};
  const std::uint64_t slots[] = {7, 7, 7};
  const OwnRows mine(rows, slots, secret, 5);
  const KeyTerms terms =
      mean_terms(mine, [](Index row, std::span<double> term) { term[0] = static_cast<double>(row); });
  ASSERT_EQ(terms.count, 1u);
  double term[1] = {};
  terms.write(0, term);
  EXPECT_EQ(term[0], 1);
}

}  // namespace
}  // namespace tacit
