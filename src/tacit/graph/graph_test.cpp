#include "tacit/graph/graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

TEST(Graph, MergesDoublesAndSortsNeighbours) {
  const Graph graph(5, {{3, 1}, {1, 3}, {0, 1}, {1, 0}, {4, 1}, {1, 2}, {1, 2}});
  EXPECT_EQ(graph.agents(), 5u);
  EXPECT_EQ(graph.edges(), 4u);
  EXPECT_EQ(ids(graph.neighbours(1)), (Ids{0, 2, 3, 4}));
  EXPECT_EQ(ids(graph.neighbours(3)), (Ids{1}));
  EXPECT_EQ(graph.degree(1), 4u);
  EXPECT_EQ(graph.max_degree(), 4u);
  EXPECT_TRUE(graph.adjacent(3, 1));
  EXPECT_TRUE(graph.adjacent(1, 3));
  EXPECT_FALSE(graph.adjacent(0, 2));
  EXPECT_FALSE(graph.adjacent(1, 1));
  EXPECT_FALSE(graph.complete());
  EXPECT_EQ(graph.edge_list(), (std::vector<Edge>{{0, 1}, {1, 2}, {1, 3}, {1, 4}}));
}

TEST(Graph, ASingleAgentIsAGraph) {
  const Graph graph(1, {});
  EXPECT_EQ(graph.edges(), 0u);
  EXPECT_EQ(graph.max_degree(), 0u);
  EXPECT_TRUE(graph.complete());
  EXPECT_TRUE(graph.neighbours(0).empty());
  EXPECT_TRUE(common_neighbours(graph).empty());
  EXPECT_TRUE(neighbourhood(graph, 0).circle(0).empty());
}

TEST(Graph, RefusesWhatIsNotAGraphAndNamesTheEdge) {
  EXPECT_TRUE(mentions(error_of([] { Graph(4, {{0, 1}, {2, 2}}); }), {"2-2", "itself"}));
  EXPECT_TRUE(mentions(error_of([] { Graph(4, {{0, 1}, {4, 2}}); }), {"2-4", "0 to 3"}));
  EXPECT_TRUE(mentions(error_of([] { Graph(0, {}); }), {"at least one agent"}));
  EXPECT_TRUE(mentions(error_of([] { Graph(Graph::most_agents + 1, {}); }), {"at most 1000000"}));
}

TEST(Graph, RefusesAgentsThatAreNotThere) {
  const Graph graph = bow_tie();
  for (const auto& action : std::vector<std::function<void()>>{
           [&] { graph.neighbours(5); }, [&] { graph.degree(5); }, [&] { graph.adjacent(0, 5); },
           [&] { graph.adjacent(5, 0); }, [&] { neighbourhood(graph, 5); }}) {
    EXPECT_TRUE(mentions(error_of(action), {"no agent 5", "0 to 4"}));
  }
}

TEST(Neighbourhood, RefusesAgentsItDoesNotKnow) {
  EXPECT_FALSE(error_of([] { neighbourhood(bow_tie(), 3).circle(2); }).empty());
  const Neighbourhood known = neighbourhood(bow_tie(), 1);
  EXPECT_TRUE(mentions(error_of([&] { known.circle(3); }), {"Agent 3 is not a neighbour of agent 1"}));
  EXPECT_TRUE(mentions(error_of([&] { known.degree_of(4); }), {"Agent 4 is not a neighbour of agent 1"}));
}

TEST(Neighbourhood, KnowsItsTwoHops) {
  const Neighbourhood known = neighbourhood(bow_tie(), 1);
  EXPECT_EQ(known.self, 1u);
  EXPECT_EQ(known.agents, 5u);
  EXPECT_EQ(known.neighbours, (Ids{0, 2}));
  EXPECT_EQ(known.neighbours_of, (std::vector<Ids>{{1, 2, 3, 4}, {0, 1}}));
  EXPECT_EQ(known.circle(1), (Ids{0, 2}));
  EXPECT_EQ(known.circle(0), (Ids{0, 2}));
  EXPECT_EQ(known.degree_of(0), 4u);
  EXPECT_EQ(known.degree_of(1), 2u);
}

RC_GTEST_PROP(Graph, ListsAndCountsAgree, ()) {
  const Graph graph = any_graph(1, 12);
  const auto list = graph.edge_list();
  RC_ASSERT(list.size() == graph.edges());
  RC_ASSERT(std::is_sorted(list.begin(), list.end()));
  RC_ASSERT(Graph(graph.agents(), list) == graph);
  std::size_t joined = 0;
  std::size_t largest = 0;
  for (AgentId i = 0; i < graph.agents(); ++i) {
    largest = std::max(largest, graph.degree(i));
    for (AgentId j = 0; j < graph.agents(); ++j) {
      const bool listed = std::count(list.begin(), list.end(), Edge(std::min(i, j), std::max(i, j))) == 1;
      RC_ASSERT(graph.adjacent(i, j) == listed);
      joined += graph.adjacent(i, j);
    }
  }
  RC_ASSERT(graph.max_degree() == largest);
  RC_ASSERT(joined == 2 * graph.edges());
  RC_ASSERT(graph.complete() == (joined == graph.agents() * (graph.agents() - 1)));
}

std::set<AgentId> closed(const Graph& graph, AgentId agent) {
  const auto near = graph.neighbours(agent);
  std::set<AgentId> all(near.begin(), near.end());
  all.insert(agent);
  return all;
}

RC_GTEST_PROP(Neighbourhood, CirclesAreSetIntersections, ()) {
  const Graph graph = any_graph(1, 12);
  for (AgentId self = 0; self < graph.agents(); ++self) {
    const Neighbourhood known = neighbourhood(graph, self);
    for (AgentId a : closed(graph, self)) {
      std::vector<AgentId> expected;
      for (AgentId l : closed(graph, a)) {
        if (l != self && closed(graph, self).contains(l)) expected.push_back(l);
      }
      RC_ASSERT(known.circle(a) == expected);
      RC_ASSERT(known.degree_of(a) == graph.degree(a));
    }
  }
}

// Shares are exchanged in both directions: if j sends agent l a share for aggregator i, then l also sends one
// to j (Lemma lem:zeroshare).
RC_GTEST_PROP(Neighbourhood, CirclesAreMutual, ()) {
  const Graph graph = any_graph(2, 10);
  for (AgentId j = 0; j < graph.agents(); ++j) {
    for (AgentId i : closed(graph, j)) {
      for (AgentId l : neighbourhood(graph, j).circle(i)) {
        const auto back = neighbourhood(graph, l).circle(i);
        RC_ASSERT(std::binary_search(back.begin(), back.end(), j));
      }
    }
  }
}

RC_GTEST_PROP(Graph, CommonNeighboursAreCounted, ()) {
  const Graph graph = any_graph(1, 14);
  const auto list = graph.edge_list();
  const auto counts = common_neighbours(graph);
  RC_ASSERT(counts.size() == list.size());
  for (std::size_t e = 0; e < list.size(); ++e) {
    std::size_t expected = 0;
    for (AgentId l = 0; l < graph.agents(); ++l) {
      expected += graph.adjacent(l, list[e].first) && graph.adjacent(l, list[e].second);
    }
    RC_ASSERT(counts[e] == expected);
  }
}

}  // namespace
}  // namespace tacit
