// Helpers for tests of the protocols: random graphs that satisfy asm:graph, and the unmasked dynamics for
// comparison.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "tacit/graph/graph.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/protocol/consensus/chebyshev.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/secrecy/ring.hpp"

namespace tacit::testing {

/// A random connected graph in which every edge is in a triangle.
inline Graph random_triangle_graph(std::size_t agents, std::size_t extra_edges, std::mt19937_64& random) {
  std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}};
  for (AgentId i = 3; i < agents; ++i) {  // each new agent closes a triangle over an existing edge
    const auto [a, b] = edges[random() % edges.size()];
    edges.insert(edges.end(), {{a, i}, {b, i}});
  }
  for (std::size_t k = 0; k < extra_edges;
       ++k) {  // an edge between two neighbours of one agent does so as well
    const Graph so_far(agents, edges);
    const auto near = so_far.neighbours(static_cast<AgentId>(random() % agents));
    const AgentId a = near[random() % near.size()], b = near[random() % near.size()];
    if (a != b) edges.emplace_back(a, b);
  }
  return Graph(agents, edges);
}

/// A random connected graph, in which most edges are in no triangle.
inline Graph random_connected_graph(std::size_t agents, std::size_t extra_edges, std::mt19937_64& random) {
  std::vector<Edge> edges;
  for (AgentId i = 1; i < agents; ++i) edges.emplace_back(static_cast<AgentId>(random() % i), i);
  for (std::size_t k = 0; k < extra_edges; ++k) {
    const auto a = static_cast<AgentId>(random() % agents), b = static_cast<AgentId>(random() % agents);
    if (a != b) edges.emplace_back(a, b);
  }
  return Graph(agents, edges);
}

/// A number from -1 to 1, which is 1 or -1 in half of the cases.
inline long double extreme_or_ordinary(std::mt19937_64& random) {
  const std::uint64_t kind = random() % 4;
  return kind == 0 ? 1 : kind == 1 ? -1 : static_cast<long double>(random()) * 0x1p-63L - 1;
}

/// ⌊a/b + 1/2⌋ for b > 0.
inline Integer128 nearest_quotient(Integer128 a, Integer128 b) {
  const Integer128 doubled = 2 * a + b;
  Integer128 q = doubled / (2 * b);
  while (q * 2 * b > doubled) --q;
  return q;
}

/// (metroQuant) as in the paper, unmasked, on integers in units of L_z L_w, for one component.
inline std::vector<Integer128> plain_step(const MetropolisWeights& weights,
                                          const std::vector<Integer128>& state) {
  const Integer128 d = static_cast<Integer128>(weights.denominator());
  auto quantised = [&](std::size_t i) { return nearest_quotient(state[i], d); };
  std::vector<Integer128> next = state;
  for (AgentId i = 0; i < state.size(); ++i)
    for (AgentId j : weights.graph().neighbours(i))
      next[i] += static_cast<Integer128>(weights.between(i, j)) * (quantised(j) - quantised(i));
  return next;
}

/// The plan's dynamics, unmasked, for one component: (metroQuant), or Chebyshev's
/// z(t+1) = z(t−1) + ω(t) (z(t) + (W − I) Q(z(t)) − z(t−1)) in units of plan.unit().
inline std::vector<Integer128> plain_run(const MetropolisWeights& weights, const ConsensusPlan& plan,
                                         std::vector<Integer128> state) {
  if (plan.hardening.acceleration == Acceleration::none) {
    for (std::size_t t = 0; t < plan.iterations; ++t) state = plain_step(weights, state);
    return state;
  }
  const Integer128 guard = Integer128{1} << plan.guard_bits;
  const Integer128 d = static_cast<Integer128>(weights.denominator()) * guard;
  ChebyshevWeights omegas(plan.lambda);
  std::vector<Integer128> before = state;
  for (std::size_t t = 0; t < plan.iterations; ++t) {
    const auto omega = static_cast<Integer128>(omegas.next());
    std::vector<Integer128> next = before;
    for (AgentId i = 0; i < state.size(); ++i) {
      Integer128 sum = 0;
      for (AgentId j : weights.graph().neighbours(i))
        sum += static_cast<Integer128>(weights.between(i, j)) *
               (nearest_quotient(state[j], d) - nearest_quotient(state[i], d));
      next[i] += nearest_quotient(omega * (state[i] + guard * sum - before[i]), Integer128{1} << 30);
    }
    before = std::exchange(state, next);
  }
  return state;
}

}  // namespace tacit::testing
