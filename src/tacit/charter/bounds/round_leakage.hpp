// What a coalition learns from the messages of one round beyond the sums that the protocol gives its members.
//
// Inputs are the honest agents' Q(z_j). A functional has a coefficient for each agent, 0 for the coalition's
// own. The coalition has everything that its members send, receive or draw. Its member i, as aggregator, is
// meant to learn Σ_j w_ij Q(z_j), which gives its output z_i(t+1) by (metroFinal).
#pragma once

#include <algorithm>
#include <vector>

#include "tacit/charter/bounds/row_space.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/protocol/consensus/hardening.hpp"

namespace tacit {

/// Distinct agents in ascending order.
using Coalition = std::vector<AgentId>;
inline bool is_member(const Coalition& coalition, AgentId agent) {
  return std::ranges::binary_search(coalition, agent);
}
/// Agents whose masks cancel among themselves, but not with those of other agents.
using MaskPart = std::vector<AgentId>;

/// Throws InputError unless the coalition consists of distinct agents of the graph in ascending order and
/// leaves out at least one agent.
void check_coalition(const Graph& graph, const Coalition& coalition);
/// Throws InputError if coalitions of this size are empty or contain all agents.
void check_coalition_size(const Graph& graph, std::size_t size);

/// The components of the graph without the coalition. Each is ascending; they are ordered by their lowest
/// agent.
std::vector<MaskPart> parts_without(const Graph& graph, const Coalition& coalition);

/// Where masks come from, and which agents and helpers make them.
struct MaskMakers {
  MaskMakers(MaskSource from)
      : source(from) {}  // NOLINT(google-explicit-constructor): most callers give only this
  MaskMakers(MaskSource from, const Graph* all) : source(from), everybody(all) {}

  MaskSource source;
  const Graph* everybody = nullptr;  ///< agents and helpers; null without helpers

  const Graph& on(const Graph& agents) const { return everybody ? *everybody : agents; }
};

/// The parts of the honest neighbours of aggregator i whose masks cancel separately. For masks of shares,
/// these are the components of G[N_i] without the coalition (findings 1a). Seeded masks leave a single part,
/// because each pair shares a stream. Helpers may connect a part but are not listed, as they have no value. A
/// coalition that contains i learns Σ w_ij Q(z_j) over each part, and nothing else.
std::vector<MaskPart> mask_parts(const Graph& graph, MaskMakers masks, AgentId aggregator,
                                 const Coalition& coalition);

/// An aggregator whose sum the coalition can split.
struct BrokenSum {
  AgentId aggregator = 0;
  std::vector<MaskPart> parts;  ///< two or more
};
std::vector<BrokenSum> broken_sums(const Graph& graph, MaskMakers masks, const Coalition& coalition);

/// All functionals that the coalition's outputs of one round determine.
Span round_outputs(const MetropolisWeights& weights, const Coalition& coalition);

/// All functionals that the coalition's messages determine, computed from the parts. For coalitions of any
/// size.
Span round_view(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition);

/// The same by elimination: each share or stream is an unknown, each message an equation by (jshare),
/// (ishare), (mask) and (theta). Independent of the argument about parts. For small neighbourhoods only,
/// because it takes up to |N_i|² unknowns.
Span round_view_by_elimination(const MetropolisWeights& weights, MaskMakers masks,
                               const Coalition& coalition);

}  // namespace tacit
