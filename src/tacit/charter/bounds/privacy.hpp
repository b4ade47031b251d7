// The privacy of a run in a few numbers: how many agents may collude, and what an agent's own states reveal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacit/charter/bounds/round_leakage.hpp"
#include "tacit/charter/bounds/smallest_coalition.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/protocol/exact/exact.hpp"

namespace tacit {

struct Privacy {
  /// h*: to the sums that members of coalitions of up to this size receive, the messages of a round add
  /// nothing. Such a coalition may still be able to compute a value from these sums; see one_round.
  std::size_t collusion = 0;
  std::size_t collusion_paper = 0;  ///< h of Theorem thm:priv
  /// The smallest coalitions that can compute another agent's value from messages and members' sums.
  Weakest one_round, all_rounds;
  /// An agent's own states and their rounding errors reveal nothing but the sum. The consensus needs blinding
  /// for that, whose noise also hides rounding. Without it, states on a complete graph determine only the sum
  /// in exact arithmetic, but rounding leaves 4 to 10 % of the values that the sum allows.
  bool trajectory_safe = false;
  double odds = 0;  ///< that blinding fails; see blinding_odds()
  MaskSource masks = MaskSource::shares;
  bool blinded = false;
  bool complete = false;  ///< every pair of agents is connected
  bool exact = false;     ///< protocol exact, which has neither rounds nor trajectories
};

struct PrivacyQuestion {
  Hardening hardening = {};
  std::size_t iterations = 100;  ///< T
  std::size_t dimension = 1;     ///< p
  double most_work = 3e7;        ///< of each of the two searches; see WeakestQuestion
  /// Agents, and the helpers that make masks with them (lab/mask_helpers); null without helpers.
  const Graph* mask_makers = nullptr;
};

/// The privacy of Protocol 1 on this graph. Its collusion bounds are those of the agents without helpers.
Privacy consensus_privacy(const Graph& graph, const PrivacyQuestion& question = {});

/// Blinding whose odds of failure exceed this does not count as protection.
inline constexpr double most_odds = 1e-3;

/// The privacy of protocol exact with this plan. The agents' graph matters only for the paper's formula,
/// which is kept for comparison.
Privacy exact_privacy(const ExactPlan& plan, const Graph& graph);

/// The graph of mask partners under protocol exact if all agents take part and form this circle
/// (mask_circle).
Graph mask_graph(const ExactPlan& plan, std::span<const AgentId> circle);

/// Computes the collusion bound of protocol exact. The masks of honest agents hide all but the sum as long as
/// the graph of mask partners stays connected without the coalition. Costs one flow for each agent.
std::size_t exact_bound(const ExactPlan& plan);

/// Explains why coalitions of `required` agents are too large, as a clause that can follow "not met: ". Names
/// a coalition and what it learns if one is known. Empty if the requirement is met.
std::string shortfall(const Privacy& privacy, std::size_t required);

/// The size of the largest coalitions that cannot split any aggregator's sum: h* = min_i κ(G[N_i]) for masks
/// of shares, min_i |N_i| - 1 for seeded masks.
std::size_t mask_bound(const Graph& graph, MaskSource masks);

/// A coalition of one agent more than the bound, and what it learns.
struct Witness {
  AgentId agent = 0;  ///< the aggregator
  Coalition coalition;
  /// The parts into which the coalition splits the aggregator's sum; a single part of one agent if the
  /// aggregator has too few neighbours for a split.
  std::vector<MaskPart> parts;
};

/// Returns none if the graph has no edges.
std::optional<Witness> mask_witness(const Graph& graph, MaskSource masks);

}  // namespace tacit
