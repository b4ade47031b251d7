#include "tacit/graph/connectivity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <set>

#include "tacit/base/stop.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/graph/igraph_bridge.hpp"

namespace tacit {
namespace {

TEST(Connected, NamesAnAgentOutOfReach) {
  EXPECT_TRUE(connected(Graph(1, {})));
  EXPECT_TRUE(connected(bow_tie()));
  EXPECT_NO_THROW(check_connected(path(100)));
  const Graph split(6, {{0, 1}, {1, 4}, {2, 3}, {3, 5}});
  EXPECT_FALSE(connected(split));
  EXPECT_TRUE(
      mentions(error_of([&] { check_connected(split); }), {"agent 0 cannot reach agent 2", "ring:4"}));
  EXPECT_FALSE(connected(Graph(2, {})));
}

TEST(CollusionBound, CanBeStopped) {
  const Graph graph = ring_lattice(100, 6);
  const std::atomic<bool> stop = true;
  const StoppableWork here(stop);
  EXPECT_THROW(collusion_bound(graph), Stopped);
  EXPECT_THROW(weakest_agent(graph), Stopped);
  EXPECT_THROW(neighbourhood_connectivity(graph, 0), Stopped);
}

TEST(Triangles, NamesTheFirstBareEdge) {
  EXPECT_FALSE(edge_without_triangle(bow_tie()));
  EXPECT_FALSE(edge_without_triangle(Graph(1, {})));
  EXPECT_FALSE(edge_without_triangle(ring_lattice(20, 4)));
  EXPECT_EQ(edge_without_triangle(path(2)), Edge(0, 1));
  EXPECT_NO_THROW(check_triangles(complete_graph(3)));
  const Graph tailed(6, {{0, 1}, {0, 2}, {1, 2}, {2, 5}, {5, 3}, {5, 4}, {3, 4}});
  EXPECT_EQ(edge_without_triangle(tailed), Edge(2, 5));
  EXPECT_TRUE(mentions(error_of([&] { check_triangles(tailed); }),
                       {"Agents 2 and 5", "common neighbour", "triangle", "third agent"}));
}

struct KnownBound {
  const char* name;
  Graph graph;
  std::size_t paper, exact;
};

TEST(CollusionBound, KnownAnswers) {
  const std::vector<KnownBound> known{
      {"bow-tie", bow_tie(), 1, 0},
      {"ring 20/4", ring_lattice(20, 4), 1, 1},
      {"ring 20/8", ring_lattice(20, 8), 3, 3},
      {"ring 20/2", ring_lattice(20, 2), 0, 0},
      {"complete 10", complete_graph(10), 8, 8},
      {"complete 3", complete_graph(3), 1, 1},
      {"complete 2", complete_graph(2), 0, 0},
      {"one agent", Graph(1, {}), 0, 0},
      {"two agents apart", Graph(2, {}), 0, 0},
      {"path", path(5), 0, 0},
      {"triangle and a lone agent", Graph(4, {{0, 1}, {1, 2}, {0, 2}}), 1, 1},
  };
  for (const auto& [name, graph, paper, exact] : known) {
    EXPECT_EQ(collusion_bound_paper(graph), paper) << name;
    EXPECT_EQ(collusion_bound(graph), exact) << name;
  }
}

// Agent 0 is joined to two cliques of `size` agents with `shared` agents in common, so that degrees are at
// least size - 1 and the connectivity is `shared`.
Graph joined_cliques(AgentId size, AgentId shared) {
  const AgentId others = 2 * size - shared;
  std::vector<Edge> edges;
  for (AgentId i = 0; i < others; ++i) {
    edges.emplace_back(0, i + 1);
    for (AgentId j = i + 1; j < others; ++j) {
      if (j < size || i >= size - shared) edges.emplace_back(i + 1, j + 1);
    }
  }
  return Graph(others + 1, edges);
}

TEST(CollusionBound, SeesTheBottleneckInLargeNeighbourhoods) {
  for (AgentId shared : {0, 1, 2, 5, 17}) {
    const Graph graph = joined_cliques(70, shared);
    EXPECT_EQ(collusion_bound_paper(graph), 69u) << shared;
    EXPECT_EQ(collusion_bound(graph), shared) << shared;
  }
}

// Agent 0 is joined to two cliques, 1-6 and 7-12, and to agents 13 and 14 between them. Agents 15-20 are
// joined to all but agent 0. In N_0, agent 13 has the smallest degree and belongs to the only separator of
// two, {13, 14}. From 13 there are three disjoint paths to every other agent.
TEST(CollusionBound, SeesASeparatorThatHoldsTheWeakestAgent) {
  std::vector<Edge> edges{{13, 1}, {13, 2}, {13, 7}, {13, 8},  {14, 3},
                          {14, 4}, {14, 5}, {14, 9}, {14, 10}, {14, 11}};
  for (AgentId i = 1; i <= 14; ++i) edges.emplace_back(0, i);
  for (AgentId i = 1; i <= 20; ++i) {
    for (AgentId j = i + 1; j <= 20; ++j) {
      if (j <= 6 || (i >= 7 && j <= 12) || j >= 15) edges.emplace_back(i, j);
    }
  }
  const Graph graph(21, edges);
  EXPECT_EQ(collusion_bound_paper(graph), 4u);
  EXPECT_EQ(collusion_bound(graph), 2u);
}

// κ by definition: the fewest agents whose removal disconnects the rest, or n - 1 if there are no such
// agents.
std::size_t brute_connectivity(const Graph& graph, const std::vector<AgentId>& members) {
  const std::size_t n = members.size();
  std::vector<unsigned> joined(n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) joined[a] |= unsigned{graph.adjacent(members[a], members[b])} << b;
  }
  std::size_t fewest = n - 1;
  for (unsigned rest = 1; rest < (1u << n); ++rest) {
    unsigned reached = rest & (~rest + 1), before = 0;
    while (reached != before) {
      before = reached;
      for (std::size_t a = 0; a < n; ++a) {
        if (reached >> a & 1) reached |= joined[a] & rest;
      }
    }
    if (reached != rest) fewest = std::min(fewest, n - static_cast<std::size_t>(std::popcount(rest)));
  }
  return fewest;
}

std::size_t brute_bound(const Graph& graph) {
  std::size_t bound = graph.agents();
  for (AgentId i = 0; i < graph.agents(); ++i) {
    const auto near = graph.neighbours(i);
    if (!near.empty()) bound = std::min(bound, brute_connectivity(graph, {near.begin(), near.end()}));
  }
  return graph.edges() == 0 ? 0 : bound;
}

RC_GTEST_PROP(CollusionBound, AgreesWithTheDefinition, ()) {
  const Graph graph = any_graph(1, 8);
  RC_ASSERT(collusion_bound(graph) == brute_bound(graph));
  RC_ASSERT(collusion_bound(graph) <= collusion_bound_paper(graph));
  const auto edge = edge_without_triangle(graph);
  RC_ASSERT(edge.has_value() == (graph.edges() > 0 && collusion_bound_paper(graph) == 0));
}

TEST(CollusionBound, AgreesWithTheDefinitionOnDenseGraphs) {
  std::size_t lower = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const Graph graph = random_graph(6 + seed % 6, 50 + seed % 49, seed);
    ASSERT_EQ(collusion_bound(graph), brute_bound(graph)) << seed;
    lower += collusion_bound(graph) < collusion_bound_paper(graph);
  }
  EXPECT_GT(lower, 30u);
}

// With an agent that is joined to all others, every circle is large, and the other agents determine the
// bound.
TEST(CollusionBound, AgreesWithTheDefinitionBelowAHub) {
  std::size_t lower = 0, total = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Graph rest = random_geometric(7 + seed % 6, 0.4 + 0.05 * static_cast<double>(seed % 5), seed);
    const auto hub = static_cast<AgentId>(rest.agents());
    auto edges = rest.edge_list();
    for (AgentId i = 0; i < hub; ++i) edges.emplace_back(i, hub);
    const Graph graph(hub + 1, edges);
    ASSERT_EQ(collusion_bound(graph), brute_bound(graph)) << seed;
    lower += collusion_bound(graph) < collusion_bound_paper(graph);
    total += collusion_bound(graph) > 0;
  }
  EXPECT_GT(lower, 50u);  // the cases that matter occur
  EXPECT_GT(total, 100u);
}

// By Menger's theorem, κ is also the smallest number of disjoint paths between two agents that are not
// adjacent. This is fast enough for neighbourhoods of a few dozen agents.
std::size_t bound_by_paths(const Graph& graph) {
  std::size_t bound = graph.agents();
  for (AgentId i = 0; i < graph.agents(); ++i) {
    const auto near = graph.neighbours(i);
    std::vector<Edge> edges;
    for (AgentId a = 0; a < near.size(); ++a) {
      for (AgentId b = a + 1; b < near.size(); ++b) {
        if (graph.adjacent(near[a], near[b])) edges.emplace_back(a, b);
      }
    }
    const Graph circle(near.size(), edges);
    const igraph_bridge::Paths paths(near.size(), edges);
    bound = std::min(bound, near.size() - 1);
    for (AgentId a = 0; a < near.size(); ++a) {
      for (AgentId b = a + 1; b < near.size(); ++b) {
        if (!circle.adjacent(a, b)) bound = std::min(bound, paths.disjoint(a, b));
      }
    }
  }
  return bound;
}

TEST(CollusionBound, AgreesWithAllPathsOnLargerNeighbourhoods) {
  std::set<std::size_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Graph graph = random_geometric(32, 0.4 + 0.008 * static_cast<double>(seed), seed);
    if (!connected(graph) || edge_without_triangle(graph)) continue;
    const std::size_t bound = collusion_bound(graph);
    ASSERT_EQ(bound, bound_by_paths(graph)) << seed;
    seen.insert(bound);
  }
  EXPECT_GT(seen.size(), 6u);
}

// Findings 1a: many geometric graphs that satisfy the paper's assumption have an agent that can split a sum.
TEST(CollusionBound, IsOftenZeroWhereThePaperPromisesMore) {
  std::size_t promised = 0, broken = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = random_geometric(30, 0.35, seed);
    if (!connected(graph) || edge_without_triangle(graph)) continue;
    ++promised;
    broken += collusion_bound(graph) == 0;
  }
  ASSERT_GT(promised, 30u);
  EXPECT_GT(broken, promised / 5);
}

TEST(CollusionBound, IsQuickOnLargeGraphs) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(collusion_bound(ring_lattice(1000, 8)), 3u);
  EXPECT_EQ(collusion_bound(ring_lattice(1000, 40)), 19u);
  EXPECT_EQ(collusion_bound(complete_graph(300)), 298u);
  auto edges = complete_graph(200).edge_list();
  edges.erase(edges.begin());
  EXPECT_EQ(collusion_bound(Graph(200, edges)), 197u);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 20) << "should take a fraction of a second";
}

TEST(ConnectedWithoutAnyOne, FindsCutAgents) {
  EXPECT_FALSE(connected_without_any_one(bow_tie()));
  EXPECT_FALSE(connected_without_any_one(path(3)));
  EXPECT_FALSE(connected_without_any_one(Graph(4, {{0, 1}, {2, 3}})));
  EXPECT_TRUE(connected_without_any_one(path(2)));
  EXPECT_TRUE(connected_without_any_one(ring_lattice(9, 2)));
  EXPECT_EQ(igraph_bridge::cut_agents(5, path(5).edge_list()), (std::vector<AgentId>{1, 2, 3}));
}

RC_GTEST_PROP(WeakestAgent, AttainsTheBoundThatNobodyIsBelow, ()) {
  const Graph graph = any_graph(2, 14);
  const auto weakest = weakest_agent(graph);
  RC_ASSERT(weakest.has_value() == (graph.edges() > 0));
  if (!weakest) return;
  const std::size_t bound = collusion_bound(graph);
  RC_ASSERT(weakest->separator.size() == bound);
  RC_ASSERT(neighbourhood_connectivity(graph, weakest->agent) == bound);
  for (AgentId i = 0; i < graph.agents(); ++i)
    RC_ASSERT(graph.degree(i) == 0 || neighbourhood_connectivity(graph, i) >= bound);
  // Without the separator, one neighbour is left, or the first cannot reach all others.
  std::vector<AgentId> left;
  for (AgentId j : graph.neighbours(weakest->agent))
    if (!std::binary_search(weakest->separator.begin(), weakest->separator.end(), j)) left.push_back(j);
  std::vector<Edge> edges;
  for (AgentId a = 0; a < left.size(); ++a)
    for (AgentId b = a + 1; b < left.size(); ++b)
      if (graph.adjacent(left[a], left[b])) edges.emplace_back(a, b);
  RC_ASSERT(left.size() == 1 || !connected(Graph(left.size(), edges)));
}

}  // namespace
}  // namespace tacit
