#include "tacit/graph/igraph_bridge.hpp"

#include <gtest/gtest.h>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

TEST(IgraphBridge, CountsDisjointPaths) {
  EXPECT_EQ(igraph_bridge::Paths(5, path(5).edge_list()).disjoint(0, 4), 1u);
  EXPECT_EQ(igraph_bridge::Paths(5, bow_tie().edge_list()).disjoint(1, 4), 1u);
  EXPECT_EQ(igraph_bridge::Paths(12, ring_lattice(12, 4).edge_list()).disjoint(0, 6), 4u);
  EXPECT_EQ(igraph_bridge::Paths(3, {{0, 1}}).disjoint(0, 2), 0u);
  EXPECT_EQ(igraph_bridge::Paths(2, {}).disjoint(0, 1), 0u);
}

TEST(IgraphBridge, TurnsErrorsIntoExceptionsAndContinues) {
  const igraph_bridge::Paths paths(5, path(5).edge_list());
  for (int repeat = 0; repeat < 3; ++repeat) {
    EXPECT_THROW(paths.disjoint(0, 1), Error);  // adjacent
    EXPECT_THROW(paths.disjoint(0, 0), Error);
    EXPECT_THROW(igraph_bridge::regular(5, 3, 1), Error);
    EXPECT_EQ(paths.disjoint(0, 2), 1u);
  }
}

}  // namespace
}  // namespace tacit
