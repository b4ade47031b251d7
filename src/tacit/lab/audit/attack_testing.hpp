// For tests: the attack on the messages of one round. It undoes the masks as far as the coalition can
// (findings 1a and 1d).
#pragma once

#include <span>
#include <vector>

#include "tacit/charter/bounds/round_leakage.hpp"
#include "tacit/protocol/channel/tag.hpp"
#include "tacit/secrecy/ring.hpp"

namespace tacit {

/// A message that a member of the coalition has sent or received.
struct SeenMessage {
  AgentId from = 0, to = 0;
  Tag tag;
  std::span<const std::byte> bytes;
};

/// Returns what aggregator i and the coalition learn from a round with masks of shares: Σ_{j in part} w̄_ij
/// Q(z_j) for each part of mask_parts(), by part and component of the vectors. `seen` may also hold messages
/// of other rounds and aggregators. Throws InputError if i is not in the coalition, or if a message is
/// missing, which the error names.
std::vector<std::vector<Integer128>> undo_masks(const Graph& graph, unsigned modulus_bits,
                                                const Coalition& coalition, AgentId aggregator,
                                                std::uint32_t run, std::uint32_t round,
                                                std::span<const SeenMessage> seen);

}  // namespace tacit
