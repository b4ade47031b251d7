// Identifies a message. A receiver requests a message by sender and tag. So a message that arrives early
// waits, and one that was not requested has no effect.
//
// Threads: any thread may call these functions.
// Errors: std::bad_alloc.
// Stopping: no function runs long.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "tacit/base/types.hpp"

namespace tacit {

/// The steps of all protocols.
enum class Step : std::uint16_t {
  share = 1,         ///< consensus: a share s of (jshare) or (ishare)
  masked = 2,        ///< consensus: a masked value ζ of (theta)
  key = 3,           ///< seeded masks: the sender's public key
  introduction = 4,  ///< seeded masks: public keys of the sender's neighbours that are not the receiver's
  blind = 5,         ///< blinding: noise that the sender adds and the receiver subtracts
  join = 7,          ///< tree sums: signed keys of a branch that other agents need
  roster = 8,        ///< tree sums: signed keys of other agents that a branch needs
  partial = 9,       ///< tree sums: the masked sum of a subtree
  open = 10,         ///< tree sums: self-masks may be released
  seeds = 11,        ///< tree sums: self-masks of a subtree
  total = 12,        ///< tree sums: the sum
  consent = 13,      ///< verified sums: the sender's key
  vector = 14,       ///< verified sums: the sender's masked values
  confirm = 15,      ///< verified sums: which masked values the sender has received
  self_mask = 16,    ///< verified sums: the sender's self-mask
  notice = 17,       ///< what one agent publishes
  seal = 18,         ///< the sender's signature of a result
  turn = 19,         ///< enduring sums: the sender's message in a turn, which all agents take together
};
/// The last step that agents on a network use; enduring sums are only simulated.
inline constexpr Step last_step = Step::seal;

struct Tag {
  std::uint32_t run = 0;    ///< which protocol execution on this channel
  std::uint32_t round = 0;  ///< the iteration t
  AgentId about = 0;        ///< the aggregating agent i
  Step step = Step::share;

  auto operator<=>(const Tag&) const = default;
};

/// Returns the name of a step.
const char* step_name(Step step);

/// For error messages: "share of round 3 for aggregator 7, run 0", or "public key of agent 2, run 0".
std::string to_string(const Tag& tag);

}  // namespace tacit
