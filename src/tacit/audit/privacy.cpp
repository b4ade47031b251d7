#include "tacit/audit/privacy.hpp"

#include <algorithm>

#include "tacit/graph/connectivity.hpp"

namespace tacit {
namespace {

AgentId loneliest(const Graph& graph) {
  AgentId found = 0;
  for (AgentId i = 1; i < graph.agents(); ++i)
    if (graph.degree(i) < graph.degree(found)) found = i;
  return found;
}

// Without blinding: on a complete graph z_i(t+1) is a function of z_i(t) and the sum. On any other, some
// agent i has a non-neighbour; row i of W is then zero there but not everywhere else, so it is no combination
// of e_i and the sum, and already z_i(1) tells agent i more. With blinding: noise cancels only in sums over
// whole components of the graph without the agent. If that is one component, only the sum is left. A cut
// vertex sees what flows between the parts.
bool trajectory_safe(const Graph& graph, const Hardening& hardening) {
  return graph.complete() || (hardening.blinding > 0 && connected_without_any_one(graph));
}

}  // namespace

Privacy consensus_privacy(const HelpedGraph& graph, const Hardening& hardening) {
  const bool helped = graph.helpers() > 0 && hardening.masks == MaskSource::shares;
  return {.collusion = helped ? collusion_bound(graph) : mask_bound(graph.agents, hardening.masks),
          .collusion_paper = collusion_bound_paper(graph),
          .trajectory_safe = trajectory_safe(graph.agents, hardening),
          .masks = hardening.masks,
          .blinded = hardening.blinding > 0};
}

std::size_t mask_bound(const Graph& graph, MaskSource masks) {
  if (masks == MaskSource::shares) return collusion_bound(graph);
  return std::max<std::size_t>(1, graph.degree(loneliest(graph))) - 1;
}

std::optional<Witness> mask_witness(const Graph& graph, MaskSource masks) {
  if (graph.edges() == 0) return std::nullopt;
  WeakestAgent weakest;
  if (masks == MaskSource::shares) {
    weakest = *weakest_agent(graph);
  } else {
    weakest.agent = loneliest(graph);
    const auto near = graph.neighbours(weakest.agent);
    weakest.separator.assign(near.begin(), near.end() - 1);
  }
  Witness witness{weakest.agent, std::move(weakest.separator), {}};
  auto& coalition = witness.coalition;
  coalition.insert(std::lower_bound(coalition.begin(), coalition.end(), witness.agent), witness.agent);
  witness.parts = mask_parts(graph, masks, witness.agent, coalition);
  return witness;
}

}  // namespace tacit
