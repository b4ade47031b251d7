// Checks that a graph is suitable for the protocols, and how many colluding agents it withstands.
//
// Threads: any thread may call these functions.
// Errors: Error if igraph fails; InputError for an agent that is not in the graph, and from the functions
// named check.
// Stopping: collusion_bound, neighbourhood_connectivity and weakest_agent may take long on large dense
// graphs. They throw Stopped when the StoppableWork of their thread (base/stop.hpp) is stopped. The other
// functions take time proportional to the edges, times their degree.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// Returns true if every agent can reach every other agent. A single agent is connected.
bool connected(const Graph& graph);

/// Throws InputError if the graph is not connected, naming an agent that agent 0 cannot reach.
void check_connected(const Graph& graph);

/// Returns true if the graph stays connected when any one agent is removed.
bool connected_without_any_one(const Graph& graph);

/// Returns the first edge whose ends have no common neighbour (a violation of Assumption asm:graph), if any.
std::optional<Edge> edge_without_triangle(const Graph& graph);

/// Throws InputError, naming the edge, if edge_without_triangle returns one.
void check_triangles(const Graph& graph);

/// Returns the paper's collusion bound of Theorem thm:priv: h = min over edges of |N_i⁺ ∩ N_j⁺| - 2. It is
/// too high for some graphs and serves only for comparison. 0 for a graph without edges.
std::size_t collusion_bound_paper(const Graph& graph);

/// Returns the exact collusion bound h*: coalitions of at most h* agents cannot split the sum of any
/// neighbourhood into parts. h* = min over agents with neighbours of κ(G[N_i]), where κ is the vertex
/// connectivity (n - 1 for a complete graph of n agents). Without the coalition, a neighbourhood must stay
/// connected, because the masks cancel within each of its components. h* <= h. 0 for a graph without edges.
std::size_t collusion_bound(const Graph& graph);

/// Returns true if the agents among `members`, neighbours of known.self, reach each other over the links
/// between members. Paths may lead through helpers among the members. False if there are no agents among
/// them.
bool linked(const Neighbourhood& known, std::span<const AgentId> members);

/// Returns κ(G[N_i]) of one agent, 0 if it has fewer than two neighbours.
std::size_t neighbourhood_connectivity(const Graph& graph, AgentId agent);

/// What limits h*: an agent i with κ(G[N_i]) = h*, and h* of its neighbours. Without these, the other
/// neighbours are not connected, or only one is left.
struct WeakestAgent {
  AgentId agent = 0;
  std::vector<AgentId> separator;  ///< ascending
};

/// Returns the agent with the lowest id that limits h*, or nothing for a graph without edges.
std::optional<WeakestAgent> weakest_agent(const Graph& graph);

}  // namespace tacit
