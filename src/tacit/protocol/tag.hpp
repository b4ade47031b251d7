// What a message is about. A receiver asks for a message by sender and tag, so that a message that comes
// early waits and one that was not asked for changes nothing.
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
  introduction = 4,  ///< seeded masks: public keys of the sender's neighbours that the receiver does not meet
  blind = 5,         ///< blinding: noise that the sender adds and the receiver subtracts
  roll = 6,          ///< leaving: who stays and who has left
  call = 7,          ///< exact: the originator asks for a sum; passed on by whoever hears it first
  join = 8,          ///< exact: consent and keys of a subtree
  roster = 9,        ///< exact: everybody who takes part
  partial = 10,      ///< exact: the masked sum of a subtree
  open = 11,         ///< exact: the total is there, self-masks may be released
  seeds = 12,        ///< exact: self-masks of a subtree
  total = 13,        ///< exact: the sum
  abort = 14,        ///< exact: an agent is lost, this epoch is over
  end = 15,          ///< exact: the run is over without a sum
};

struct Tag {
  std::uint32_t run = 0;    ///< which protocol execution on this channel
  std::uint32_t round = 0;  ///< the iteration t
  AgentId about = 0;        ///< the aggregating agent i
  Step step = Step::share;

  auto operator<=>(const Tag&) const = default;
};

/// One or two words for it.
const char* step_name(Step step);

/// For error messages: "share of round 3 for aggregator 7, run 0", or "public key of agent 2, run 0".
std::string to_string(const Tag& tag);

}  // namespace tacit
