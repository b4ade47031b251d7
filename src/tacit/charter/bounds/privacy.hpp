// The privacy of a run in a few numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacit/charter/bounds/round.hpp"
#include "tacit/charter/bounds/weakest.hpp"
#include "tacit/graph/mask_helpers.hpp"
#include "tacit/protocol/exact/exact.hpp"

namespace tacit {

struct Privacy {
  /// The largest coalitions to whose members' own sums the messages of a round add nothing: h*. It does not
  /// say that such a coalition can work out nobody's value, see one_round.
  std::size_t collusion = 0;
  std::size_t collusion_paper = 0;  ///< h of Theorem thm:priv
  /// Which coalitions can work out somebody's value, from messages and the sums that members get.
  Weakest one_round, all_rounds;
  /// No agent's own states tell more than the sum, nor does what rounding does to them. For the consensus
  /// that takes blinding, whose noise hides rounding too: on a complete graph without it, states determine
  /// only the sum in exact arithmetic, but rounding leaves 4 to 10 % of the values that the sum allows.
  bool trajectory_safe = false;
  double odds = 0;  ///< blinding: see blinding_odds()
  MaskSource masks = MaskSource::shares;
  bool blinded = false;
  bool complete = false;  ///< everybody is joined to everybody
  bool exact = false;     ///< by protocol exact: there are no rounds and no trajectory
};

struct PrivacyQuestion {
  Hardening hardening = {};
  std::size_t iterations = 100;  ///< T
  std::size_t dimension = 1;     ///< p
  double most_work = 3e7;        ///< for each of the two searches, see WeakestQuestion
};

/// Of Protocol 1 on this graph. Helpers count as agents that may collude, but for one_round and all_rounds,
/// where coalitions are of agents.
Privacy consensus_privacy(const HelpedGraph& graph, const PrivacyQuestion& question = {});

/// Odds above this are no protection.
inline constexpr double most_odds = 1e-3;

/// Of protocol exact with this plan. The graph that agents talk over matters to the paper's formula only,
/// which is kept for comparison.
Privacy exact_privacy(const ExactPlan& plan, const Graph& graph);

/// Who masks with whom under protocol exact, when all take part and sit on this circle (mask_circle).
Graph mask_graph(const ExactPlan& plan, std::span<const AgentId> circle);

/// The collusion bound of protocol exact, computed: honest agents' masks hide all but the sum while the graph
/// of mask partners stays connected without the coalition. One flow for every agent.
std::size_t exact_bound(const ExactPlan& plan);

/// Why this does not withstand coalitions of `required` agents, in words that go after "not met: ", naming a
/// coalition and what it learns where one is known; empty when it does.
std::string shortfall(const Privacy& privacy, std::size_t required);

/// The largest coalitions against which masks leave every aggregator's sum whole: h* = min_i κ(G[N_i]) for
/// masks of shares, min_i |N_i| - 1 for seeded ones.
std::size_t mask_bound(const Graph& graph, MaskSource masks);

/// A coalition of one agent more, and what it learns.
struct Witness {
  AgentId agent = 0;  ///< the aggregator
  Coalition coalition;
  /// Into which its sum falls; one part of one agent if neighbours are too few for that.
  std::vector<MaskPart> parts;
};

/// None if the graph has no edges.
std::optional<Witness> mask_witness(const Graph& graph, MaskSource masks);

}  // namespace tacit
