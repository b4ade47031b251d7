#include "tacit/charter/bounds/advice.hpp"

#include <algorithm>

#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/graph/connectivity.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_candidates = 300;  // edges tried in one step

Graph with(const Graph& graph, const Edge& edge) {
  auto edges = graph.edge_list();
  edges.push_back(edge);
  return Graph(graph.agents(), std::move(edges));
}

// Edges between two neighbours of the weakest agent in different parts. If it has too few neighbours for
// that, edges from it to other agents.
std::vector<Edge> candidates(const Graph& graph, const Witness& weakest) {
  std::vector<Edge> list;
  for (std::size_t p = 0; p < weakest.parts.size(); ++p)
    for (std::size_t q = p + 1; q < weakest.parts.size(); ++q)
      for (AgentId a : weakest.parts[p])
        for (AgentId b : weakest.parts[q]) list.emplace_back(a, b);
  if (list.empty())
    for (AgentId a = 0; a < graph.agents(); ++a)
      if (a != weakest.agent && !graph.adjacent(a, weakest.agent)) list.emplace_back(weakest.agent, a);
  if (list.size() > most_candidates) list.resize(most_candidates);
  return list;
}

// The increase of Σ min(κ(G[N_i]), wanted) over the agents i whose neighbourhood the edge changes.
std::ptrdiff_t gain(const Graph& graph, const Edge& edge, std::size_t wanted) {
  const Graph after = with(graph, edge);
  std::ptrdiff_t sum = 0;
  for (AgentId i = 0; i < graph.agents(); ++i) {
    const bool end = i == edge.first || i == edge.second;
    if (!end && !(graph.adjacent(i, edge.first) && graph.adjacent(i, edge.second))) continue;
    sum += static_cast<std::ptrdiff_t>(std::min(wanted, neighbourhood_connectivity(after, i)));
    sum -= static_cast<std::ptrdiff_t>(std::min(wanted, neighbourhood_connectivity(graph, i)));
  }
  return sum;
}

}  // namespace

std::optional<std::vector<Edge>> edges_that_raise(const Graph& graph, std::size_t wanted) {
  if (wanted + 2 > graph.agents()) return std::nullopt;  // a complete graph has h* = M - 2
  Graph now = graph;
  std::vector<Edge> added;
  while (collusion_bound(now) < wanted) {
    if (added.size() == graph.agents()) return std::nullopt;
    const auto weakest = mask_witness(now, MaskSource::shares);
    if (!weakest) return std::nullopt;
    const std::vector<Edge> list = candidates(now, *weakest);
    if (list.empty()) return std::nullopt;
    std::vector<std::ptrdiff_t> gains;
    for (const Edge& edge : list) gains.push_back(gain(now, edge, wanted));
    const auto best = std::max_element(gains.begin(), gains.end()) - gains.begin();
    added.push_back(list[static_cast<std::size_t>(best)]);
    now = with(now, added.back());
  }
  return added;
}

}  // namespace tacit
