#include "tacit/graph/spectrum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "tacit/base/stop.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

double rate(const Graph& graph, RateMethod method = RateMethod::automatic) {
  return consensus_rate(graph, MetropolisWeights(graph), method);
}

// The maximum over k of 1 - d w + 2 w Σ_s cos(2πks/M), written with sines to avoid cancellation near 1.
double ring_rate(std::size_t agents, std::size_t degree) {
  const double weight = 1 / (2.0 * (1.0 + static_cast<double>(degree)));
  double smallest = 2;
  for (std::size_t k = 1; k < agents; ++k) {
    double gap = 0;
    for (std::size_t s = 1; s <= degree / 2; ++s) {
      const double sine =
          std::sin(std::numbers::pi * static_cast<double>(k * s) / static_cast<double>(agents));
      gap += 4 * weight * sine * sine;
    }
    smallest = std::min(smallest, gap);
  }
  return 1 - smallest;
}

TEST(ConsensusRate, OfRingsIsTheClosedForm) {
  const std::vector<std::pair<std::size_t, double>> table{
      {10, 0.8236}, {20, 0.952}, {40, 0.9877}, {100, 0.998}};
  for (const auto& [agents, rounded] : table) {  // findings 2
    EXPECT_NEAR(rate(ring_lattice(agents, 4)), rounded, 5e-4) << agents;
    for (RateMethod method :
         {RateMethod::automatic, RateMethod::dense, RateMethod::factorised, RateMethod::iterated}) {
      EXPECT_NEAR(rate(ring_lattice(agents, 4), method), ring_rate(agents, 4), 1e-13) << agents;
    }
  }
  for (RateMethod method :
       {RateMethod::automatic, RateMethod::dense, RateMethod::factorised, RateMethod::iterated}) {
    EXPECT_NEAR(rate(ring_lattice(600, 20), method), ring_rate(600, 20), 1e-13);
  }
}

TEST(ConsensusRate, CanBeStopped) {
  const Graph graph = ring_lattice(300, 4);
  const MetropolisWeights weights(graph);
  const std::atomic<bool> stop = true;
  const StoppableWork here(stop);
  for (RateMethod method : {RateMethod::dense, RateMethod::factorised, RateMethod::iterated})
    EXPECT_THROW(consensus_rate(graph, weights, method), Stopped);
}

TEST(ConsensusRate, OfTheSmallestGraphs) {
  EXPECT_EQ(rate(Graph(1, {})), 0);
  EXPECT_EQ(rate(Graph(1, {}), RateMethod::iterated), 0);
  EXPECT_EQ(rate(Graph(2, {})), 1);
  EXPECT_EQ(rate(Graph(5, {{0, 1}, {2, 3}, {3, 4}})), 1);
  for (RateMethod method :
       {RateMethod::automatic, RateMethod::dense, RateMethod::factorised, RateMethod::iterated}) {
    EXPECT_NEAR(rate(path(2), method), 0.5, 1e-15);
    EXPECT_NEAR(rate(path(3), method), 5.0 / 6, 1e-15);
    EXPECT_NEAR(rate(complete_graph(3), method), 0.5, 1e-15);
  }
}

TEST(ConsensusRate, RefusesWeightsOfAnotherGraph) {
  const MetropolisWeights weights(ring_lattice(10, 4));
  EXPECT_TRUE(mentions(error_of([&] { consensus_rate(ring_lattice(10, 6), weights); }), {"another graph"}));
}

TEST(ConsensusRate, DoesNotDependOnTheDenominator) {
  const Graph ring = ring_lattice(20, 4);
  EXPECT_NEAR(consensus_rate(ring, MetropolisWeights(ring, 40)), rate(ring), 1e-15);
}

RC_GTEST_PROP(ConsensusRate, MethodsAgree, ()) {
  const Graph graph = any_connected_graph(2, 150);
  const double dense = rate(graph, RateMethod::dense);
  RC_ASSERT(dense >= 0 && dense < 1);
  RC_ASSERT(std::abs(rate(graph, RateMethod::factorised) - dense) < 1e-13);
  RC_ASSERT(std::abs(rate(graph, RateMethod::iterated) - dense) < 1e-13);
  RC_ASSERT(std::abs(rate(graph) - dense) < 1e-13);
}

TEST(ConsensusRate, MethodsAgreeOnLargerGraphs) {
  std::vector<Graph> graphs{random_regular(600, 3, 1),
                            random_geometric(600, 0.1, 2),
                            random_geometric(600, 0.5, 3),
                            random_regular(500, 450, 4),
                            path(500),
                            star(600),
                            ring_lattice(450, 2),
                            ring_lattice(600, 100)};
  std::vector<Edge> bipartite, cube, barbell;  // few distinct eigenvalues, or one close to 1
  for (AgentId i = 0; i < 512; ++i) {
    for (AgentId bit = 1; bit < 512; bit *= 2) cube.emplace_back(i, i ^ bit);
    for (AgentId j = i + 1; j < 512; ++j) ((i < 256) == (j < 256) ? barbell : bipartite).emplace_back(i, j);
  }
  barbell.emplace_back(0, 511);
  for (const auto& edges : {bipartite, cube, barbell}) graphs.emplace_back(512, edges);
  for (const Graph& graph : graphs) {
    ASSERT_TRUE(connected(graph));
    const double dense = rate(graph, RateMethod::dense);
    for (RateMethod method : {RateMethod::automatic, RateMethod::factorised, RateMethod::iterated}) {
      EXPECT_NEAR(rate(graph, method), dense, 1e-12)
          << graph.agents() << " agents, " << graph.edges() << " edges";
    }
  }
}

// If Lanczos exhausts the space after one or two steps, Spectra may give a wrong result.
TEST(ConsensusRate, SurvivesGraphsOfFewEigenvalues) {
  for (std::size_t agents : {61, 68, 98, 125, 128, 168, 301}) {
    for (RateMethod method : {RateMethod::factorised, RateMethod::iterated}) {
      EXPECT_NEAR(rate(complete_graph(agents), method), 0.5, 1e-13) << agents;
    }
  }
  for (AgentId agents : {120, 472, 567}) {
    std::vector<Edge> edges;
    for (AgentId i = 0; i < agents; i += 2) {
      for (AgentId j = 1; j < agents; j += 2) edges.emplace_back(i, j);
    }
    const Graph halves(agents, edges);
    for (RateMethod method : {RateMethod::factorised, RateMethod::iterated}) {
      EXPECT_NEAR(rate(halves, method), rate(halves, RateMethod::dense), 1e-12) << agents;
    }
  }
}

TEST(ConsensusRate, OfCompleteGraphsIsTheShortcut) {
  for (std::size_t agents : {2, 3, 10, 100, 500}) {
    const Graph graph = complete_graph(agents);
    EXPECT_NEAR(rate(graph), rate(graph, RateMethod::dense), 1e-13) << agents;
    EXPECT_NEAR(rate(graph), 0.5, 1e-15) << agents;
  }
}

TEST(ConsensusRate, OfLargeGraphsIsAccurateAndQuick) {
  EXPECT_NEAR(rate(ring_lattice(10'000, 8)), ring_rate(10'000, 8), 1e-15);
  EXPECT_NEAR(rate(path(10'000)), 1 - 2.0 / 3 * std::pow(std::sin(std::numbers::pi / 20'000), 2), 1e-15);
  EXPECT_EQ(rate(complete_graph(1500)), 0.5);

  // Random 4-regular graphs are nearly Ramanujan: their second eigenvalue is close to 2√3.
  const Graph regular = random_regular(10'000, 4, 1);
  EXPECT_NEAR(rate(regular), 1 - (4 - 2 * std::sqrt(3.0)) / 10, 1e-3);
  EXPECT_EQ(rate(regular), rate(regular));

  const Graph geometric = random_geometric(10'000, 0.025, 1);
  ASSERT_TRUE(connected(geometric));
  EXPECT_NEAR(rate(geometric), rate(geometric, RateMethod::iterated), 1e-12);
  EXPECT_EQ(rate(geometric), rate(geometric));
}

}  // namespace
}  // namespace tacit
