// Chooses the public parameters of a consensus run so that the theorems' conditions hold.
//
// Threads: any thread may call these functions; several threads may read one plan.
// Errors: InputError, as described for each function; Error if λ cannot be computed.
// Stopping: make_plan throws Stopped as consensus_rate does (graph/spectrum.hpp). The other functions are
// short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tacit/graph/graph.hpp"
#include "tacit/protocol/consensus/bounds.hpp"
#include "tacit/protocol/consensus/hardening.hpp"

namespace tacit {

/// The condition on the modulus: the paper's (qbound), or the sharper modulus_bound_range.
enum class ModulusRule { paper, range };

struct PlanRequest {
  std::size_t dimension = 1;                 ///< p, the number of values of each agent
  double value_bound = 1;                    ///< B, a public bound on |z_i(0)|
  std::optional<double> lz;                  ///< L_z; default: a millionth of the value bound
  std::optional<unsigned> modulus_bits;      ///< b; default: planned. Checked if given
  std::optional<std::size_t> iterations;     ///< T; default: planned from λ
  std::optional<std::uint64_t> denominator;  ///< 1/L_w; default: from the largest valid L_w
  ModulusRule rule = ModulusRule::paper;
  bool require_triangles =
      true;  ///< refuse an edge in no triangle (asm:graph); seeded masks need no triangles
  Hardening hardening = {};
};

struct ConsensusPlan {
  std::size_t agents = 0;
  std::size_t max_degree = 0;  ///< Δ
  std::size_t dimension = 0;
  double value_bound = 0;  ///< B, the bound on |z_i(0)|
  double start_bound = 0;  ///< the bound on states before round 0: B plus the blinding's noise
  double state_bound = 0;  ///< the bound on states in any round
  double lz = 0;
  std::uint64_t denominator = 0;  ///< 1/L_w
  bool exact_weights = true;      ///< false if weights are rounded down to multiples of L_w
  double lambda = 0;
  unsigned modulus_bits = 0;   ///< b, with q = 2^b
  unsigned required_bits = 0;  ///< the fewest bits the rule allows
  std::size_t iterations = 0;  ///< T
  ModulusRule rule = ModulusRule::paper;
  Hardening hardening = {};
  unsigned guard_bits = 0;  ///< bits of a state below L_z L_w; 0 without acceleration
  unsigned noise_bits = 0;  ///< blinding: the noise is in ±2^noise_bits units of a state

  double lw() const { return 1.0 / static_cast<double>(denominator); }
  std::size_t element_bytes() const { return (modulus_bits + 7) / 8; }
  std::size_t message_bytes() const { return element_bytes() * dimension; }
  ModulusQuestion question() const { return {agents, dimension, lz, denominator, lambda, state_bound}; }

  /// Returns the unit of a state: L_z L_w / 2^guard_bits.
  long double unit() const;
  /// Returns twice the largest number that a step computes, in units of a state.
  long double range() const;
  /// Returns a bound on what remains of the initial disagreement after T iterations.
  double transient() const;
  /// Returns a bound on the quantiser's error of an average in the limit of many iterations: L_z by Theorem
  /// 2, more in the worst case with acceleration.
  double quantiser_error() const;
  /// Returns a bound on the error of an agent's average after T iterations: the remaining disagreement, the
  /// effect of the quantiser, and the rounding of starts and results.
  double error() const;
  /// Returns the fewest iterations after which error() is below `target`; nothing if that needs too many
  /// iterations or a smaller L_z.
  std::optional<std::size_t> iterations_within(double target) const;
  /// Returns the fewest iterations after which at most `target` remains of the initial disagreement.
  std::size_t iterations_leaving(double target) const;
  /// The same for a target of L_z.
  std::size_t enough_iterations() const { return iterations_leaving(lz); }
};

/// Checks the graph (connected; every edge in a triangle) and the request, and chooses the parameters that
/// were left open. Throws InputError, with a number that would work, if L_z, L_w, T or the modulus cannot be
/// used.
ConsensusPlan make_plan(const Graph& graph, const PlanRequest& request);

/// Returns the fewest bits that this plan's rule would permit for values up to `value_bound`.
unsigned required_bits(const ConsensusPlan& plan, double value_bound);

/// Returns the fewest bits that `rule` permits for this question. Throws InputError if 128 bits do not
/// suffice.
unsigned required_bits(ModulusRule rule, const ModulusQuestion& question);

/// Messages and payload bytes, of one agent or of all.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;

  friend Traffic operator+(Traffic a, Traffic b) { return {a.messages + b.messages, a.bytes + b.bytes}; }
};

/// Returns what one agent sends in a whole run: masked values (theta) and, unless masks are seeded, its
/// shares as aggregator (ishare) and as neighbour (jshare). These are the terms of (commComplex) seen from
/// the sender. Before round 0 it sends public keys for seeded masks, in the first such sum of its `Run`, and
/// noise for blinding.
Traffic planned_traffic(const Graph& graph, const ConsensusPlan& plan, AgentId agent);

/// Returns what all agents send in a whole run.
Traffic planned_traffic(const Graph& graph, const ConsensusPlan& plan);

/// Returns the traffic of all iterations of a run if `messages` are sent in each.
Traffic traffic_of_rounds(const ConsensusPlan& plan, std::uint64_t messages);

/// Return what agents exchange before round 0: public keys for seeded masks, sent only before the first such
/// sum of a `Run`, and noise for blinding.
Traffic key_traffic(const Graph& graph, const ConsensusPlan& plan);
Traffic noise_traffic(const Graph& graph, const ConsensusPlan& plan);

/// Returns a bound on the length of the longest chain of messages that wait for each other.
std::uint64_t planned_rounds(const Graph& graph, const ConsensusPlan& plan);

}  // namespace tacit
