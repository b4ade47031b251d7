#include "tacit/graph/metropolis.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <numeric>
#include <string>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

TEST(MetropolisWeights, OfARingOfDegreeFourAreTenths) {
  const MetropolisWeights weights(ring_lattice(20, 4));
  EXPECT_EQ(weights.denominator(), 10u);
  EXPECT_EQ(weights.lw(), 0.1);
  EXPECT_TRUE(weights.exact());
  EXPECT_EQ(weights.between(0, 1), 1u);
  EXPECT_EQ(weights.between(0, 0), 6u);
  EXPECT_EQ(weights.between(0, 7), 0u);
  EXPECT_FALSE(error_of([&] { weights.between(0, 20); }).empty());
  EXPECT_FALSE(error_of([&] { weights.between(20, 20); }).empty());
}

TEST(MetropolisWeights, TakeTheLeastCommonDenominator) {
  // Degrees 2, 2, 3, 1: weights 1/6 between the first two, 1/8 around agent 2.
  const MetropolisWeights weights(Graph(4, {{0, 1}, {0, 2}, {1, 2}, {2, 3}}));
  EXPECT_EQ(weights.denominator(), 24u);
  EXPECT_EQ(weights.between(0, 1), 4u);
  EXPECT_EQ(weights.between(2, 0), 3u);
  EXPECT_EQ(weights.between(2, 3), 3u);
  EXPECT_EQ(weights.between(3, 3), 21u);
}

TEST(MetropolisWeights, DoNotFailOnTheSmallestGraphs) {
  const MetropolisWeights alone(Graph(1, {}));
  EXPECT_EQ(alone.denominator(), 1u);
  EXPECT_EQ(alone.between(0, 0), 1u);
  EXPECT_EQ(MetropolisWeights(Graph(1, {}), 40).between(0, 0), 40u);
  const MetropolisWeights pair(path(2));
  EXPECT_EQ(pair.denominator(), 4u);
  EXPECT_EQ(pair.between(0, 1), 1u);
  EXPECT_EQ(pair.between(0, 0), 3u);
}

TEST(MetropolisWeights, AcceptAGivenDenominatorThatFits) {
  const MetropolisWeights weights(ring_lattice(20, 4), 40);
  EXPECT_EQ(weights.denominator(), 40u);
  EXPECT_EQ(weights.between(3, 4), 4u);
  EXPECT_TRUE(weights.exact());
}

TEST(MetropolisWeights, RefuseAGivenDenominatorThatDoesNotFit) {
  for (std::uint64_t denominator : {1u, 5u, 8u, 12u, 65536u}) {
    EXPECT_TRUE(mentions(error_of([&] { MetropolisWeights(ring_lattice(20, 4), denominator); }),
                         {"edge 0-1", "1/10", "1/" + std::to_string(denominator), "use 10 or a multiple"}));
  }
  EXPECT_TRUE(mentions(error_of([] { MetropolisWeights(path(2), 0); }), {"at least 1"}));
}

// Stars of 1 to `most` leaves, so that every weight up to that degree occurs.
Graph stars(AgentId most) {
  std::vector<Edge> edges;
  AgentId agents = 0;
  for (AgentId leaves = 1; leaves <= most; ++leaves) {
    const AgentId hub = agents++;
    for (AgentId leaf = 0; leaf < leaves; ++leaf) edges.emplace_back(hub, agents++);
  }
  return Graph(agents, edges);
}

TEST(MetropolisWeights, AreRoundedDownWhereTheDenominatorWouldBeLarge) {
  const MetropolisWeights large(stars(12));  // lcm(4, 6, .., 26) = 2 * lcm(2..13)
  EXPECT_EQ(large.denominator(), 720720u);
  EXPECT_TRUE(large.exact());

  const Graph graph = stars(20);
  const MetropolisWeights weights(graph);
  EXPECT_FALSE(weights.exact());
  EXPECT_EQ(weights.denominator(), 65536u);
  for (const auto& [i, j] : graph.edge_list()) {
    const auto inverse = 2 * (1 + std::max(graph.degree(i), graph.degree(j)));
    EXPECT_EQ(weights.between(i, j), 65536 / inverse);
  }
  EXPECT_TRUE(mentions(error_of([&] { MetropolisWeights(graph, 65536); }), {"1/65536", "rounded"}));
}

TEST(MetropolisWeights, RefuseAWeightThatWouldVanish) {
  // With stars of every degree in the graph, there is no small common denominator, so weights must be
  // rounded.
  const auto beside = [](AgentId leaves) {
    auto edges = stars(20).edge_list();
    const auto hub = static_cast<AgentId>(stars(20).agents());
    for (AgentId leaf = 1; leaf <= leaves; ++leaf) edges.emplace_back(hub, hub + leaf);
    return Graph(hub + leaves + 1, edges);
  };
  const Graph most = beside(32767);
  EXPECT_EQ(MetropolisWeights(most).between(most.edge_list().back().first, most.edge_list().back().second),
            1u);
  EXPECT_TRUE(mentions(error_of([&] { MetropolisWeights weights(beside(32768)); }),
                       {"32768 neighbours", "at most 32767"}));
}

TEST(MetropolisWeights, AreExactOnALargeStar) {
  EXPECT_EQ(MetropolisWeights(star(100'000)).denominator(), 200'000u);
}

TEST(MetropolisWeight, IsWhatOneAgentComputesAlone) {
  EXPECT_EQ(metropolis_weight(40, true, 4, 3), 4u);
  EXPECT_EQ(metropolis_weight(40, true, 3, 4), 4u);
  EXPECT_EQ(metropolis_weight(65536, false, 6, 2), 4681u);
  EXPECT_TRUE(
      mentions(error_of([] { metropolis_weight(40, true, 2, 2); }), {"1/6", "1/40", "multiple of 6"}));
  EXPECT_TRUE(mentions(error_of([] { metropolis_weight(5, false, 2, 2); }), {"1/6", "1/5"}));
}

RC_GTEST_PROP(MetropolisWeights, AreTheExactOnesIfExact, ()) {
  const Graph graph = any_graph(1, 14);
  const MetropolisWeights weights(graph);
  std::uint64_t expected = 1;
  for (const auto& [i, j] : graph.edge_list()) {
    expected = std::lcm(expected, 2 * (1 + std::max(graph.degree(i), graph.degree(j))));
  }
  RC_ASSERT(weights.exact() == (expected < (1u << 20)));
  RC_ASSERT(weights.denominator() == (weights.exact() ? expected : 65536));
  for (const auto& [i, j] : graph.edge_list()) {
    const std::uint64_t scaled = weights.between(i, j) * 2 * (1 + std::max(graph.degree(i), graph.degree(j)));
    RC_ASSERT(scaled <= weights.denominator());
    RC_ASSERT(!weights.exact() || scaled == weights.denominator());
    const Neighbourhood known = neighbourhood(graph, i);
    RC_ASSERT(weights.between(i, j) == metropolis_weight(weights.denominator(), weights.exact(),
                                                         known.degree_of(i), known.degree_of(j)));
  }
}

// Returns which property of Lemma lem:tech the weights violate, or "" if none. Checked in integers where they
// are more precise than floating point.
std::string flaw(const Graph& graph) {
  const MetropolisWeights weights(graph);
  const auto size = static_cast<Eigen::Index>(graph.agents());
  Eigen::MatrixXd matrix(size, size);
  for (AgentId i = 0; i < graph.agents(); ++i) {
    std::uint64_t sum = 0;
    for (AgentId j = 0; j < graph.agents(); ++j) {
      const std::uint64_t weight = weights.between(i, j);
      if (weight != weights.between(j, i)) return "not symmetric";
      if ((weight > 0) != (i == j || graph.adjacent(i, j)))
        return "a weight without an edge, or an edge without a weight";
      sum += weight;
      matrix(i, j) = static_cast<double>(weight) * weights.lw();
    }
    if (sum != weights.denominator()) return "not stochastic";
    if (2 * weights.between(i, i) < weights.denominator()) return "a diagonal below 1/2";
  }
  const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix).eigenvalues().minCoeff();
  return smallest > -1e-12 ? "" : "a negative eigenvalue";
}

RC_GTEST_PROP(MetropolisWeights, AreSymmetricDoublyStochasticAndPositive, ()) {
  RC_ASSERT(flaw(any_graph(1, 20)) == "");
}

TEST(MetropolisWeights, StayDoublyStochasticWhenRounded) { EXPECT_EQ(flaw(stars(20)), ""); }

}  // namespace
}  // namespace tacit
