// The public numbers of a consensus run, chosen so that the theorems' conditions hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tacit/graph/graph.hpp"
#include "tacit/protocol/consensus/bounds.hpp"
#include "tacit/protocol/consensus/hardening.hpp"

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
  bool require_triangles = true;  ///< refuse an edge in no triangle (asm:graph); seeded masks need none
  Hardening hardening = {};
};

struct ConsensusPlan {
  std::size_t agents = 0;
  std::size_t max_degree = 0;  ///< Δ
  std::size_t dimension = 0;
  double value_bound = 0;  ///< B, on |z_i(0)| as agents bring it
  double start_bound = 0;  ///< on states before round 0: B and the blinding's noise
  double state_bound = 0;  ///< on states in any round
  double lz = 0;
  std::uint64_t denominator = 0;  ///< 1/L_w
  bool exact_weights = true;      ///< false where weights are rounded down to multiples of L_w
  double lambda = 0;
  unsigned modulus_bits = 0;   ///< b, with q = 2^b
  unsigned required_bits = 0;  ///< the fewest bits the rule allows
  std::size_t iterations = 0;  ///< T
  ModulusRule rule = ModulusRule::paper;
  Hardening hardening = {};
  unsigned guard_bits = 0;  ///< of a state below L_z L_w; 0 without acceleration
  unsigned noise_bits = 0;  ///< blinding: noise lies in ±2^noise_bits units of a state

  double lw() const { return 1.0 / static_cast<double>(denominator); }
  std::size_t element_bytes() const { return (modulus_bits + 7) / 8; }
  std::size_t message_bytes() const { return element_bytes() * dimension; }
  ModulusQuestion question() const { return {agents, dimension, lz, denominator, lambda, state_bound}; }

  /// What a state counts in: L_z L_w / 2^guard_bits.
  long double unit() const;
  /// Twice the largest number that a step handles, in units of a state.
  long double range() const;
  /// What is left of the initial disagreement after T iterations, at most.
  double transient() const;
  /// How far the quantiser can keep an average from the truth in the limit of many iterations: L_z by Theorem
  /// 2, more in the worst case with acceleration.
  double quantiser_error() const;
  /// How far an agent's average can be from the truth after T iterations, at most: what is left at T, what
  /// the quantiser can have done by then, and the rounding of starts and results.
  double error() const;
  /// The fewest iterations after which error() is below `target`; none when that takes too many, or
  /// a smaller L_z.
  std::optional<std::size_t> iterations_within(double target) const;
  /// The fewest iterations that leave at most `target` of the initial disagreement; at most L_z of it.
  std::size_t iterations_leaving(double target) const;
  std::size_t enough_iterations() const { return iterations_leaving(lz); }
};

/// Checks the graph (connected; every edge in a triangle) and the request, and chooses what was left open.
/// Throws InputError, with a number that would work, when L_z, L_w, T or the modulus cannot be used.
ConsensusPlan make_plan(const Graph& graph, const PlanRequest& request);

/// The fewest bits that this plan's rule would allow if values up to `value_bound` were to be averaged.
unsigned required_bits(const ConsensusPlan& plan, double value_bound);

/// The fewest bits that `rule` allows for this question. Throws InputError when even 128 do not suffice.
unsigned required_bits(ModulusRule rule, const ModulusQuestion& question);

/// Messages and payload bytes, of one agent or of all.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;

  friend Traffic operator+(Traffic a, Traffic b) { return {a.messages + b.messages, a.bytes + b.bytes}; }
};

/// What one agent sends in a whole run: masked values (theta) and, unless masks are seeded, its shares as
/// aggregator (ishare) and as neighbour (jshare), the terms of (commComplex) seen from the sender. Before
/// round 0 come public keys for seeded masks, in the first such run on its channel, and noise for blinding.
Traffic planned_traffic(const Graph& graph, const ConsensusPlan& plan, AgentId agent);

/// What all agents send in a whole run.
Traffic planned_traffic(const Graph& graph, const ConsensusPlan& plan);

/// What the iterations of a run add up to when `messages` are sent in each.
Traffic traffic_of_rounds(const ConsensusPlan& plan, std::uint64_t messages);

/// What agents exchange before round 0: public keys for seeded masks, sent in the first run on a channel
/// alone, and noise for blinding.
Traffic key_traffic(const Graph& graph, const ConsensusPlan& plan);
Traffic noise_traffic(const Graph& graph, const ConsensusPlan& plan);

/// The longest chain of messages that wait for each other, at most.
std::uint64_t planned_rounds(const Graph& graph, const ConsensusPlan& plan);

}  // namespace tacit
