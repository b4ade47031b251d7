// The findings about the paper's privacy claims, reproduced in runs of the real protocol (findings 1a, 1c, 1d
// and the leak by rounding; 1b is in estimate_test.cpp).
#include <gtest/gtest.h>

#include <set>

#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/lab/audit/recorded_testing.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit {
namespace {

using testing::Recorded;

ConsensusPlan plan_for(const Graph& graph, std::size_t iterations, double lz = 0x1p-20, double bound = 10) {
  PlanRequest request;
  request.lz = lz;
  request.iterations = iterations;
  request.value_bound = bound;
  request.require_triangles = false;
  return make_plan(graph, request);
}

std::vector<double> random_values(std::size_t agents, std::mt19937_64& random, double bound) {
  std::vector<double> values;
  for (std::size_t i = 0; i < agents; ++i)
    values.push_back((static_cast<double>(random()) * 0x1p-63 - 1) * bound);
  return values;
}

Integer128 quantised(const ConsensusPlan& plan, double z) {
  return static_cast<Integer128>(std::floor(static_cast<double>(encode<std::int64_t>(plan, Values(1, z))[0]) /
                                                static_cast<double>(plan.denominator) +
                                            0.5));
}

// Theorem thm:priv promises h = 1 here, but the centre alone splits its sum into those of the wings in every
// run.
TEST(Findings1a, TheCentreOfTheBowTieSplitsItsSum) {
  const Graph graph = bow_tie();
  ASSERT_EQ(collusion_bound_paper(graph), 1u);
  ASSERT_EQ(collusion_bound(graph), 0u);
  const MetropolisWeights weights(graph);
  const ConsensusPlan plan = plan_for(graph, 1);
  std::mt19937_64 random(3);
  int recovered = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    const auto z = random_values(5, random, 10);
    Recorded recorded(graph, run);
    recorded.simulator().run<Values>(
        [&](tacit::Run& net) { return secure_average(net, plan, Values(1, z[net.self()])); });
    const auto seen = recorded.seen_by({0});
    const auto sums = undo_masks(graph, plan.modulus_bits, {0}, 0, 0, 0, seen);
    const auto wing = [&](AgentId a, AgentId b) {
      return static_cast<Integer128>(weights.between(0, a)) * (quantised(plan, z[a]) + quantised(plan, z[b]));
    };
    recovered += sums.size() == 2 && sums[0][0] == wing(1, 2) && sums[1][0] == wing(3, 4);
  }
  EXPECT_EQ(recovered, 1000);
}

// The control: on a complete graph, the same computation gives only the whole sum.
TEST(Findings1a, TheSameAttackFindsOnlyTheSumOnACompleteGraph) {
  const Graph graph = complete_graph(5);
  const ConsensusPlan plan = plan_for(graph, 1);
  Recorded recorded(graph, 1);
  recorded.simulator().run<Values>(
      [&](tacit::Run& net) { return secure_average(net, plan, Values(1, 1.0 * net.self())); });
  const auto sums = undo_masks(graph, plan.modulus_bits, {0, 1}, 0, 0, 0, recorded.seen_by({0, 1}));
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_TRUE(sums[0][0] == static_cast<Integer128>(MetropolisWeights(graph).between(0, 2)) *
                                (quantised(plan, 2) + quantised(plan, 3) + quantised(plan, 4)));
  EXPECT_THROW(undo_masks(graph, plan.modulus_bits, {0}, 0, 0, 0, {}), InputError);
  EXPECT_THROW(undo_masks(graph, plan.modulus_bits, {0}, 1, 0, 0, {}), InputError);
}

// The graphs of the authors' earlier code: the ends of most edges have no common neighbour. The aggregator
// then sees the value of the other end.
TEST(Findings1d, RandomRegularGraphsLetMasksBeUndone) {
  std::size_t bare = 0, edges = 0, fit = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = random_regular(20, 4, seed);
    fit += !edge_without_triangle(graph);
    const auto common = common_neighbours(graph);
    bare += static_cast<std::size_t>(std::count(common.begin(), common.end(), 0u));
    edges += common.size();
  }
  EXPECT_EQ(fit, 0u);
  EXPECT_NEAR(static_cast<double>(bare) / static_cast<double>(edges), 0.65, 0.1);

  const Graph graph = random_regular(20, 4, 1);
  ASSERT_TRUE(connected(graph));
  const MetropolisWeights weights(graph);
  const ConsensusPlan plan = plan_for(graph, 1);  // as with --allow-missing-triangles
  std::mt19937_64 random(4);
  const auto z = random_values(20, random, 10);
  Recorded recorded(graph, 5);
  recorded.simulator().run<Values>(
      [&](tacit::Run& net) { return secure_average(net, plan, Values(1, z[net.self()])); });
  std::size_t opened = 0;
  for (AgentId i = 0; i < 20; ++i) {
    const auto parts = mask_parts(graph, MaskSource::shares, i, {i});
    const auto sums = undo_masks(graph, plan.modulus_bits, {i}, i, 0, 0, recorded.seen_by({i}));
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].size() > 1) continue;
      const AgentId j = parts[k][0];
      EXPECT_TRUE(sums[k][0] == static_cast<Integer128>(weights.between(i, j)) * quantised(plan, z[j]));
      ++opened;
    }
  }
  EXPECT_GT(opened, 20u);
}

// Pairwise masked values y_i = x_i + Σ ±PRG(k_ij) (+ PRG(b_i)) of the agents in `present`, and their total.
class MaskedTotal {
 public:
  MaskedTotal(std::uint64_t seed, std::uint64_t epoch) : seed_(seed), epoch_(epoch) {}
  Word64 of(const std::vector<Word64>& x, const std::set<std::size_t>& present, bool self_masks) const {
    Word64 total = 0;
    for (std::size_t i : present) {
      Word64 y = x[i] + (self_masks ? drawn("self", i) : 0);
      for (std::size_t j : present)
        if (j != i) y += j > i ? drawn("pair", 100 * i + j) : 0 - drawn("pair", 100 * j + i);
      total += y;
    }
    return total;
  }

 private:
  Word64 drawn(const char* purpose, std::uint64_t index) const {
    Word64 word = 0;
    Prg::from_seed(seed_, purpose, 1000 * epoch_ + index).fill(std::as_writable_bytes(std::span(&word, 1)));
    return word;
  }
  std::uint64_t seed_, epoch_;
};

TEST(Findings1c, ANaiveRestartLeaksTheLateAgentAndSelfMasksCureIt) {
  std::mt19937_64 random(6);
  const std::set<std::size_t> all = {0, 1, 2, 3, 4}, without_2 = {0, 1, 3, 4};
  int leaked = 0, cured_leaks = 0, ones = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    std::vector<Word64> x(5);
    for (Word64& v : x) v = random() % 1000;
    const MaskedTotal first(run, 0), second(run, 1);
    // Agent 2's value arrives late in epoch 0, after the others have rerun without it.
    leaked += first.of(x, all, false) - second.of(x, without_2, false) == x[2];
    // With self-masks, those of epoch 1 are released, but never those of epoch 0.
    const Word64 difference = first.of(x, all, true) - second.of(x, without_2, false);
    cured_leaks += difference == x[2];
    ones += std::popcount(difference - x[2]);
  }
  EXPECT_EQ(leaked, 1000);
  EXPECT_EQ(cured_leaks, 0);
  EXPECT_NEAR(ones, 32000, 1000);  // eight standard deviations of 64,000 fair bits
}

// Rounding errors are functions of the states, so a trajectory reveals more than its linear part. On a
// complete graph of three, the linear part is only the sum, but few of all possible values fit.
TEST(FindingsRounding, TrajectoryOfACompleteGraphRevealsMoreThanTheSum) {
  const Graph graph = complete_graph(3);
  const ConsensusPlan plan = plan_for(graph, 30, 0x1p-8, 1);
  ASSERT_EQ(trajectory_findings(observe(MetropolisWeights(graph), MaskSource::shares, {0}), false, 30).beyond,
            0u);
  const std::int64_t d = static_cast<std::int64_t>(plan.denominator), most = 256 * d;  // w̄ = 1 and D = 6
  ASSERT_EQ(d, 6);
  const auto nearest = [&](std::int64_t s) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(2 * s + d) / static_cast<double>(2 * d)));
  };
  std::mt19937_64 random(9);
  double left = 0;
  for (std::uint64_t run = 0; run < 10; ++run) {
    const auto states = testing::trajectories(graph, plan, random_values(3, random, 1), run);
    const auto fits = [&](std::int64_t a, std::int64_t b) {
      for (std::size_t t = 0; t + 1 < states.size(); ++t) {
        const std::int64_t own = nearest(states[t][0]), qa = nearest(a), qb = nearest(b), sum = own + qa + qb;
        if (states[t + 1][0] != states[t][0] + sum - 3 * own) return false;
        a += sum - 3 * qa;
        b += sum - 3 * qb;
      }
      return true;
    };
    EXPECT_TRUE(fits(states[0][1], states[0][2]));
    // Agent 0 knows Q(z_1) + Q(z_2) from its first step, hence z_1 + z_2 up to rounding.
    const std::int64_t about = states[1][0] - states[0][0] + 2 * nearest(states[0][0]);
    int possible = 0, consistent = 0;
    for (std::int64_t a = -most; a <= most; ++a) {
      bool inside = false, found = false;
      for (std::int64_t b = about * d - d - a; b <= about * d + d - a; ++b) {
        if (b < -most || b > most) continue;
        inside = true;
        found = found || fits(a, b);
      }
      possible += inside;
      consistent += found;
    }
    left += static_cast<double>(consistent) / possible / 10;
  }
  EXPECT_LT(left, 0.2);  // as a fraction of the values that the sum allows
}

}  // namespace
}  // namespace tacit
