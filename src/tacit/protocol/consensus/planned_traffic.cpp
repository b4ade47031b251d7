// Predicts the traffic of a run.
#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/graph/traffic.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/secrecy/pairwise.hpp"

namespace tacit {
namespace {

bool seeded(const ConsensusPlan& plan) { return plan.hardening.masks == MaskSource::seeded; }

// Noise from the lower to the higher id of an edge; an element has noise_bits and a sign.
Traffic noise(const ConsensusPlan& plan, std::uint64_t edges) {
  if (plan.hardening.blinding == 0) return {};
  return {edges, edges * ((plan.noise_bits + 1 + 7) / 8) * plan.dimension};
}

// What an agent of this degree sends to one neighbour with which it has `common` neighbours: its own public
// key, and the keys of the agents that are not the neighbour's neighbours (introduced in key_exchange.hpp).
Traffic keys(const ConsensusPlan& plan, std::size_t degree, std::size_t common) {
  if (!seeded(plan)) return {};
  const std::size_t strangers = degree - 1 - common;
  return {strangers ? 2u : 1u, (1 + strangers) * public_key_bytes};
}

}  // namespace

Traffic planned_traffic(const Graph& graph, const ConsensusPlan& plan, AgentId agent) {
  const auto near = graph.neighbours(agent);
  const auto higher = std::ranges::count_if(near, [&](AgentId j) { return j > agent; });
  Traffic sum = traffic_of_rounds(plan, seeded(plan) ? near.size() : messages_sent(graph, agent)) +
                noise(plan, static_cast<std::uint64_t>(higher));
  if (!seeded(plan)) return sum;
  for (AgentId j : near) {
    const auto common = std::ranges::count_if(near, [&](AgentId l) { return graph.adjacent(j, l); });
    sum = sum + keys(plan, near.size(), static_cast<std::size_t>(common));
  }
  return sum;
}

Traffic planned_traffic(const Graph& graph, const ConsensusPlan& plan) {
  return traffic_of_rounds(plan, seeded(plan) ? 2 * graph.edges() : messages_sent(graph)) +
         key_traffic(graph, plan) + noise_traffic(graph, plan);
}

Traffic traffic_of_rounds(const ConsensusPlan& plan, std::uint64_t messages) {
  if (static_cast<long double>(messages) * plan.iterations * plan.message_bytes() > 1e18L)
    throw InputError("this run would send more than 10^18 bytes; use fewer edges, values or iterations");
  return {messages * plan.iterations, messages * plan.iterations * plan.message_bytes()};
}

Traffic key_traffic(const Graph& graph, const ConsensusPlan& plan) {
  Traffic sum;
  if (!seeded(plan)) return sum;
  const auto edges = graph.edge_list();
  const auto common = common_neighbours(graph);
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (AgentId i : {edges[e].first, edges[e].second}) sum = sum + keys(plan, graph.degree(i), common[e]);
  return sum;
}

Traffic noise_traffic(const Graph& graph, const ConsensusPlan& plan) { return noise(plan, graph.edges()); }

std::uint64_t planned_rounds(const Graph& graph, const ConsensusPlan& plan) {
  const std::uint64_t blinding = plan.hardening.blinding ? 1 : 0;
  if (!seeded(plan)) return 2 * plan.iterations + blinding;
  // Two neighbours of an agent need an introduction only if they are not neighbours themselves.
  const std::uint64_t exchange = graph.complete() ? 1 : 2;
  return plan.iterations + exchange + blinding;
}

}  // namespace tacit
