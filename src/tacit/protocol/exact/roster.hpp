// Who takes part in an exact sum, with the keys they brought: the list that a run is about.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tacit/base/types.hpp"
#include "tacit/secrecy/pairwise.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

/// An agent's consent to take part: its key for this roster, signed with its identity.
struct RosterEntry {
  AgentId agent = 0;
  PublicKey key{};
  Signature consent{};
};

/// Bytes on the wire and back, in the order given. Throws Error for bytes that are not whole entries.
std::vector<std::byte> to_bytes(std::span<const RosterEntry> entries);
std::vector<RosterEntry> roster_from(std::span<const std::byte> bytes);

/// What `agent` signs: its key, for this occasion and no other.
Digest consent_text(const Digest& occasion, AgentId agent, const PublicKey& key);

/// With whom the agent at `place` of `n` masks: the degree/2 next on both sides of the circle, Harary's
/// graph, which stays connected when any degree - 1 leave it; all others where that is as many. `degree` is
/// even, or 0 for all others. Ascending.
std::vector<std::size_t> mask_partners(std::size_t n, std::size_t place, std::size_t degree);

/// What stands after an exact sum, so that the next one on the channel need not gather again.
struct Standing {
  AgentId originator = 0;
  std::size_t mask_degree = 0;    ///< of the plan it was gathered for
  std::optional<AgentId> parent;  ///< on the spanning tree; none for the originator
  std::vector<AgentId> children;
  std::vector<AgentId> roster;      ///< ascending
  Digest occasion{};                ///< names roster and gathering; streams are bound to it
  std::map<AgentId, PairKey> keys;  ///< in common with the mask partners
};

}  // namespace tacit
