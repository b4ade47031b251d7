// The network: which agents talk to each other, and what one agent knows of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tacit/base/types.hpp"

namespace tacit {

/// Two agents that talk to each other. Direction has no meaning.
using Edge = std::pair<AgentId, AgentId>;

/// An undirected simple graph of agents 0 .. agents()-1. Never changes once made.
class Graph {
 public:
  /// The largest network that is accepted; far above any consortium, it turns a typing error into
  /// a clear message.
  static constexpr std::size_t most_agents = 1'000'000;

  /// Edges given twice, in either direction, count once. Throws InputError, naming the edge, for an edge from
  /// an agent to itself or to an agent that does not exist, and for 0 or more than most_agents agents.
  Graph(std::size_t agents, std::vector<Edge> edges);

  std::size_t agents() const { return starts_.size() - 1; }
  /// Undirected edges, each counted once.
  std::size_t edges() const { return neighbours_.size() / 2; }
  /// N_i, ascending. Here and below an id that is not in the graph throws InputError.
  std::span<const AgentId> neighbours(AgentId agent) const;
  std::size_t degree(AgentId agent) const { return neighbours(agent).size(); }
  /// Δ, the largest degree.
  std::size_t max_degree() const { return max_degree_; }
  bool adjacent(AgentId a, AgentId b) const;
  /// True if every agent is a neighbour of every other.
  bool complete() const { return neighbours_.size() == agents() * (agents() - 1); }
  /// Every edge once as (i, j) with i < j, ascending.
  std::vector<Edge> edge_list() const;

  friend bool operator==(const Graph&, const Graph&) = default;

 private:
  // Agent i's neighbours are neighbours_[starts_[i]] .. [starts_[i + 1] - 1].
  std::vector<std::size_t> starts_;
  std::vector<AgentId> neighbours_;
  std::size_t max_degree_ = 0;
};

/// |N_i ∩ N_j| of every edge, in the order of edge_list().
std::vector<std::size_t> common_neighbours(const Graph& graph);

/// What one agent knows of the graph: everything within two hops (Assumption asm:metro), and M,
/// which is public.
struct Neighbourhood {
  AgentId self = 0;
  std::size_t agents = 0;           ///< M; ids from M on are helpers (mask_helpers.hpp)
  std::vector<AgentId> neighbours;  ///< N_self and its helpers, ascending
  /// N_j for each j of `neighbours`, in that order, ascending.
  std::vector<std::vector<AgentId>> neighbours_of;

  /// With whom `self` swaps shares of zero for an aggregator a in N_self⁺, eqs (jshare) and (ishare):
  /// N_a⁺ ∩ N_self⁺ without `self`, ascending. Throws InputError for any other a.
  std::vector<AgentId> circle(AgentId aggregator) const;
  /// |N_j| for j in N_self⁺, without helpers, which have no part in the weights. Throws InputError for any
  /// other j.
  std::size_t degree_of(AgentId agent) const;
  /// Is self a helper?
  bool helps() const { return self >= agents; }
  /// N_self without helpers, ascending: whose sums self takes part in.
  std::span<const AgentId> aggregators() const;
};

/// Cuts out of the graph what `agent` may know of it. Throws InputError if it is not in the graph.
Neighbourhood neighbourhood(const Graph& graph, AgentId agent);

}  // namespace tacit
