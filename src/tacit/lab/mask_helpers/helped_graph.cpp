#include "tacit/lab/mask_helpers/helped_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/igraph_bridge.hpp"
#include "tacit/graph/traffic.hpp"

namespace tacit {
namespace {

Graph joined(const Graph& graph, std::size_t helpers, const std::vector<Edge>& mask_edges) {
  const std::size_t m = graph.agents();
  for (const auto& [a, b] : mask_edges) {
    if ((a < m) == (b < m))
      throw InputError(
          fmt::format("Mask edge {}-{} must connect one of the agents 0 to {} with a helper.", a, b, m - 1));
  }
  auto edges = graph.edge_list();
  edges.insert(edges.end(), mask_edges.begin(), mask_edges.end());
  return Graph(m + helpers, std::move(edges));
}

// The circle of agent i. Members are numbered by their index in `members`: first the agents N_i, then
// helpers.
class HelpedCircle {
 public:
  template <class Adjacent>
  HelpedCircle(const std::vector<AgentId>& members, std::size_t agents, Adjacent adjacent)
      : agents_(agents), near_(members.size(), std::vector<bool>(members.size(), false)) {
    for (AgentId a = 0; a < members.size(); ++a)
      for (AgentId b = a + 1; b < members.size(); ++b) {
        if (!adjacent(members[a], members[b])) continue;
        near_[a][b] = near_[b][a] = true;
        edges_.emplace_back(a, b);
      }
  }

  /// min(bound, |N_i| - 1, the fewest members that separate two agents). If fewer than `bound` members
  /// separate two agents, they do not include one of the first `bound` agents, which is then separated from
  /// another agent (Even).
  std::size_t withstands(std::size_t bound) const {
    bound = std::min(bound, agents_ - 1);
    std::optional<igraph_bridge::Paths> paths;
    for (AgentId v = 0; v < bound; ++v)
      for (AgentId a = v + 1; a < agents_ && v < bound; ++a) {
        if (near_[v][a] || common(v, a) >= bound) continue;
        if (!paths) paths.emplace(near_.size(), edges_);
        bound = std::min(bound, paths->disjoint(v, a));
      }
    return bound;
  }

 private:
  // The number of common neighbours; each is a separate path.
  std::size_t common(AgentId a, AgentId b) const {
    std::size_t count = 0;
    for (std::size_t l = 0; l < near_.size(); ++l) count += near_[a][l] && near_[b][l];
    return count;
  }

  std::size_t agents_;
  std::vector<std::vector<bool>> near_;
  std::vector<Edge> edges_;
};

// A graph during the placement of helpers.
class Placement {
 public:
  Placement(const Graph& graph, std::size_t helpers)
      : graph_(graph), serves_(helpers, std::vector<bool>(graph.agents(), false)) {}

  /// The size of the coalitions that the circle of i withstands, counted up to `enough`.
  std::size_t withstands(AgentId i, std::size_t enough) const {
    const auto near = graph_.neighbours(i);
    std::vector<AgentId> members(near.begin(), near.end());
    for (std::size_t k = 0; k < serves_.size(); ++k)
      if (serves_[k][i]) members.push_back(static_cast<AgentId>(graph_.agents() + k));
    return HelpedCircle(members, near.size(),
                        [&](AgentId a, AgentId b) {  // a before b
                          if (a >= graph_.agents()) return false;
                          return b < graph_.agents() ? graph_.adjacent(a, b)
                                                     : bool{serves_[b - graph_.agents()][a]};
                        })
        .withstands(enough);
  }

  /// Places a helper so that all circles withstand `enough`, given that all withstand one less.
  void place(std::size_t helper, std::size_t enough) {
    std::vector<bool>& serves = serves_[helper];
    std::vector<AgentId> needy;
    for (AgentId i = 0; i < graph_.agents(); ++i)
      if (withstands(i, enough) < enough) needy.push_back(i);
    for (AgentId i : needy) {
      serves[i] = true;
      for (AgentId j : graph_.neighbours(i)) serves[j] = true;
    }
    // Without the edge to v, the helper is not in v's circle, and the circles of v's neighbours lose that
    // edge.
    for (AgentId v = 0; v < graph_.agents(); ++v) {
      if (!serves[v]) continue;
      serves[v] = false;
      const auto suffers = [&](AgentId i) { return withstands(i, enough) < enough; };
      const auto near = graph_.neighbours(v);
      serves[v] = suffers(v) ||
                  std::any_of(near.begin(), near.end(), [&](AgentId i) { return serves[i] && suffers(i); });
    }
  }

  HelpedGraph result() const {
    std::vector<Edge> mask_edges;
    for (std::size_t k = 0; k < serves_.size(); ++k)
      for (AgentId i = 0; i < graph_.agents(); ++i)
        if (serves_[k][i]) mask_edges.emplace_back(i, static_cast<AgentId>(graph_.agents() + k));
    return HelpedGraph(graph_, serves_.size(), mask_edges);
  }

 private:
  const Graph& graph_;
  std::vector<std::vector<bool>> serves_;  // by helper and agent
};

// The first edge between agents whose ends have the fewest common neighbours and helpers.
struct LeastCommon {
  Edge edge;
  std::size_t common;
};
std::optional<LeastCommon> least_common(const HelpedGraph& graph) {
  const auto common = common_neighbours(graph.everybody);
  const auto edges = graph.everybody.edge_list();
  std::optional<LeastCommon> least;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (edges[e].second < graph.agents.agents() && (!least || common[e] < least->common))
      least = {edges[e], common[e]};
  return least;
}

}  // namespace

HelpedGraph::HelpedGraph(Graph graph) : agents(graph), everybody(std::move(graph)) {}

HelpedGraph::HelpedGraph(Graph graph, std::size_t helpers, const std::vector<Edge>& mask_edges)
    : agents(std::move(graph)), everybody(joined(agents, helpers, mask_edges)) {}

Neighbourhood neighbourhood(const HelpedGraph& graph, AgentId agent) {
  Neighbourhood known = neighbourhood(graph.everybody, agent);
  known.agents = graph.agents.agents();
  return known;
}

std::size_t collusion_bound(const HelpedGraph& graph) {
  if (graph.helpers() == 0) return collusion_bound(graph.agents);
  std::size_t bound = collusion_bound_paper(graph);  // an upper bound, at which the search starts
  for (AgentId i = 0; i < graph.agents.agents() && bound > 0; ++i) {
    const auto near = graph.everybody.neighbours(i);
    if (graph.agents.degree(i) == 0) continue;
    bound = HelpedCircle({near.begin(), near.end()}, graph.agents.degree(i), [&](AgentId a, AgentId b) {
              return graph.everybody.adjacent(a, b);
            }).withstands(bound);
  }
  return bound;
}

std::size_t collusion_bound_paper(const HelpedGraph& graph) {
  const auto edge = least_common(graph);
  return edge ? edge->common : 0;
}

void check_triangles(const HelpedGraph& graph) {
  if (graph.helpers() == 0) return check_triangles(graph.agents);
  const auto edge = least_common(graph);
  if (edge && edge->common == 0)
    throw InputError(
        fmt::format("Agents {} and {} are neighbours without a common neighbour or helper, so each could "
                    "remove the other's masks; connect both to a third agent or use more helpers.",
                    edge->edge.first, edge->edge.second));
}

HelpedGraph with_helpers(const Graph& graph, std::size_t helpers) {
  if (helpers == 0) return graph;
  const std::size_t start = collusion_bound(graph);
  // Helpers cannot hide the sum itself, which reveals the last value to i and |N_i| - 1 colluding neighbours.
  AgentId fewest = 0;
  for (AgentId i = 1; i < graph.agents(); ++i)
    if (graph.degree(i) < graph.degree(fewest)) fewest = i;
  const std::size_t least = graph.degree(fewest);
  const std::size_t useful = least > start + 1 ? least - 1 - start : 0;
  if (helpers > useful)
    throw InputError(
        fmt::format("At most {} helpers are useful here, not {}: agent {} has {} neighbours, so the "
                    "collusion bound can rise from {} to at most {}; lower `helpers` or add edges.",
                    useful, helpers, fewest, least, start, start + useful));
  Placement placement(graph, helpers);
  for (std::size_t k = 0; k < helpers; ++k) placement.place(k, start + k + 1);
  return placement.result();
}

std::uint64_t messages_sent(const HelpedGraph& graph, AgentId agent) {
  return graph.helpers() == 0 ? messages_sent(graph.agents, agent)
                              : messages_sent(neighbourhood(graph, agent));
}

std::uint64_t messages_sent(const HelpedGraph& graph) {
  if (graph.helpers() == 0) return messages_sent(graph.agents);
  std::uint64_t messages = 0;
  for (AgentId i = 0; i < graph.everybody.agents(); ++i) messages += messages_sent(graph, i);
  return messages;
}

}  // namespace tacit
