#include "tacit/graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tacit/base/error.hpp"

namespace tacit {

Graph::Graph(std::size_t agents, std::vector<Edge> edges) {
  if (agents == 0) throw InputError("A graph needs at least one agent; give the number of agents.");
  if (agents > most_agents) {
    throw InputError(fmt::format("A graph of {} agents is too large; use at most {}.", agents, most_agents));
  }
  for (auto& [a, b] : edges) {
    if (a == b) throw InputError(fmt::format("Edge {}-{} joins agent {} to itself; remove it.", a, b, a));
    if (a > b) std::swap(a, b);
    if (b >= agents) {
      throw InputError(fmt::format("Edge {}-{} names agent {}, but the {} agents are numbered 0 to {}.", a, b,
                                   b, agents, agents - 1));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  starts_.assign(agents + 1, 0);
  for (const auto& [a, b] : edges) {
    ++starts_[a + 1];
    ++starts_[b + 1];
  }
  max_degree_ = *std::max_element(starts_.begin(), starts_.end());
  for (std::size_t i = 0; i < agents; ++i) starts_[i + 1] += starts_[i];
  neighbours_.resize(2 * edges.size());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  // Edges are sorted, so each agent receives first its smaller and then its larger neighbours in ascending
  // order.
  for (const auto& [a, b] : edges) neighbours_[next[b]++] = a;
  for (const auto& [a, b] : edges) neighbours_[next[a]++] = b;
}

std::span<const AgentId> Graph::neighbours(AgentId agent) const {
  if (agent >= agents()) {
    throw InputError(fmt::format("There is no agent {}: the {} agents are numbered 0 to {}.", agent, agents(),
                                 agents() - 1));
  }
  return std::span(neighbours_).subspan(starts_[agent], starts_[agent + 1] - starts_[agent]);
}

bool Graph::adjacent(AgentId a, AgentId b) const {
  const auto from_a = neighbours(a);
  const auto from_b = neighbours(b);
  return from_a.size() < from_b.size() ? std::binary_search(from_a.begin(), from_a.end(), b)
                                       : std::binary_search(from_b.begin(), from_b.end(), a);
}

std::vector<Edge> Graph::edge_list() const {
  std::vector<Edge> list;
  list.reserve(edges());
  for (AgentId i = 0; i < agents(); ++i) {
    for (AgentId j : neighbours(i)) {
      if (i < j) list.emplace_back(i, j);
    }
  }
  return list;
}

std::vector<std::size_t> common_neighbours(const Graph& graph) {
  if (graph.complete()) return std::vector<std::size_t>(graph.edges(), graph.agents() - 2);
  std::vector<std::size_t> counts;
  counts.reserve(graph.edges());
  std::vector<unsigned char> near(graph.agents(), 0);  // 1 for the neighbours of agent i
  for (AgentId i = 0; i < graph.agents(); ++i) {
    for (AgentId j : graph.neighbours(i)) near[j] = 1;
    for (AgentId j : graph.neighbours(i)) {
      if (j < i) continue;
      std::size_t count = 0;
      for (AgentId l : graph.neighbours(j)) count += near[l];
      counts.push_back(count);
    }
    for (AgentId j : graph.neighbours(i)) near[j] = 0;
  }
  return counts;
}

namespace {

// Returns the index of `agent` in the ascending list of neighbours.
std::size_t place_of(const Neighbourhood& known, AgentId agent) {
  const auto at = std::lower_bound(known.neighbours.begin(), known.neighbours.end(), agent);
  if (at == known.neighbours.end() || *at != agent) {
    throw InputError(
        fmt::format("Agent {} is not a neighbour of agent {}, which knows only its own neighbours' links.",
                    agent, known.self));
  }
  return static_cast<std::size_t>(at - known.neighbours.begin());
}

}  // namespace

std::vector<AgentId> Neighbourhood::circle(AgentId aggregator) const {
  if (aggregator == self) return neighbours;
  const auto& theirs = neighbours_of[place_of(*this, aggregator)];
  std::vector<AgentId> members;
  std::set_intersection(theirs.begin(), theirs.end(), neighbours.begin(), neighbours.end(),
                        std::back_inserter(members));
  members.insert(std::lower_bound(members.begin(), members.end(), aggregator), aggregator);
  return members;
}

std::size_t Neighbourhood::degree_of(AgentId agent) const {
  const auto& theirs = agent == self ? neighbours : neighbours_of[place_of(*this, agent)];
  return static_cast<std::size_t>(std::lower_bound(theirs.begin(), theirs.end(), agents) - theirs.begin());
}

std::span<const AgentId> Neighbourhood::aggregators() const {
  return std::span(neighbours).first(degree_of(self));
}

Neighbourhood neighbourhood(const Graph& graph, AgentId agent) {
  const auto near = graph.neighbours(agent);
  Neighbourhood known{agent, graph.agents(), {near.begin(), near.end()}, {}};
  known.neighbours_of.reserve(near.size());
  for (AgentId j : near) {
    const auto theirs = graph.neighbours(j);
    known.neighbours_of.emplace_back(theirs.begin(), theirs.end());
  }
  return known;
}

}  // namespace tacit
