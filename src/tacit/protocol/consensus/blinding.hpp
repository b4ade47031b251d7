// Blinding: before round 0, every two neighbours agree on noise that one adds to its start and the other
// subtracts. The sum does not change, not even by a bit, but the rounds reveal only noise about each agent's
// start (docs/decisions.md).
#pragma once

#include <cstddef>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/secrecy/ring.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

/// Returns the state with this agent's noise: uniform in ±2^noise_bits units for every neighbour and number.
/// Of two neighbours, the one with the lower id draws the noise. Throws Error if a neighbour's message is
/// malformed. `net` and `plan` must outlive the task.
template <class Word>
Task<WipedVector<SignedOf<Word>>> blind(Channel& net, const ConsensusPlan& plan, std::uint32_t run,
                                        WipedVector<SignedOf<Word>> state);

/// Returns the maximum advantage with which an observer of a blinded run distinguishes two sets of values
/// with the same sums: p M²/2 times 2^-bits for M agents with p numbers each (proof in docs/decisions.md),
/// but at most 1. Each further run adds the same amount.
double blinding_odds(std::size_t agents, std::size_t dimension, unsigned bits);

}  // namespace tacit
