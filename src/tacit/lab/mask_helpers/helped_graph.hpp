// Helpers: agents that only take part in making masks and bring no value, the "dummy" agents that the paper
// proposes after Theorem thm:priv. They make a graph withstand larger coalitions at the cost of messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// A graph of agents 0 .. M-1, and helpers M .. M+K-1 joined to some of them by mask edges. A helper is in
/// the circle of every agent it is joined to.
struct HelpedGraph {
  Graph agents;     ///< who averages: weights, λ and results depend on this alone
  Graph everybody;  ///< agents, helpers and mask edges

  /// No helpers.
  HelpedGraph(Graph graph);  // NOLINT(google-explicit-constructor): a graph is one without helpers
  /// Throws InputError for a mask edge that does not join an agent to a helper.
  HelpedGraph(Graph graph, std::size_t helpers, const std::vector<Edge>& mask_edges);

  std::size_t helpers() const { return everybody.agents() - agents.agents(); }
};

/// What an agent or a helper may know: two hops, and M.
Neighbourhood neighbourhood(const HelpedGraph& graph, AgentId agent);

/// h* with helpers: how many of agents and helpers may collude before they can split the sum of some
/// neighbourhood N_i into parts. That takes as many as separate two agents of N_i among the agents and
/// helpers joined to i; a helper that is cut off itself gives nothing away. Never more than |N_i| - 1, as
/// with |N_i| colluding (i and all its neighbours but one) the sum itself is the last one's value. Without
/// helpers this is collusion_bound(graph). Exact.
std::size_t collusion_bound(const HelpedGraph& graph);

/// The paper's h: its minimum over edges between agents, with helpers among the common neighbours.
std::size_t collusion_bound_paper(const HelpedGraph& graph);

/// Throws InputError, naming the edge, if two agents that are neighbours have neither an agent nor a helper
/// in common (asm:graph).
void check_triangles(const HelpedGraph& graph);

/// Adds helpers where they raise h* most. A helper joined to i and all of N_i raises i's bound by one, and no
/// helper can raise it by more. So each in turn is joined to the agents with the lowest bound and their
/// neighbours, and mask edges that turn out not to be needed are removed again. h* grows by exactly one for
/// each helper. Throws InputError, saying how many are useful, for more helpers than can raise it. The same
/// arguments give the same graph.
HelpedGraph with_helpers(const Graph& graph, std::size_t helpers);

/// As messages_sent of a graph without helpers. A helper sends a masked zero and its shares (jshare) to each
/// aggregator it is joined to.
std::uint64_t messages_sent(const HelpedGraph& graph, AgentId agent);
/// By all agents and helpers.
std::uint64_t messages_sent(const HelpedGraph& graph);

}  // namespace tacit
