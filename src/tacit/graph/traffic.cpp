#include "tacit/graph/traffic.hpp"

namespace tacit {

std::uint64_t share_messages(const Graph& graph) {
  // |N_i⁺ ∩ N_j| is i itself and the common neighbours; every edge stands for two ordered pairs.
  std::uint64_t messages = 2 * graph.edges();
  for (std::size_t common : common_neighbours(graph)) messages += 2 * (1 + common);
  return messages;
}

std::uint64_t messages_sent(const Neighbourhood& known) {
  const auto aggregators = known.aggregators();
  std::uint64_t messages = aggregators.size();                       // (theta)
  if (!known.helps()) messages += known.circle(known.self).size();   // (ishare)
  for (AgentId i : aggregators) messages += known.circle(i).size();  // (jshare)
  return messages;
}

std::uint64_t messages_sent(const Graph& graph, AgentId agent) {
  if (graph.complete())
    return graph.degree(agent) * (2 + graph.degree(agent));  // every circle contains all agents
  return messages_sent(neighbourhood(graph, agent));
}

std::uint64_t messages_sent(const Graph& graph) { return 2 * graph.edges() + share_messages(graph); }

}  // namespace tacit
