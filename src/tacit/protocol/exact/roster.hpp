// The keys of the agents in an exact sum, and the mask partners of each agent.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacit/base/types.hpp"
#include "tacit/secrecy/pairwise.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

/// An agent's key for this run, signed with its identity.
struct RosterEntry {
  AgentId agent = 0;
  PublicKey key{};
  Signature signature{};
};

inline constexpr std::size_t roster_entry_bytes =
    sizeof(std::uint32_t) + sizeof(PublicKey) + sizeof(Signature);

/// Convert entries to bytes on the wire and back, in the given order. Throws Error if the bytes end in the
/// middle of an entry.
std::vector<std::byte> to_bytes(std::span<const RosterEntry> entries);
std::vector<RosterEntry> roster_from(std::span<const std::byte> bytes);

/// Returns the text that `agent` signs: its key, bound to this transcript.
Digest key_text(const Digest& transcript, AgentId agent, const PublicKey& key);

/// Returns the mask partners, in ascending order, of the agent at `place` of `n`: the degree/2 nearest agents
/// on both sides of the circle, or all others if these are no more. This is Harary's graph, which stays
/// connected when any degree - 1 agents leave. `degree` is even, or 0 for all others.
std::vector<std::size_t> mask_partners(std::size_t n, std::size_t place, std::size_t degree);

}  // namespace tacit
