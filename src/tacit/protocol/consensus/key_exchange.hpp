// Exchanges the keys for seeded masks: every two neighbours of one agent share a key.
#pragma once

#include "tacit/graph/graph.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run_keys.hpp"

namespace tacit {

/// Draws a fresh key pair, sends its public key to the neighbours, and passes keys between neighbours that
/// are not neighbours of each other. Returns the keys shared with every agent that has a neighbour in common
/// with this one. Throws Error if a key is malformed, if two agents pass on different keys of a third, or if
/// two agents present the same key. `net` must outlive the task.
Task<PairKeys> exchange_keys(Channel& net, std::uint32_t run);

/// Throws Error, naming both, if two agents present the same key. `keys` has one key for each of `owners`.
void refuse_copies(std::span<const AgentId> owners, std::span<const PublicKey> keys);

/// Returns the agents whose keys `between` sends to its neighbour `to`: N_between without N_to⁺, ascending.
/// Both ends know this list (asm:metro).
std::vector<AgentId> introduced(std::span<const AgentId> of_between, AgentId to,
                                std::span<const AgentId> of_to);

}  // namespace tacit
