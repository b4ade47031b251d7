#include "tacit/lab/mask_helpers/helped_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/graph/traffic.hpp"

namespace tacit {
namespace {

// Whether the agents among `members` (a set of bits over agents and helpers) reach each other within the set.
bool together(const HelpedGraph& graph, unsigned members) {
  const unsigned agents = members & ((1u << graph.agents.agents()) - 1);
  if (agents == 0) return true;
  unsigned reached = agents & -agents;
  for (unsigned before = 0; before != reached;) {
    before = reached;
    for (AgentId a = 0; a < graph.everybody.agents(); ++a)
      if (reached >> a & 1)
        for (AgentId b : graph.everybody.neighbours(a)) reached |= members & 1u << b;
  }
  return (agents & ~reached) == 0;
}

// h* by definition: the largest h such that no coalition of i and h - 1 members of its circle splits the
// remaining agents of N_i or leaves only one. Tries all coalitions.
std::size_t bound_by_trial(const HelpedGraph& graph) {
  std::size_t bound = graph.everybody.agents();
  for (AgentId i = 0; i < graph.agents.agents(); ++i) {
    unsigned circle = 0;
    for (AgentId j : graph.everybody.neighbours(i)) circle |= 1u << j;
    if (graph.agents.degree(i) == 0) continue;
    for (unsigned lost = circle;; lost = (lost - 1) & circle) {
      const unsigned left = circle & ~lost;
      const bool alone = std::popcount(left & ((1u << graph.agents.agents()) - 1)) < 2;
      if (alone || !together(graph, left)) bound = std::min<std::size_t>(bound, std::popcount(lost));
      if (lost == 0) break;
    }
  }
  return graph.agents.edges() == 0 ? 0 : bound;
}

// A graph with arbitrary mask edges, not only those that with_helpers would choose.
HelpedGraph any_helped_graph(std::size_t most_agents, std::size_t most_helpers) {
  const Graph graph =
      random_graph(*rc::gen::inRange<std::size_t>(1, most_agents + 1),
                   *rc::gen::element(0u, 30u, 60u, 80u, 90u, 100u), *rc::gen::arbitrary<unsigned>());
  const std::size_t helpers = *rc::gen::inRange<std::size_t>(0, most_helpers + 1);
  std::vector<Edge> mask_edges;
  for (AgentId k = 0; k < helpers; ++k)
    for (AgentId i = 0; i < graph.agents(); ++i)
      if (*rc::gen::inRange(0, 3) > 0) mask_edges.emplace_back(i, static_cast<AgentId>(graph.agents() + k));
  return HelpedGraph(graph, helpers, mask_edges);
}

RC_GTEST_PROP(Helpers, BoundIsWhatNoCoalitionCanBreak, ()) {
  const HelpedGraph graph = any_helped_graph(7, 3);
  RC_ASSERT(collusion_bound(graph) == bound_by_trial(graph));
  RC_ASSERT(collusion_bound(graph) <= collusion_bound_paper(graph));
  RC_ASSERT(collusion_bound(graph) >= collusion_bound(graph.agents));
  RC_ASSERT(error_of([&] { check_triangles(graph); }).empty() ==
            (collusion_bound_paper(graph) > 0 || graph.agents.edges() == 0));
}

// h* >= 1 if and only if each agent's neighbours are two or more and linked among themselves.
RC_GTEST_PROP(Helpers, NoSingleAgentSplitsNeighboursIfAndOnlyIfAllAreLinked, ()) {
  const HelpedGraph graph = any_helped_graph(7, 2);
  bool all = graph.agents.edges() > 0;
  for (AgentId i = 0; i < graph.agents.agents(); ++i) {
    if (graph.agents.degree(i) == 0) continue;
    const Neighbourhood known = neighbourhood(graph, i);
    all = all && known.aggregators().size() >= 2 && linked(known, known.neighbours);
  }
  RC_ASSERT(all == (collusion_bound(graph) > 0));
}

RC_GTEST_PROP(Helpers, EachRaisesTheBoundByOneAsFarAsAnyCan, ()) {
  const Graph graph = any_connected_graph(2, 9);
  const std::size_t before = collusion_bound(graph);
  std::size_t most = graph.agents();
  for (AgentId i = 0; i < graph.agents(); ++i) most = std::min(most, graph.degree(i) - 1);
  for (std::size_t k = 1; k <= most - before; ++k) {
    const HelpedGraph helped = with_helpers(graph, k);
    RC_ASSERT(helped.helpers() == k);
    RC_ASSERT(helped.agents == graph);
    RC_ASSERT(bound_by_trial(helped) == before + k);
    RC_ASSERT(collusion_bound(helped) == before + k);
    const auto edges = helped.everybody.edge_list();
    for (const Edge& spared : edges) {  // all mask edges are needed
      if (spared.second < graph.agents()) continue;
      std::vector<Edge> rest;
      for (const Edge& edge : edges)
        if (edge.second >= graph.agents() && edge != spared) rest.push_back(edge);
      RC_ASSERT(collusion_bound(HelpedGraph(graph, k, rest)) < before + k);
    }
    RC_ASSERT(helped.everybody == with_helpers(graph, k).everybody);
  }
  RC_ASSERT(mentions(error_of([&] { with_helpers(graph, most - before + 1); }),
                     {"At most " + std::to_string(most - before) + " helpers"}));
}

TEST(Helpers, OneRaisesTheRingOfDegreeFourToTwo) {
  const Graph ring = ring_lattice(20, 4);
  ASSERT_EQ(collusion_bound(ring), 1u);
  const HelpedGraph one = with_helpers(ring, 1);
  EXPECT_EQ(collusion_bound(one), 2u);
  // Each neighbourhood of the ring is a path, so all agents need the helper.
  EXPECT_EQ(one.everybody.degree(20), 20u);
  EXPECT_EQ(collusion_bound(with_helpers(ring, 2)), 3u);
  EXPECT_FALSE(error_of([&] { with_helpers(ring, 3); }).empty());
}

TEST(Helpers, OneMendsTheBowTieWithThreeMaskEdges) {
  const HelpedGraph helped = with_helpers(bow_tie(), 1);
  EXPECT_EQ(collusion_bound(helped), 1u);
  EXPECT_EQ(helped.everybody.degree(5), 3u);  // the centre and one agent of each wing
  EXPECT_TRUE(helped.everybody.adjacent(0, 5));
}

TEST(Helpers, OneStandsInForMissingTriangles) {
  const Graph cycle = ring_lattice(8, 2);
  EXPECT_FALSE(error_of([&] { check_triangles(HelpedGraph(cycle)); }).empty());
  EXPECT_EQ(error_of([&] { check_triangles(with_helpers(cycle, 1)); }), "");
  // The error names an edge without a helper.
  EXPECT_TRUE(mentions(error_of([&] {
                         check_triangles(HelpedGraph(path(3), 1, {{0, 3}, {1, 3}}));
                       }),
                       {"Agents 1 and 2"}));
}

TEST(Helpers, OnlyWhereTheyCanHelp) {
  EXPECT_TRUE(
      mentions(error_of([] { with_helpers(complete_graph(5), 1); }), {"At most 0 helpers", "4 neighbours"}));
  EXPECT_TRUE(mentions(error_of([] { with_helpers(star(5), 1); }), {"agent 1 has 1 neighbours"}));
  EXPECT_EQ(with_helpers(star(5), 0).helpers(), 0u);
  EXPECT_FALSE(error_of([] { HelpedGraph(path(3), 1, {{0, 2}}); }).empty());
  EXPECT_FALSE(error_of([] { HelpedGraph(path(3), 2, {{3, 4}}); }).empty());
}

TEST(Helpers, NeighbourhoodDistinguishesThemFromAgents) {
  const HelpedGraph graph(path(3), 1, {{0, 3}, {1, 3}});
  const Neighbourhood middle = neighbourhood(graph, 1), helper = neighbourhood(graph, 3);
  EXPECT_EQ(middle.agents, 3u);
  EXPECT_EQ(middle.neighbours, Ids({0, 2, 3}));
  EXPECT_EQ(ids(middle.aggregators()), Ids({0, 2}));
  EXPECT_EQ(middle.degree_of(1), 2u);
  EXPECT_EQ(middle.degree_of(0), 1u);  // helpers do not change weights
  EXPECT_EQ(middle.circle(0), Ids({0, 3}));
  EXPECT_EQ(middle.circle(1), Ids({0, 2, 3}));
  EXPECT_FALSE(middle.helps());
  EXPECT_TRUE(helper.helps());
  EXPECT_EQ(ids(helper.aggregators()), Ids({0, 1}));
  EXPECT_EQ(helper.circle(1), Ids({0, 1}));
}

// Counts all messages by definition, as in traffic_test.cpp, with only agents as aggregators.
RC_GTEST_PROP(Helpers, TrafficCountsTheMessagesOfTheProtocol, ()) {
  const HelpedGraph graph = any_helped_graph(7, 3);
  const Graph& all = graph.everybody;
  const auto within = [&](AgentId i, AgentId l) { return i == l || all.adjacent(i, l); };
  for (AgentId j = 0; j < all.agents(); ++j) {
    std::uint64_t sent = 0;
    for (AgentId i = 0; i < graph.agents.agents(); ++i) {
      if (!within(i, j)) continue;
      sent += i != j;
      for (AgentId l = 0; l < all.agents(); ++l) sent += l != j && within(i, l) && within(j, l);
    }
    RC_ASSERT(messages_sent(graph, j) == sent);
  }
}

}  // namespace
}  // namespace tacit
