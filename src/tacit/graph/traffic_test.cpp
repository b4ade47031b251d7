#include "tacit/graph/traffic.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

TEST(Traffic, OfARingOfDegreeFourIsEighteenMessagesAnAgent) {
  const Graph ring = ring_lattice(20, 4);
  for (AgentId i = 0; i < 20; ++i) EXPECT_EQ(messages_sent(ring, i), 18u);
  EXPECT_EQ(share_messages(ring), 20u * 14);
}

TEST(Traffic, OfSmallGraphs) {
  EXPECT_EQ(share_messages(Graph(1, {})), 0u);
  EXPECT_EQ(messages_sent(Graph(1, {}), 0), 0u);
  EXPECT_EQ(share_messages(path(2)), 4u);  // no third agent: both only swap shares
  EXPECT_EQ(messages_sent(path(2), 0), 3u);
  EXPECT_EQ(messages_sent(bow_tie(), 0), 16u);
  EXPECT_EQ(messages_sent(bow_tie(), 1), 8u);
  EXPECT_FALSE(error_of([] { messages_sent(path(2), 2); }).empty());
}

// Every message by its definition: (sender, receiver, aggregator, kind).
RC_GTEST_PROP(Traffic, CountsTheMessagesOfTheProtocol, ()) {
  const Graph graph = any_graph(1, 10);
  std::vector<std::uint64_t> sent(graph.agents(), 0);
  std::uint64_t shares = 0;
  const auto within = [&](AgentId i, AgentId l) { return i == l || graph.adjacent(i, l); };  // l in N_i⁺
  for (AgentId i = 0; i < graph.agents(); ++i) {
    for (AgentId j = 0; j < graph.agents(); ++j) {
      if (!within(i, j)) continue;
      sent[j] += i != j;  // (theta)
      for (AgentId l = 0; l < graph.agents(); ++l) {
        if (l == j || !within(i, l) || !within(j, l)) continue;
        ++sent[j];  // (ishare) if j = i, else (jshare)
        ++shares;
      }
    }
  }
  for (AgentId j = 0; j < graph.agents(); ++j) RC_ASSERT(messages_sent(graph, j) == sent[j]);
  RC_ASSERT(share_messages(graph) == shares);
  // The bound of (commComplex), where the paper counts every edge in both directions.
  RC_ASSERT(shares <= 2 * graph.edges() * (1 + graph.max_degree()));
}

}  // namespace
}  // namespace tacit
