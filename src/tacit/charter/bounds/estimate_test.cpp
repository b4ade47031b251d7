#include "tacit/charter/bounds/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/graph/spectrum.hpp"
#include "tacit/lab/audit/recorded_testing.hpp"

namespace tacit {
namespace {

struct Tried {
  double predicted = 0, achieved = 0;  // root mean squares over agents and runs
  double worst = 0;                    // the largest error
  double guess = 0;
};

// Runs the protocol many times and attacks with what `self` saw of its own states.
Tried attack_runs(const Graph& graph, AgentId self, double lz, std::size_t iterations, double bound,
                  int runs) {
  PlanRequest request;
  request.lz = lz;
  request.iterations = iterations;
  request.value_bound = bound;
  request.rule = ModulusRule::range;
  request.require_triangles = false;
  const ConsensusPlan plan = make_plan(graph, request);
  const MetropolisWeights weights(graph);
  const TrajectoryAttack attack(
      observe(weights, MaskSource::seeded, {self}),
      {.hardening = {}, .lz = lz, .value_bound = bound, .lambda = plan.lambda, .iterations = iterations});
  Tried tried;
  tried.guess = attack.guess();
  const auto errors = attack.errors();
  for (double e : errors) tried.predicted += e * e / static_cast<double>(errors.size());
  tried.predicted = std::sqrt(tried.predicted);
  std::mt19937_64 random(11);
  for (int run = 0; run < runs; ++run) {
    std::vector<double> start;
    for (std::size_t i = 0; i < graph.agents(); ++i)
      start.push_back((static_cast<double>(random()) * 0x1p-63 - 1) * bound);
    std::vector<std::int64_t> own;
    for (const auto& states : testing::trajectories(graph, plan, start, static_cast<std::uint64_t>(run)))
      own.push_back(states[self]);
    const auto found = testing::attack_alone(weights, plan, self, attack, own);
    std::size_t k = 0;
    for (AgentId j = 0; j < graph.agents(); ++j) {
      if (j == self) continue;
      const double error = std::abs(found[k++] - start[j]);
      tried.worst = std::max(tried.worst, error);
      tried.achieved += error * error / static_cast<double>(errors.size() * static_cast<std::size_t>(runs));
    }
  }
  tried.achieved = std::sqrt(tried.achieved);
  return tried;
}

// Findings 1b: the agent at the end of a strip of triangles learns all initial values. The audit predicts how
// accurately.
TEST(Findings1b, TheEndOfTheStripRecoversEverybody) {
  const Tried tried = attack_runs(strip(), 0, 0x1p-20, 20, 10, 40);
  EXPECT_LT(tried.worst, 2e-4);
  EXPECT_LT(tried.achieved, 3 * tried.predicted);
  EXPECT_GT(tried.achieved, tried.predicted / 3);
}

// A coarser L_z protects in proportion, as long as the equations are far from singular.
TEST(Findings1b, RefiningLzCostsPrivacy) {
  const Tried coarse = attack_runs(strip(), 0, 0x1p-10, 20, 10, 20),
              fine = attack_runs(strip(), 0, 0x1p-30, 20, 10, 20);
  EXPECT_GT(coarse.achieved, 1000 * fine.achieved);
  EXPECT_GT(coarse.predicted, 1000 * fine.predicted);
}

Graph irregular() {
  return Graph(10, {{0, 1},
                    {0, 2},
                    {1, 2},
                    {1, 3},
                    {2, 3},
                    {2, 4},
                    {3, 4},
                    {3, 5},
                    {4, 5},
                    {4, 6},
                    {5, 6},
                    {5, 7},
                    {6, 7},
                    {6, 8},
                    {7, 8},
                    {7, 9},
                    {8, 9},
                    {0, 3},
                    {2, 6}});
}

// An irregular graph of ten agents: values of distant agents are safe at L_z = 2^-20, but not at 2^-40.
TEST(Findings1b, LargerGraphsResistUntilLzIsFine) {
  const Tried coarse = attack_runs(irregular(), 0, 0x1p-20, 60, 10, 10);
  const Tried fine = attack_runs(irregular(), 0, 0x1p-40, 60, 10, 10);
  EXPECT_GT(coarse.predicted, 0.05 * coarse.guess);
  EXPECT_LT(fine.predicted, 1e-2);
  for (const Tried& tried : {coarse, fine}) {
    EXPECT_LT(tried.achieved, 3 * tried.predicted);
    EXPECT_GT(tried.achieved, tried.predicted / 3);
  }
}

TEST(Findings1b, CompleteGraphLeavesGuessing) {
  const Tried tried = attack_runs(complete_graph(5), 0, 0x1p-20, 30, 10, 20);
  EXPECT_NEAR(tried.predicted, tried.guess, 1e-3 * tried.guess);
  EXPECT_GT(tried.achieved, 0.7 * tried.guess);
}

double predicted(const Graph& graph, const Coalition& coalition, const Hardening& hardening, double lz,
                 std::size_t iterations) {
  const TrajectoryAttack attack(
      observe(MetropolisWeights(graph), hardening.masks, coalition),
      {.hardening = hardening, .lz = lz, .value_bound = 10, .lambda = 0.8, .iterations = iterations});
  const auto errors = attack.errors();
  return *std::min_element(errors.begin(), errors.end()) / attack.guess();
}

TEST(Attack, BlindingLeavesGuessing) {
  const Hardening none,
      blinded{.masks = MaskSource::shares, .acceleration = Acceleration::none, .blinding = 40};
  EXPECT_LT(predicted(strip(), {0}, none, 0x1p-30, 40), 1e-6);
  EXPECT_GT(predicted(strip(), {0}, blinded, 0x1p-30, 40), 0.999);
}

TEST(Attack, AccelerationDoesNotHide) {
  const Hardening fast{.masks = MaskSource::shares, .acceleration = Acceleration::chebyshev, .blinding = 0};
  EXPECT_LT(predicted(strip(), {0}, fast, 0x1p-30, 20), 1e-5);
}

// Simulates the dynamics with ω(t) in floating point, for options and coalitions that the attack above does
// not cover. Returns the ratio of achieved to predicted error, both as root mean squares over agents and
// runs.
double achieved_over_predicted(const Graph& graph, const Coalition& coalition, Acceleration acceleration) {
  const double lz = 0x1p-20, bound = 10;
  const MetropolisWeights weights(graph);
  const Observer observer = observe(weights, MaskSource::shares, coalition);
  AttackSettings settings;
  settings.hardening.acceleration = acceleration;
  settings.lz = lz;
  settings.value_bound = bound;
  settings.lambda = consensus_rate(graph, weights);
  settings.iterations = 25;
  const TrajectoryAttack attack(observer, settings);
  const std::vector<double> omega = step_weights(settings, 25);
  double predicted = 0, achieved = 0;
  for (double e : attack.errors()) predicted += e * e;
  std::mt19937_64 random(21);
  const int runs = 20;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> start;
    for (std::size_t i = 0; i < graph.agents(); ++i)
      start.push_back((static_cast<double>(random()) * 0x1p-63 - 1) * bound);
    std::vector<double> z = start, before = start, q(graph.agents());
    std::vector<std::vector<double>> own, seen;
    for (double w : omega) {
      for (std::size_t i = 0; i < z.size(); ++i) q[i] = lz * std::floor(z[i] / lz + 0.5);
      own.emplace_back();
      for (AgentId c : coalition) own.back().push_back(q[c]);
      seen.emplace_back();
      for (const Observer::Sum& sum : observer.seen) {
        seen.back().push_back(0);
        for (const auto& [agent, weight] : sum)
          seen.back().back() += static_cast<double>(weight) * weights.lw() * q[observer.honest[agent]];
      }
      std::vector<double> next = z;
      for (AgentId i = 0; i < z.size(); ++i) {
        for (AgentId j : graph.neighbours(i))
          next[i] += static_cast<double>(weights.between(i, j)) * weights.lw() * (q[j] - q[i]);
        next[i] = w * next[i] + (1 - w) * before[i];
      }
      before = std::exchange(z, next);
    }
    const auto found = attack.estimate(own, seen);
    for (std::size_t k = 0; k < found.size(); ++k)
      achieved += std::pow(found[k] - start[observer.honest[k]], 2) / runs;
  }
  return std::sqrt(achieved / predicted);
}

TEST(Attack, AchievesWhatIsPredictedForAllOptions) {
  for (Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev})
    for (const auto& [graph, coalition] :
         {std::pair(strip(), Coalition{0}), std::pair(strip(), Coalition{1, 4}),
          std::pair(bow_tie(), Coalition{0}), std::pair(ring_lattice(9, 4), Coalition{0, 1})}) {
      const double ratio = achieved_over_predicted(graph, coalition, acceleration);
      EXPECT_LT(ratio, 3);
      EXPECT_GT(ratio, 1 / 3.0);
    }
}

TEST(Attack, MoreColludersKnowMore) {
  EXPECT_LT(predicted(irregular(), {0, 9}, {}, 0x1p-20, 60),
            0.1 * predicted(irregular(), {0}, {}, 0x1p-20, 60) + 1e-3);
}

TEST(Attack, RefusesNumbersWithoutMeaning) {
  const Observer observer = observe(MetropolisWeights(strip()), MaskSource::shares, {0});
  EXPECT_THROW(
      TrajectoryAttack(observer, {.hardening = {}, .lz = 0, .value_bound = 1, .lambda = 0, .iterations = 5}),
      InputError);
  EXPECT_THROW(
      TrajectoryAttack(observer, {.hardening = {}, .lz = 1, .value_bound = -1, .lambda = 0, .iterations = 5}),
      InputError);
}

}  // namespace
}  // namespace tacit
