// Blinding: before round 0 every two neighbours agree on noise that one adds to its start and the
// other subtracts. The sum stays the same to the bit, but the rounds show only noise about
// anybody's start (docs/decisions.md).
#pragma once

#include <cstddef>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/secrecy/ring.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

/// The state with this agent's noise: uniform in ±2^noise_bits units for every neighbouring agent and number.
/// Of two neighbours the one with the lower id draws. Throws Error when a neighbour's message is malformed.
/// `net` and `plan` must outlive the task.
template <class Word>
Task<WipedVector<SignedOf<Word>>> blind(Channel& net, const ConsensusPlan& plan, std::uint32_t run,
                                        WipedVector<SignedOf<Word>> state);

/// With what advantage at most somebody who sees a blinded run can tell two sets of values apart that have
/// the same sums: p M²/2 times 2^-bits, for M agents and p numbers each (docs/decisions.md proves it), and 1
/// when that is more. Every further run adds as much.
double blinding_odds(std::size_t agents, std::size_t dimension, unsigned bits);

}  // namespace tacit
