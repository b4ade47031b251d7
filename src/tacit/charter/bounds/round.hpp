// What a coalition learns from one round's messages, beyond what the protocol lets it have.
//
// Inputs are the honest agents' Q(z_j); functionals have a coefficient for every agent, 0 for the coalition's
// own. The coalition has everything its members send, receive or draw. As aggregator i it is meant to learn
// Σ_j w_ij Q(z_j), which is its output z_i(t+1) by (metroFinal).
#pragma once

#include <algorithm>
#include <vector>

#include "tacit/charter/bounds/span.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/graph/mask_helpers.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/protocol/consensus/hardening.hpp"

namespace tacit {

/// Agents without repeats, ascending.
using Coalition = std::vector<AgentId>;
inline bool is_member(const Coalition& coalition, AgentId agent) {
  return std::ranges::binary_search(coalition, agent);
}
/// Agents whose masks cancel among each other and with nobody else's.
using MaskPart = std::vector<AgentId>;

/// Throws InputError unless the coalition is ascending without repeats, of agents of the graph, and
/// leaves somebody out.
void check_coalition(const Graph& graph, const Coalition& coalition);
/// Throws InputError for coalitions of nobody or everybody.
void check_coalition_size(const Graph& graph, std::size_t size);

/// The components of the graph without the coalition, each ascending, the one with the lowest agent first.
std::vector<MaskPart> parts_without(const Graph& graph, const Coalition& coalition);

/// Where masks come from, and who makes them.
struct MaskMakers {
  MaskMakers(MaskSource from) : source(from) {}  // NOLINT(google-explicit-constructor): mostly that is all
  MaskMakers(MaskSource from, const HelpedGraph& graph) : source(from), everybody(&graph.everybody) {}

  MaskSource source;
  const Graph* everybody = nullptr;  ///< agents and helpers; when null, only the agents of the graph

  const Graph& on(const Graph& agents) const { return everybody ? *everybody : agents; }
};

/// The parts into which masks leave the honest neighbours of aggregator i: the components of G[N_i] without
/// the coalition for masks of shares (findings 1a); all of them together for seeded masks, where every two
/// share a stream. Helpers may hold a part together; they are not named, as they have no value. A coalition
/// with i in it learns Σ w_ij Q(z_j) over each part, and nothing else.
std::vector<MaskPart> mask_parts(const Graph& graph, MaskMakers masks, AgentId aggregator,
                                 const Coalition& coalition);

/// An aggregator whose sum falls apart.
struct BrokenSum {
  AgentId aggregator = 0;
  std::vector<MaskPart> parts;  ///< two or more
};
std::vector<BrokenSum> broken_sums(const Graph& graph, MaskMakers masks, const Coalition& coalition);

/// All functionals that the coalition's outputs of one round determine.
Span round_outputs(const MetropolisWeights& weights, const Coalition& coalition);

/// All functionals that its messages determine, from the parts. Any size.
Span round_view(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition);

/// The same by elimination: every share or stream is an unknown, every message an equation as (jshare),
/// (ishare), (mask) and (theta) have it. Independent of the argument about parts; for small neighbourhoods,
/// as it takes up to |N_i|² unknowns.
Span round_view_by_elimination(const MetropolisWeights& weights, MaskMakers masks,
                               const Coalition& coalition);

}  // namespace tacit
