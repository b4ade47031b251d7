#include "tacit/lab/mask_helpers/helped_plan.hpp"

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {

PlanRequest request_without_helpers(const HelpedGraph& graph, PlanRequest request) {
  if (graph.helpers() == 0) return request;
  if (request.hardening.masks == MaskSource::seeded)
    throw InputError(
        "seeded masks already withstand all coalitions against which helpers protect; leave `helpers` out or "
        "use `masks=shares`");
  if (request.require_triangles) {
    check_connected(graph.agents);  // first, because this mistake is more likely
    check_triangles(graph);
    request.require_triangles = false;
  }
  return request;
}

ConsensusPlan make_plan(const HelpedGraph& graph, const PlanRequest& request) {
  return make_plan(graph.agents, request_without_helpers(graph, request));
}

Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan, AgentId agent) {
  if (graph.helpers() == 0) return planned_traffic(graph.agents, plan, agent);
  // Helpers exclude seeded masks, so agents and helpers send shares in each round.
  const Traffic rounds = traffic_of_rounds(plan, messages_sent(graph, agent));
  if (agent >= graph.agents.agents()) return rounds;
  const std::uint64_t without = messages_sent(graph.agents, agent);
  const Traffic own = planned_traffic(graph.agents, plan, agent),
                own_rounds = traffic_of_rounds(plan, without);
  return {own.messages - own_rounds.messages + rounds.messages, own.bytes - own_rounds.bytes + rounds.bytes};
}

Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan) {
  if (graph.helpers() == 0) return planned_traffic(graph.agents, plan);
  return traffic_of_rounds(plan, messages_sent(graph)) + noise_traffic(graph.agents, plan);
}

Task<std::size_t> help(Run& net, const ConsensusPlan& plan, std::size_t runs) {
  for (std::size_t k = 0; k < runs; ++k) co_await secure_average(net, plan, Values(plan.dimension));
  co_return runs;
}

}  // namespace tacit
