// Metropolis weights as integers, eqs (wij), (Lw) and (W).
//
// Threads: any thread may call these functions; several threads may read one object.
// Errors: InputError, as described for each function.
// Stopping: no function can be stopped. The longest takes time proportional to the edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// Returns the weight w̄ = floor(D / (2 (1 + max(|N_i|, |N_j|)))) of an edge, in units of L_w = 1/D. An agent
/// can compute it from its knowledge within two hops. Throws InputError if the weight is 0 and, if `exact`,
/// if the division has a remainder.
std::uint64_t metropolis_weight(std::uint64_t denominator, bool exact, std::size_t degree_i,
                                std::size_t degree_j);

/// The weights w̄_ij = w_ij / L_w of a whole graph. W of eq (W) is symmetric and doubly stochastic with a
/// diagonal of at least 1/2; hence W ⪰ 0 (Lemma lem:tech).
class MetropolisWeights {
 public:
  /// Computes exact weights if possible: D = 1/L_w is the least common multiple of 2 (1 + max(|N_i|, |N_j|))
  /// over the edges if that is below 2^20 (1 for a graph without edges). Otherwise D = 2^16, and weights are
  /// rounded down. Throws InputError if a weight is rounded to 0, which requires an agent with more than
  /// 32767 neighbours.
  explicit MetropolisWeights(const Graph& graph);
  /// Computes exact weights for a given D. Throws InputError, naming the edge and a suitable D, unless every
  /// D * w_ij is an integer (Lw).
  MetropolisWeights(const Graph& graph, std::uint64_t denominator);

  /// D = 1/L_w.
  std::uint64_t denominator() const { return denominator_; }
  /// L_w.
  double lw() const { return 1.0 / static_cast<double>(denominator_); }
  /// Returns false if weights were rounded down to multiples of L_w.
  bool exact() const { return exact_; }
  /// Returns D * W_ij: w̄_ij for neighbours, 0 for other pairs, and the rest of D if i = j. Throws InputError
  /// for an agent that is not in the graph.
  std::uint64_t between(AgentId i, AgentId j) const;
  /// Returns the graph of these weights.
  const Graph& graph() const { return graph_; }

 private:
  Graph graph_;
  std::uint64_t denominator_ = 1;
  bool exact_ = true;
};

}  // namespace tacit
