// The network: which agents communicate with each other, and the part of it that one agent knows.
//
// Threads: several threads may read one object. A Graph never changes.
// Errors: InputError for agents and edges that do not exist.
// Stopping: no function can be stopped. The longest takes time proportional to the edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tacit/base/types.hpp"

namespace tacit {

/// Two agents that communicate with each other. The order has no meaning.
using Edge = std::pair<AgentId, AgentId>;

/// An undirected simple graph of agents 0 .. agents()-1. Immutable.
class Graph {
 public:
  /// The largest accepted network. It is far larger than any consortium, so that a mistyped number gives a
  /// clear message.
  static constexpr std::size_t most_agents = 1'000'000;

  /// Creates a graph. Repeated edges, in either direction, count once. Throws InputError, naming the edge, if
  /// it joins an agent to itself or to an agent that does not exist. Throws InputError for 0 or more than
  /// most_agents agents.
  Graph(std::size_t agents, std::vector<Edge> edges);

  std::size_t agents() const { return starts_.size() - 1; }
  /// Returns the number of undirected edges.
  std::size_t edges() const { return neighbours_.size() / 2; }
  /// Returns N_i in ascending order. This and the functions below throw InputError for an id that is not in
  /// the graph.
  std::span<const AgentId> neighbours(AgentId agent) const;
  std::size_t degree(AgentId agent) const { return neighbours(agent).size(); }
  /// Returns Δ, the largest degree.
  std::size_t max_degree() const { return max_degree_; }
  bool adjacent(AgentId a, AgentId b) const;
  /// Returns true if every agent is a neighbour of every other agent.
  bool complete() const { return neighbours_.size() == agents() * (agents() - 1); }
  /// Returns every edge once, as (i, j) with i < j, in ascending order.
  std::vector<Edge> edge_list() const;

  friend bool operator==(const Graph&, const Graph&) = default;

 private:
  // Agent i's neighbours are neighbours_[starts_[i]] .. [starts_[i + 1] - 1].
  std::vector<std::size_t> starts_;
  std::vector<AgentId> neighbours_;
  std::size_t max_degree_ = 0;
};

/// Returns |N_i ∩ N_j| for every edge, in the order of edge_list().
std::vector<std::size_t> common_neighbours(const Graph& graph);

/// The part of the graph that one agent knows: everything within two hops (Assumption asm:metro), and M,
/// which is public.
struct Neighbourhood {
  AgentId self = 0;
  std::size_t agents = 0;           ///< M; ids from M on are helpers (lab/mask_helpers)
  std::vector<AgentId> neighbours;  ///< N_self and its helpers, ascending
  /// N_j, ascending, for each j in the order of `neighbours`.
  std::vector<std::vector<AgentId>> neighbours_of;

  /// Returns the agents with which `self` exchanges shares of zero for an aggregator a in N_self⁺, eqs
  /// (jshare) and (ishare): N_a⁺ ∩ N_self⁺ without `self`, ascending. Throws InputError for any other a.
  std::vector<AgentId> circle(AgentId aggregator) const;
  /// Returns |N_j| for j in N_self⁺, without helpers, which do not affect the weights. Throws InputError for
  /// any other j.
  std::size_t degree_of(AgentId agent) const;
  /// Returns whether `self` is a helper.
  bool helps() const { return self >= agents; }
  /// Returns N_self without helpers, ascending: the agents in whose sums `self` takes part.
  std::span<const AgentId> aggregators() const;
};

/// Returns the part of the graph that `agent` may know. Throws InputError if it is not in the graph.
Neighbourhood neighbourhood(const Graph& graph, AgentId agent);

}  // namespace tacit
