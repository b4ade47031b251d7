// Which edges would make a graph withstand larger coalitions?
#pragma once

#include <optional>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// Edges to add so that h* = min_i κ(G[N_i]) is at least `wanted`: found step by step at the weakest
/// agent, so few, but not always the fewest. None if the search ends without success; empty if there is
/// nothing to do.
std::optional<std::vector<Edge>> edges_that_raise(const Graph& graph, std::size_t wanted);

}  // namespace tacit
