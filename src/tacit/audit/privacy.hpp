// The privacy of a run in three numbers, cheap on any graph.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tacit/audit/round.hpp"
#include "tacit/graph/helpers.hpp"
#include "tacit/protocol/exact/exact.hpp"

namespace tacit {

struct Privacy {
  std::size_t collusion = 0;        ///< the largest coalitions that masks withstand in a round
  std::size_t collusion_paper = 0;  ///< h of Theorem thm:priv
  /// No agent's own states determine more than the sum, rounding errors aside (docs/threat-model.md).
  bool trajectory_safe = false;
  MaskSource masks = MaskSource::shares;
  bool blinded = false;
  bool exact = false;  ///< by protocol exact: there are no rounds and no trajectory
};

/// Of Protocol 1 on this graph. Helpers count as agents that may collude.
Privacy consensus_privacy(const HelpedGraph& graph, const Hardening& hardening = {});

/// Of protocol exact with this plan. The graph that agents talk over matters to the paper's formula only,
/// which is kept for comparison.
Privacy exact_privacy(const ExactPlan& plan, const Graph& graph);

/// Who masks with whom under protocol exact, when all take part.
Graph mask_graph(const ExactPlan& plan);

/// The collusion bound of protocol exact, computed: honest agents' masks hide all but the sum while the graph
/// of mask partners stays connected without the coalition. One flow for every agent.
std::size_t exact_bound(const ExactPlan& plan);

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
