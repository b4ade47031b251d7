// Suggests edges that make a graph withstand larger coalitions. Knows only the graph, not the protocol's
// numbers.
#pragma once

#include <optional>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// Returns edges whose addition makes h* = min_i κ(G[N_i]) at least `wanted`. The greedy search starts at the
/// weakest agent in each step, so it finds few edges, but not always the fewest. Returns none if the search
/// fails, and an empty list if the graph suffices.
std::optional<std::vector<Edge>> edges_that_raise(const Graph& graph, std::size_t wanted);

}  // namespace tacit
