// Helpers: agents without a value that only take part in making masks, the "dummy" agents that the paper
// proposes after Theorem thm:priv. With them, a graph withstands larger coalitions, at the cost of messages.
//
// Threads: plain values and functions.
// Errors: InputError for graphs that cannot be used.
// Stopping: each call runs to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// A graph of agents 0 .. M-1 and helpers M .. M+K-1, which mask edges connect with some agents. A helper is
/// in the circle of each agent to which it is connected.
struct HelpedGraph {
  Graph agents;     ///< the agents that average; weights, λ and results depend only on this graph
  Graph everybody;  ///< agents, helpers and mask edges

  /// A graph without helpers.
  HelpedGraph(Graph graph);  // NOLINT(google-explicit-constructor): a graph is one without helpers
  /// Throws InputError for a mask edge that does not connect an agent with a helper.
  HelpedGraph(Graph graph, std::size_t helpers, const std::vector<Edge>& mask_edges);

  std::size_t helpers() const { return everybody.agents() - agents.agents(); }
};

/// What an agent or a helper may know: two hops, and M.
Neighbourhood neighbourhood(const HelpedGraph& graph, AgentId agent);

/// h* with helpers: how many agents and helpers may collude without being able to split the sum of any
/// neighbourhood N_i into parts. A split needs enough members to separate two agents of N_i among the agents
/// and helpers connected to i; a helper that is cut off reveals nothing. The bound is at most |N_i| - 1: if i
/// and all its neighbours but one collude, the sum itself is the last one's value. Without helpers, this is
/// collusion_bound(graph). Exact.
std::size_t collusion_bound(const HelpedGraph& graph);

/// The paper's h: the minimum over edges between agents of the number of common neighbours, including
/// helpers.
std::size_t collusion_bound_paper(const HelpedGraph& graph);

/// Throws InputError, which names the edge, if two neighbouring agents have no common agent or helper
/// (asm:graph).
void check_triangles(const HelpedGraph& graph);

/// Adds helpers where they raise h* most. A helper connected to i and all of N_i raises the bound of i by
/// one; no helper can raise it by more. So each helper is connected to the agents with the lowest bound and
/// their neighbours, and then unnecessary mask edges are removed. h* grows by exactly one for each helper.
/// Throws InputError for more helpers than can raise it, with the number that is useful. The same arguments
/// give the same graph.
HelpedGraph with_helpers(const Graph& graph, std::size_t helpers);

/// As messages_sent() of a graph without helpers. A helper sends a masked zero and its shares (jshare) to
/// each aggregator to which it is connected.
std::uint64_t messages_sent(const HelpedGraph& graph, AgentId agent);
/// The messages sent by all agents and helpers.
std::uint64_t messages_sent(const HelpedGraph& graph);

}  // namespace tacit
