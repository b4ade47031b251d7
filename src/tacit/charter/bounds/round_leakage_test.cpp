#include "tacit/charter/bounds/round_leakage.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/lab/mask_helpers/helped_graph.hpp"

namespace tacit {
namespace {

Coalition random_coalition(std::size_t agents, std::mt19937_64& random) {
  Coalition coalition;
  for (AgentId i = 0; i < agents; ++i)
    if (random() % 3 == 0) coalition.push_back(i);
  if (coalition.empty()) coalition.push_back(static_cast<AgentId>(random() % agents));
  if (coalition.size() == agents) coalition.pop_back();
  return coalition;
}

// Checks the argument about components against elimination, which uses only the definition of the messages.
TEST(Round, PartsAgreeWithEliminationOnThousandsOfGraphs) {
  std::mt19937_64 random(1);
  std::size_t leaking = 0, whole = 0;
  for (int turn = 0; turn < 4000; ++turn) {
    const Graph graph = random_graph(2 + random() % 7, static_cast<unsigned>(20 + random() % 80),
                                     static_cast<unsigned>(random()));
    const MetropolisWeights weights(graph);
    const Coalition coalition = random_coalition(graph.agents(), random);
    for (MaskSource masks : {MaskSource::shares, MaskSource::seeded}) {
      const Span view = round_view(weights, masks, coalition);
      ASSERT_EQ(view, round_view_by_elimination(weights, masks, coalition)) << "case " << turn;
      const Span outputs = round_outputs(weights, coalition);
      for (const Functional& output : outputs.rows()) ASSERT_TRUE(view.contains(output)) << "case " << turn;
      if (masks == MaskSource::seeded) {
        ASSERT_EQ(view, outputs) << "a coalition split a sum with seeded masks";
      }
      ++(view.rank() > outputs.rank() ? leaking : whole);
    }
  }
  EXPECT_GT(leaking, 500u);  // both kinds occurred
  EXPECT_GT(whole, 500u);
}

// h* is exact. No coalition of that size splits a sum. A coalition of one agent more does, unless all
// neighbours are adjacent; then the sum that remains is the value of one agent.
TEST(Round, CollusionBoundIsTheTruth) {
  std::mt19937_64 random(2);
  for (int turn = 0; turn < 300; ++turn) {
    const Graph graph = random_graph(3 + random() % 5, static_cast<unsigned>(50 + random() % 50),
                                     static_cast<unsigned>(random()));
    if (graph.edges() == 0) continue;
    const std::size_t bound = collusion_bound(graph);
    for (unsigned set = 1; set + 1 < 1u << graph.agents(); ++set) {
      Coalition coalition;
      for (AgentId i = 0; i < graph.agents(); ++i)
        if (set >> i & 1) coalition.push_back(i);
      if (coalition.size() <= bound) {
        EXPECT_TRUE(broken_sums(graph, MaskSource::shares, coalition).empty());
      }
    }
    const auto weakest = weakest_agent(graph);
    ASSERT_TRUE(weakest);
    ASSERT_EQ(weakest->separator.size(), bound);
    Coalition coalition = weakest->separator;
    coalition.insert(std::lower_bound(coalition.begin(), coalition.end(), weakest->agent), weakest->agent);
    const auto parts = mask_parts(graph, MaskSource::shares, weakest->agent, coalition);
    EXPECT_TRUE(parts.size() > 1 || parts.front().size() == 1) << "case " << turn;
  }
}

// The bound that with_helpers promises holds against all coalitions of agents and helpers. Elimination over
// all shares, including those of helpers, agrees with the parts.
TEST(Round, HelpersRaiseTheBoundAsPromised) {
  std::mt19937_64 random(3);
  std::size_t raised = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const auto seed = static_cast<unsigned>(random());
    const auto percent = static_cast<unsigned>(60 + random() % 40);
    const Graph graph = random_graph(4 + random() % 3, percent, seed);
    if (graph.edges() == 0 || !connected(graph)) continue;
    HelpedGraph helped(graph);
    try {
      helped = with_helpers(graph, 1);
    } catch (const InputError&) {
      continue;  // no helper can raise the bound
    }
    const std::size_t bound = collusion_bound(helped), everybody = graph.agents() + 1;
    EXPECT_GT(bound, collusion_bound(graph));
    ++raised;
    const MaskMakers masks(MaskSource::shares, &helped.everybody);
    const MetropolisWeights weights(graph);
    for (unsigned set = 1; set + 1 < 1u << everybody; ++set) {
      Coalition coalition;
      for (AgentId i = 0; i < everybody; ++i)
        if (set >> i & 1) coalition.push_back(i);
      const Span view = round_view(weights, masks, coalition);
      ASSERT_EQ(view, round_view_by_elimination(weights, masks, coalition)) << "case " << turn;
      if (coalition.size() <= bound) {
        EXPECT_TRUE(broken_sums(graph, masks, coalition).empty()) << "case " << turn;
      }
    }
  }
  EXPECT_GT(raised, 10u);
}

TEST(Round, BowTieFallsApartAtItsCentre) {
  const auto broken = broken_sums(bow_tie(), MaskSource::shares, {0});
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].aggregator, 0u);
  EXPECT_EQ(broken[0].parts, (std::vector<MaskPart>{{1, 2}, {3, 4}}));
  EXPECT_TRUE(broken_sums(bow_tie(), MaskSource::seeded, {0}).empty());
  EXPECT_TRUE(broken_sums(bow_tie(), MaskSource::shares, {1}).empty());
}

}  // namespace
}  // namespace tacit
