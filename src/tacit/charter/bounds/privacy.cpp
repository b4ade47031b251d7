#include "tacit/charter/bounds/privacy.hpp"

#include <algorithm>
#include <numeric>

#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/igraph_bridge.hpp"
#include "tacit/protocol/consensus/blinding.hpp"
#include "tacit/protocol/exact/roster.hpp"

namespace tacit {
namespace {

AgentId agent_of_least_degree(const Graph& graph) {
  AgentId found = 0;
  for (AgentId i = 1; i < graph.agents(); ++i)
    if (graph.degree(i) < graph.degree(found)) found = i;
  return found;
}

// Never true without blinding. On a complete graph, z_i(t+1) is a function of z_i(t), the sum and all agents'
// rounding errors, which depend on their values. On any other graph, z_i(1) already gives agent i more than
// the sum. With blinding, all states and their rounding are functions of noisy starts. The noise cancels only
// in sums over whole components of the graph without the agent; with a single component, that leaves only the
// sum. An agent that is a cut vertex sees the flow between the components.
bool trajectory_safe(const Graph& graph, const Hardening& hardening, double odds) {
  return hardening.blinding > 0 && odds <= most_odds && connected_without_any_one(graph);
}

}  // namespace

Privacy consensus_privacy(const Graph& graph, const PrivacyQuestion& question) {
  const Hardening& hardening = question.hardening;
  const MetropolisWeights weights(graph);
  const WeakestQuestion weakest{MaskMakers(hardening.masks, question.mask_makers), hardening.blinding > 0,
                                question.iterations, question.most_work};
  Privacy privacy;
  privacy.collusion = mask_bound(graph, hardening.masks);
  privacy.collusion_paper = collusion_bound_paper(graph);
  privacy.one_round = weakest_in_one_round(weights, weakest);
  privacy.all_rounds = weakest_in_all_rounds(weights, weakest, privacy.one_round);
  privacy.odds = blinding_odds(graph.agents(), question.dimension, hardening.blinding);
  privacy.trajectory_safe = trajectory_safe(graph, hardening, privacy.odds);
  privacy.masks = hardening.masks;
  privacy.blinded = hardening.blinding > 0;
  privacy.complete = graph.complete();
  return privacy;
}

Privacy exact_privacy(const ExactPlan& plan, const Graph& graph) {
  // Masks stay connected without the coalition, so its view is the total. There is only one round.
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
  // At least two agents must be honest; otherwise the sum itself reveals the value of the last one.
  const std::size_t most = plan.agents - 2;
  if (plan.mask_degree == 0) return most;
  std::vector<AgentId> circle(plan.agents);  // the order makes no difference
  std::iota(circle.begin(), circle.end(), AgentId{0});
  const Graph masks = mask_graph(plan, circle);
  // A smallest set that separates two agents can be rotated on the circle until one of them is agent 0.
  const igraph_bridge::Paths paths(masks.agents(), masks.edge_list());
  std::size_t connectivity = plan.agents - 1;
  for (AgentId b = 1; b < plan.agents; ++b)
    if (!masks.adjacent(0, b)) connectivity = std::min(connectivity, paths.disjoint(0, b));
  return std::min(most, connectivity - 1);
}

std::size_t mask_bound(const Graph& graph, MaskSource masks) {
  if (masks == MaskSource::shares) return collusion_bound(graph);
  return std::max<std::size_t>(1, graph.degree(agent_of_least_degree(graph))) - 1;
}

std::optional<Witness> mask_witness(const Graph& graph, MaskSource masks) {
  if (graph.edges() == 0) return std::nullopt;
  WeakestAgent weakest;
  if (masks == MaskSource::shares) {
    weakest = *weakest_agent(graph);
  } else {
    weakest.agent = agent_of_least_degree(graph);
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
