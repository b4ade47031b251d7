// How many messages one iteration of Protocol 1 takes with fresh shares, eq (commComplex).
#pragma once

#include <cstdint>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// Messages that carry shares of zero, by all agents in one iteration: Σ_i |N_i| of eq (ishare) and
/// Σ_i Σ_{j in N_i} |N_i⁺ ∩ N_j| of eq (jshare). An agent keeps its own share, so that one is not counted.
std::uint64_t share_messages(const Graph& graph);

/// All messages that one agent sends in one iteration: to each neighbour a masked value (theta) and a
/// share (ishare), and as neighbour of each i a share (jshare) to the others in N_i⁺ ∩ N_agent⁺. Over all
/// agents this adds up to share_messages plus two for every edge. Throws InputError if the agent is not
/// in the graph.
std::uint64_t messages_sent(const Graph& graph, AgentId agent);

/// The same for an agent or helper of whom only the neighbourhood is known. A helper aggregates nothing
/// itself.
std::uint64_t messages_sent(const Neighbourhood& known);
/// By all agents.
std::uint64_t messages_sent(const Graph& graph);

}  // namespace tacit
