// The public numbers of a consensus run, chosen so that the theorems' conditions hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tacit/graph/helpers.hpp"
#include "tacit/protocol/bounds.hpp"

namespace tacit {

/// Which condition the modulus is judged by: the paper's (qbound), or our sharper one (modulus_bound_range).
enum class ModulusRule { paper, range };

struct PlanRequest {
  std::size_t dimension = 1;                 ///< p, how many numbers each agent brings
  double value_bound = 1;                    ///< B, a public bound on |z_i(0)|
  std::optional<double> lz;                  ///< L_z; a millionth of the value bound when absent
  std::optional<unsigned> modulus_bits;      ///< b; planned when absent, checked when given
  std::optional<std::size_t> iterations;     ///< T; planned from λ when absent
  std::optional<std::uint64_t> denominator;  ///< 1/L_w; the largest valid L_w when absent
  ModulusRule rule = ModulusRule::paper;
  bool require_triangles = true;  ///< refuse a graph with an edge in no triangle (asm:graph)
  bool leaving = false;           ///< agents may leave between rounds: see leaving.hpp
};

struct ConsensusPlan {
  std::size_t agents = 0;
  std::size_t dimension = 0;
  double value_bound = 0;
  double lz = 0;
  std::uint64_t denominator = 0;  ///< 1/L_w
  bool exact_weights = true;      ///< false where weights are rounded down to multiples of L_w
  double lambda = 0;
  unsigned modulus_bits = 0;   ///< b, with q = 2^b
  unsigned required_bits = 0;  ///< the fewest bits the rule allows
  std::size_t iterations = 0;  ///< T
  ModulusRule rule = ModulusRule::paper;
  bool leaving = false;  ///< agents may leave between rounds, and call a roll in each

  double lw() const { return 1.0 / static_cast<double>(denominator); }
  std::size_t element_bytes() const { return (modulus_bits + 7) / 8; }
  std::size_t message_bytes() const { return element_bytes() * dimension; }
  ModulusQuestion question() const { return {agents, dimension, lz, denominator, lambda, value_bound}; }

  /// What is left of the initial disagreement after T iterations, at most.
  double transient() const { return transient_error(lambda, agents, 2 * value_bound, iterations); }
};

/// Checks the graph (connected; every edge in a triangle) and the request, and chooses what was left open.
/// Throws InputError with the number that would do when L_z, L_w, T or the modulus cannot be used.
ConsensusPlan make_plan(const Graph& graph, const PlanRequest& request);

/// The same for a graph with helpers, one of which may be the third in an edge's triangle. All other numbers
/// are those of the graph without.
ConsensusPlan make_plan(const HelpedGraph& graph, PlanRequest request);

/// The fewest bits that `rule` allows for this question. Throws InputError when even 128 do not suffice.
unsigned required_bits(ModulusRule rule, const ModulusQuestion& question);

/// Messages and payload bytes, of one agent or of all.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// What one agent sends in a whole run: masked values (theta), its shares as aggregator (ishare) and as
/// neighbour (jshare), the terms of (commComplex) seen from the sender.
Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan, AgentId agent);

/// What all agents and helpers send in a whole run: T (|E| + (commComplex)) messages. With `leaving` a roll
/// of one byte to every neighbour and round comes on top, here and above, and it is assumed that nobody
/// leaves.
Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan);

}  // namespace tacit
