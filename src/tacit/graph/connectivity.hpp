// Is a graph fit for the protocols, and how many colluding agents does it withstand?
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// True if every agent can reach every other. A single agent is connected.
bool connected(const Graph& graph);

/// Throws InputError, naming an agent that agent 0 cannot reach, if the graph is not connected.
void check_connected(const Graph& graph);

/// True if the others can still reach each other without any one agent.
bool connected_without_any_one(const Graph& graph);

/// The first edge whose ends have no common neighbour (breaking Assumption asm:graph), if there is one.
std::optional<Edge> edge_without_triangle(const Graph& graph);

/// Throws InputError, naming the edge, if edge_without_triangle finds one.
void check_triangles(const Graph& graph);

/// The paper's collusion bound, Theorem thm:priv: h = min over edges of |N_i⁺ ∩ N_j⁺| - 2. Too high on some
/// graphs; kept for comparison. 0 for a graph without edges.
std::size_t collusion_bound_paper(const Graph& graph);

/// How large a coalition may be before it can split the sum of some neighbourhood into parts:
/// h* = min over agents with neighbours of κ(G[N_i]), where κ is the vertex connectivity (n - 1 for n agents
/// all joined to each other). Masks cancel within each part that a neighbourhood falls into without the
/// coalition, so it must not fall apart. Exact; h* <= h. 0 for a graph without edges.
std::size_t collusion_bound(const Graph& graph);

/// Do the agents among these neighbours of known.self reach each other over the links between the given ones?
/// Helpers among them may be on the way. False for no agents at all.
bool linked(const Neighbourhood& known, std::span<const AgentId> members);

/// Does an agent's own circle withstand a single curious agent: two neighbours or more, and linked? That is
/// as much of h* >= 1 as an agent can see.
bool circle_holds(const Neighbourhood& known);

/// κ(G[N_i]) of one agent; 0 if it has fewer than two neighbours.
std::size_t neighbourhood_connectivity(const Graph& graph, AgentId agent);

/// What limits h*: an agent i with κ(G[N_i]) = h*, and h* of its neighbours without whom the others fall into
/// parts, or only one is left.
struct WeakestAgent {
  AgentId agent = 0;
  std::vector<AgentId> separator;  ///< ascending
};

/// The lowest such agent; none for a graph without edges.
std::optional<WeakestAgent> weakest_agent(const Graph& graph);

}  // namespace tacit
