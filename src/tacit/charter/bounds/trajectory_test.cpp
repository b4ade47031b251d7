#include "tacit/charter/bounds/trajectory.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <random>

#include "tacit/charter/bounds/estimate.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

TrajectoryFindings findings(const Graph& graph, const Coalition& coalition, bool blinded = false,
                            std::size_t iterations = 100, MaskSource masks = MaskSource::shares) {
  return trajectory_findings(observe(MetropolisWeights(graph), masks, coalition), blinded, iterations);
}

TEST(Trajectory, CompleteGraphGivesTheSumOnly) {
  for (std::size_t agents : {3u, 5u, 12u}) {
    const auto found = findings(complete_graph(agents), {0});
    EXPECT_EQ(found.rank, 2u);
    EXPECT_EQ(found.beyond, 0u);
    EXPECT_TRUE(found.singled_out.empty());
    ASSERT_EQ(found.only_together.size(), 1u);
    EXPECT_EQ(found.only_together[0].size(), agents - 1);
  }
  EXPECT_EQ(findings(complete_graph(6), {0, 2, 5}).rank, 4u);
}

// A ring is the same on both sides of an agent, so it can determine only sums of two mirrored agents.
TEST(Trajectory, RingGivesMirrorPairs) {
  const auto found = findings(ring_lattice(20, 4), {3});
  EXPECT_EQ(found.rank, 10u);  // not 11: another eigenvalue of W is double, as cos θ + cos 2θ at 72° and 144°
  EXPECT_EQ(found.singled_out, std::vector<AgentId>{13});  // the opposite agent is its own mirror image
  ASSERT_EQ(found.only_together.size(), 9u);
  for (const auto& group : found.only_together) {
    ASSERT_EQ(group.size(), 2u);
    EXPECT_EQ((group[0] + group[1]) % 20, 6u) << "mirrored at agent 3";
  }
  const auto odd = findings(ring_lattice(11, 4), {3});  // here, the sum of each pair is known
  EXPECT_EQ(odd.rank, 6u);
  ASSERT_EQ(odd.combinations.size(), 5u);
  for (const Combination& pair : odd.combinations) {
    ASSERT_EQ(pair.terms.size(), 2u);
    EXPECT_EQ((pair.terms[0].agent + pair.terms[1].agent) % 11, 6u);
    EXPECT_EQ(pair.terms[0].factor, pair.terms[1].factor);
  }
}

TEST(Trajectory, NeedsRoundsToSeeFar) {
  EXPECT_EQ(findings(ring_lattice(20, 4), {3}, false, 1).beyond, 1u);
  EXPECT_EQ(findings(ring_lattice(20, 4), {3}, false, 3).beyond, 3u);
}

// Compares the Krylov space over the prime with ranks in floating point, on small graphs where these are
// reliable.
TEST(Trajectory, RankAgreesWithTheObservabilityMatrix) {
  std::mt19937_64 random(5);
  for (int turn = 0; turn < 300; ++turn) {
    const Graph drawn = random_graph(4 + random() % 3, 60, static_cast<unsigned>(random()));
    auto edges = drawn.edge_list();
    for (AgentId i = 1; i < drawn.agents(); ++i) edges.emplace_back(i - 1, i);
    const Graph graph(drawn.agents(), edges);
    const MetropolisWeights weights(graph);
    const AgentId self = static_cast<AgentId>(random() % graph.agents());
    const auto n = static_cast<Eigen::Index>(graph.agents());
    Eigen::MatrixXd w(n, n), rows(n + 2, n);
    for (AgentId i = 0; i < graph.agents(); ++i)
      for (AgentId j = 0; j < graph.agents(); ++j)
        w(i, j) = static_cast<double>(weights.between(i, j)) * weights.lw();
    rows.row(0) = Eigen::RowVectorXd::Unit(n, self);
    for (Eigen::Index t = 1; t <= n; ++t) rows.row(t) = (rows.row(t - 1) * w);
    rows.row(n + 1).setOnes();
    for (Eigen::Index t = 0; t < n + 2; ++t) rows.row(t).normalize();
    Eigen::FullPivLU<Eigen::MatrixXd> lu(rows);
    lu.setThreshold(1e-11);
    EXPECT_EQ(findings(graph, {self}, false, 100, MaskSource::seeded).rank,
              static_cast<std::size_t>(lu.rank()))
        << "case " << turn;
  }
}

TEST(Trajectory, BlindingLeavesWhatTheGraphWithoutTheCoalitionKeepsTogether) {
  EXPECT_EQ(findings(ring_lattice(20, 4), {3}, true).beyond, 0u);
  EXPECT_EQ(findings(strip(), {0}, true).beyond, 0u);
  // Two pairs of neighbours cut the ring in two and see the sum of each part.
  const auto cut = findings(ring_lattice(20, 4), {3, 4, 10, 11}, true);
  EXPECT_EQ(cut.beyond, 1u);
  ASSERT_EQ(cut.combinations.size(), 2u);
  EXPECT_EQ(std::min(cut.combinations[0].terms.size(), cut.combinations[1].terms.size()), 5u);
  // The centre of the bow-tie also cuts it: each wing is a part.
  EXPECT_EQ(findings(bow_tie(), {0}, true).combinations.size(), 2u);
}

TEST(Observe, RefusesCoalitionsThatMakeNoSense) {
  const MetropolisWeights weights(complete_graph(3));
  const auto says = [&](Coalition coalition) {
    return error_of([&] { observe(weights, MaskSource::shares, coalition); });
  };
  EXPECT_TRUE(mentions(says({3}), {"agent 3", "0 to 2"}));
  EXPECT_TRUE(mentions(says({1, 1}), {"agent 1", "twice"}));
  EXPECT_TRUE(mentions(says({0, 1, 2}), {"all agents"}));
  EXPECT_TRUE(mentions(says({}), {"at least one"}));
}

}  // namespace
}  // namespace tacit
