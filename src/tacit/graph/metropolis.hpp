// Metropolis weights as integers, eqs (wij), (Lw) and (W).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// The weight w̄ = floor(D / (2 (1 + max(|N_i|, |N_j|)))) of an edge, in units of L_w = 1/D: what an agent
/// computes from what it knows within two hops. If `exact`, throws InputError unless the division leaves no
/// rest; always throws InputError if the weight would be 0.
std::uint64_t metropolis_weight(std::uint64_t denominator, bool exact, std::size_t degree_i,
                                std::size_t degree_j);

/// The weights w̄_ij = w_ij / L_w of a whole graph. They are such that W of eq (W) is symmetric and doubly
/// stochastic with a diagonal of at least 1/2, hence W ⪰ 0 (Lemma lem:tech).
class MetropolisWeights {
 public:
  /// D = 1/L_w is the least common multiple of 2 (1 + max(|N_i|, |N_j|)) over the edges while that is below
  /// 2^20. Else D = 2^16 and weights are rounded down. 1 for a graph without edges. Throws InputError if a
  /// weight would be rounded to 0, which takes an agent with more than 32767 neighbours.
  explicit MetropolisWeights(const Graph& graph);
  /// With a given D. Throws InputError, naming the edge and a D that fits, unless every D * w_ij is an
  /// integer (Lw).
  MetropolisWeights(const Graph& graph, std::uint64_t denominator);

  /// For a graph that agents may leave: D is such that the weights of all graphs without some of the agents
  /// are whole numbers too, as far as that is possible below 2^20; else they are rounded down. With a given
  /// D, throws InputError unless they are whole.
  static MetropolisWeights for_leaving(const Graph& graph, std::optional<std::uint64_t> denominator = {});

  /// D = 1/L_w.
  std::uint64_t denominator() const { return denominator_; }
  /// L_w.
  double lw() const { return 1.0 / static_cast<double>(denominator_); }
  /// False if weights were rounded down to multiples of L_w.
  bool exact() const { return exact_; }
  /// D * W_ij of two agents: w̄_ij if they are neighbours, 0 if not, and what is left of D if i = j. Throws
  /// InputError for an agent that is not in the graph.
  std::uint64_t between(AgentId i, AgentId j) const;
  /// The graph these weights are for.
  const Graph& graph() const { return graph_; }

 private:
  MetropolisWeights(const Graph& graph, std::uint64_t denominator, bool exact)
      : graph_(graph), denominator_(denominator), exact_(exact) {}

  Graph graph_;
  std::uint64_t denominator_ = 1;
  bool exact_ = true;
};

}  // namespace tacit
