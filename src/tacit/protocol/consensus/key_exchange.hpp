// Who has which key in common with whom, for seeded masks: every two neighbours of one agent.
#pragma once

#include "tacit/graph/graph.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// Draws a fresh key pair, sends its public half to the neighbours and introduces to each other those of them
/// that are not neighbours. Gives the key in common with every agent that shares a neighbour with this one.
/// Throws Error for malformed keys, when two agents pass on different keys of a third, and when two show the
/// same. `net` must outlive the task.
Task<PairKeys> exchange_keys(Channel& net, std::uint32_t run);

/// Throws Error, naming the two, when two agents show the same key. `keys` has one for each of `owners`.
void refuse_copies(std::span<const AgentId> owners, std::span<const PublicKey> keys);

/// Whose keys `between` tells `to`, when both are neighbours: N_between without N_to⁺, ascending. Both ends
/// know it (asm:metro).
std::vector<AgentId> introduced(std::span<const AgentId> of_between, AgentId to,
                                std::span<const AgentId> of_to);

}  // namespace tacit
