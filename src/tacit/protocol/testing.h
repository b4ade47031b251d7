// What tests of the protocols share: random graphs that satisfy asm:graph, and the unmasked dynamics to
// compare with.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "tacit/graph/graph.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/protocol/plan.hpp"
#include "tacit/secrecy/ring.hpp"

namespace tacit::testing {

/// A random connected graph in which every edge lies in a triangle.
inline Graph random_triangle_graph(std::size_t agents, std::size_t extra_edges, std::mt19937_64& random) {
  std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}};
  for (AgentId i = 3; i < agents; ++i) {  // each newcomer closes a triangle over an edge that is there
    const auto [a, b] = edges[random() % edges.size()];
    edges.insert(edges.end(), {{a, i}, {b, i}});
  }
  for (std::size_t k = 0; k < extra_edges; ++k) {  // and so does an edge between two neighbours of one agent
    const Graph so_far(agents, edges);
    const auto near = so_far.neighbours(static_cast<AgentId>(random() % agents));
    const AgentId a = near[random() % near.size()], b = near[random() % near.size()];
    if (a != b) edges.emplace_back(a, b);
  }
  return Graph(agents, edges);
}

/// (metroQuant) as it stands in the paper, unmasked, on integers in units of L_z L_w, for one component.
inline std::vector<Integer128> plain_step(const MetropolisWeights& weights,
                                          const std::vector<Integer128>& state) {
  const Integer128 d = static_cast<Integer128>(weights.denominator());
  auto quantised = [&](std::size_t i) {  // ⌊S/D + 1/2⌋
    const Integer128 doubled = 2 * state[i] + d;
    Integer128 q = doubled / (2 * d);
    while (q * 2 * d > doubled) --q;
    return q;
  };
  std::vector<Integer128> next = state;
  for (AgentId i = 0; i < state.size(); ++i)
    for (AgentId j : weights.graph().neighbours(i))
      next[i] += static_cast<Integer128>(weights.between(i, j)) * (quantised(j) - quantised(i));
  return next;
}

}  // namespace tacit::testing
