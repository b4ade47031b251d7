#include "tacit/charter/bounds/smallest_coalition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/charter/bounds/trajectory.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

Graph complete_without(std::size_t agents, Edge missing) {
  auto edges = complete_graph(agents).edge_list();
  std::erase(edges, missing);
  return {agents, edges};
}

Weakest in_a_round(const Graph& graph, MaskSource masks, bool blinded = false) {
  return weakest_in_one_round(MetropolisWeights(graph), {masks, blinded, 100});
}

Weakest in_all(const Graph& graph, MaskSource masks, bool blinded = false, std::size_t iterations = 100) {
  const MetropolisWeights weights(graph);
  const WeakestQuestion question{masks, blinded, iterations};
  return weakest_in_all_rounds(weights, question, weakest_in_one_round(weights, question));
}

// Findings 8: h = 5, but two agents have the value of a third after one round.
TEST(Weakest, CompleteGraphWithoutAnEdge) {
  const Graph graph = complete_without(8, {0, 1});
  for (const MaskSource masks : {MaskSource::shares, MaskSource::seeded}) {
    EXPECT_EQ(mask_bound(graph, masks), 5u);
    const Weakest weakest = in_a_round(graph, masks);
    EXPECT_EQ(weakest.withstands, 1u);
    EXPECT_TRUE(weakest.complete);
    ASSERT_TRUE(weakest.exposure);
    EXPECT_EQ(weakest.exposure->coalition, (Coalition{0, 2}));
    EXPECT_EQ(weakest.exposure->learns, 1u);
  }
}

// Findings 8: h = 3, and three agents suffice.
TEST(Weakest, RingOfTwelveWithSeededMasks) {
  const Graph graph = ring_lattice(12, 4);
  EXPECT_EQ(mask_bound(graph, MaskSource::seeded), 3u);
  const Weakest weakest = in_a_round(graph, MaskSource::seeded);
  EXPECT_EQ(weakest.withstands, 2u);
  ASSERT_TRUE(weakest.exposure);
  EXPECT_EQ(weakest.exposure->coalition.size(), 3u);
  const Span view = round_view(MetropolisWeights(graph), MaskSource::seeded, {0, 1, 3});
  Functional tenth(12, 0);
  tenth[10] = 1;
  EXPECT_TRUE(view.contains(tenth));
}

// The opposite agent is its own mirror image: a single agent has its value after all rounds, but not after
// one.
TEST(Weakest, RingOfTwentyInAllRounds) {
  EXPECT_EQ(in_a_round(ring_lattice(20, 4), MaskSource::seeded).withstands, 2u);
  const Weakest all = in_all(ring_lattice(20, 4), MaskSource::seeded);
  EXPECT_EQ(all.withstands, 0u);
  ASSERT_TRUE(all.exposure);
  EXPECT_EQ(all.exposure->coalition, Coalition{0});
  EXPECT_EQ(all.exposure->learns, 10u);
}

TEST(Weakest, CompleteGraphsWithstandAllButTwo) {
  for (const bool blinded : {false, true}) {
    EXPECT_EQ(in_a_round(complete_graph(6), MaskSource::shares, blinded).withstands, 4u);
    const Weakest all = in_all(complete_graph(6), MaskSource::seeded, blinded);
    EXPECT_EQ(all.withstands, 4u);
    EXPECT_FALSE(all.exposure);
    EXPECT_TRUE(all.complete);
  }
}

TEST(Weakest, BlindedOnlySurroundedAgentsAreExposed) {
  const Graph ring = ring_lattice(12, 4);
  EXPECT_GE(in_a_round(ring, MaskSource::seeded, true).withstands, 3u);
  const Weakest all = in_all(ring, MaskSource::seeded, true);
  EXPECT_GE(all.withstands, 3u);
  ASSERT_TRUE(all.exposure);
  for (AgentId j : ring.neighbours(all.exposure->learns))
    EXPECT_TRUE(std::count(all.exposure->coalition.begin(), all.exposure->coalition.end(), j)) << j;
}

TEST(Weakest, ReportsWhereTheSearchEnded) {
  const Graph graph = ring_lattice(60, 6);
  WeakestQuestion question{MaskSource::seeded, false, 100};
  question.most_work = 2e4;
  const Weakest weakest = weakest_in_one_round(MetropolisWeights(graph), question);
  EXPECT_FALSE(weakest.complete);
  EXPECT_FALSE(weakest.exposure);
  EXPECT_LE(weakest.withstands, in_a_round(graph, MaskSource::seeded).withstands);
}

// Compares the search with an enumeration of all coalitions.
TEST(Weakest, AgreesWithAllCoalitionsOfSmallGraphs) {
  std::mt19937_64 random(21);
  std::size_t sizes[8] = {};
  for (int turn = 0; turn < 300; ++turn) {
    const std::size_t agents = 4 + random() % 4;
    auto edges =
        random_graph(agents, static_cast<unsigned>(30 + random() % 60), static_cast<unsigned>(random()))
            .edge_list();
    for (AgentId i = 1; i < agents; ++i) edges.emplace_back(i - 1, i);
    const Graph graph(agents, edges);
    const MetropolisWeights weights(graph);
    const MaskSource masks = random() % 2 ? MaskSource::seeded : MaskSource::shares;
    const bool blinded = random() % 2;
    const std::size_t iterations = 1 + random() % 8;
    std::size_t one = agents - 1, all = agents - 1;  // sizes of the smallest coalitions that learn a value
    for (std::size_t set = 1; set + 1 < std::size_t{1} << agents; ++set) {
      Coalition coalition;
      for (AgentId i = 0; i < agents; ++i)
        if (set >> i & 1) coalition.push_back(i);
      if (coalition.size() + 2 > agents) continue;
      const Observer observer = observe(weights, masks, coalition);
      if (!trajectory_findings(observer, blinded, iterations).singled_out.empty())
        all = std::min(all, coalition.size());
      const Span view = round_view(weights, masks, coalition);
      const auto parts = parts_without(graph, coalition);
      for (const MaskPart& part : parts) {
        for (AgentId k : part) {
          Functional value(agents, 0);
          value[k] = 1;
          if (view.contains(value) && (!blinded || part.size() == 1)) one = std::min(one, coalition.size());
        }
      }
    }
    const WeakestQuestion question{masks, blinded, iterations};
    const Weakest in_one = weakest_in_one_round(weights, question);
    EXPECT_EQ(in_one.withstands, one - 1) << "case " << turn;
    EXPECT_EQ(weakest_in_all_rounds(weights, question, in_one).withstands, all - 1) << "case " << turn;
    ++sizes[one];
  }
  EXPECT_GT(sizes[1], 10u);
  EXPECT_GT(sizes[2], 10u);
  EXPECT_GT(sizes[3] + sizes[4], 10u);
}

}  // namespace
}  // namespace tacit
