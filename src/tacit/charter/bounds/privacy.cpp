#include "tacit/charter/bounds/privacy.hpp"

#include <algorithm>
#include <numeric>

#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/igraph_bridge.hpp"
#include "tacit/protocol/consensus/blinding.hpp"

namespace tacit {
namespace {

AgentId loneliest(const Graph& graph) {
  AgentId found = 0;
  for (AgentId i = 1; i < graph.agents(); ++i)
    if (graph.degree(i) < graph.degree(found)) found = i;
  return found;
}

// Without blinding never: on a complete graph z_i(t+1) is a function of z_i(t), the sum and everybody's
// rounding, which depends on everybody's value; on any other graph already z_i(1) tells agent i more than the
// sum. With blinding all states are functions of noisy starts, rounding and all, and noise cancels only in
// sums over whole components of the graph without the agent. If that is one component, only the sum is left.
// A cut vertex sees what flows between the parts.
bool trajectory_safe(const Graph& graph, const Hardening& hardening, double odds) {
  return hardening.blinding > 0 && odds <= most_odds && connected_without_any_one(graph);
}

}  // namespace

Privacy consensus_privacy(const HelpedGraph& graph, const PrivacyQuestion& question) {
  const Hardening& hardening = question.hardening;
  const bool helped = graph.helpers() > 0 && hardening.masks == MaskSource::shares;
  const MetropolisWeights weights(graph.agents);
  const WeakestQuestion weakest{MaskMakers(hardening.masks, graph), hardening.blinding > 0,
                                question.iterations, question.most_work};
  Privacy privacy;
  privacy.collusion = helped ? collusion_bound(graph) : mask_bound(graph.agents, hardening.masks);
  privacy.collusion_paper = collusion_bound_paper(graph);
  privacy.one_round = weakest_in_one_round(weights, weakest);
  privacy.all_rounds = weakest_in_all_rounds(weights, weakest, privacy.one_round);
  privacy.odds = blinding_odds(graph.agents.agents(), question.dimension, hardening.blinding);
  privacy.trajectory_safe = trajectory_safe(graph.agents, hardening, privacy.odds);
  privacy.masks = hardening.masks;
  privacy.blinded = hardening.blinding > 0;
  privacy.complete = graph.agents.complete();
  return privacy;
}

Privacy exact_privacy(const ExactPlan& plan, const Graph& graph) {
  // Masks stay connected without the coalition, so its view is the total and nothing else; there is one
  // round.
  Privacy privacy;
  privacy.collusion = plan.collusion;
  privacy.collusion_paper = collusion_bound_paper(graph);
  privacy.one_round.withstands = privacy.all_rounds.withstands = plan.collusion;
  privacy.trajectory_safe = true;
  privacy.masks = MaskSource::seeded;
  privacy.exact = true;
  return privacy;
}

Graph mask_graph(const ExactPlan& plan, std::span<const AgentId> circle) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < circle.size(); ++i)
    for (const std::size_t j : mask_partners(circle.size(), i, plan.mask_degree))
      if (i < j) edges.push_back({circle[i], circle[j]});
  return {plan.agents, std::move(edges)};
}

std::size_t exact_bound(const ExactPlan& plan) {
  // Two honest agents at least must be left, or the sum itself gives the last one away.
  const std::size_t most = plan.agents - 2;
  if (plan.mask_degree == 0) return most;
  std::vector<AgentId> circle(plan.agents);  // who sits where makes no difference
  std::iota(circle.begin(), circle.end(), AgentId{0});
  const Graph masks = mask_graph(plan, circle);
  // A smallest set that separates two agents can be turned round the circle until one of them is agent 0.
  const igraph_bridge::Paths paths(masks.agents(), masks.edge_list());
  std::size_t connectivity = plan.agents - 1;
  for (AgentId b = 1; b < plan.agents; ++b)
    if (!masks.adjacent(0, b)) connectivity = std::min(connectivity, paths.disjoint(0, b));
  return std::min(most, connectivity - 1);
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
