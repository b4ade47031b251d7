// The keys that agents bring to an exact sum, and with whom each masks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
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

/// Bytes on the wire and back, in the order given. Throws Error for bytes that are not whole entries.
std::vector<std::byte> to_bytes(std::span<const RosterEntry> entries);
std::vector<RosterEntry> roster_from(std::span<const std::byte> bytes);

/// What `agent` signs: its key, for this transcript and no other.
Digest key_text(const Digest& transcript, AgentId agent, const PublicKey& key);

/// With whom the agent at `place` of `n` masks: the degree/2 next on both sides of the circle, Harary's
/// graph, which stays connected when any degree - 1 leave it; all others where that is as many. `degree` is
/// even, or 0 for all others. Ascending.
std::vector<std::size_t> mask_partners(std::size_t n, std::size_t place, std::size_t degree);

/// What an exact sum leaves behind, so that the next one on the channel need not exchange keys again.
struct MaskKeys {
  std::size_t mask_degree = 0;                    ///< of the plan they were made for
  std::optional<AgentId> top = {};                ///< whose tree the partners are of, for tree sums
  std::vector<std::pair<AgentId, PairKey>> keys;  ///< in common with the mask partners

  bool serve(std::size_t degree, std::optional<AgentId> whose) const {
    return mask_degree == degree && top == whose;
  }
};

}  // namespace tacit
