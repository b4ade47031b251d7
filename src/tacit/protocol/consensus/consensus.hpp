// Protocol 1: secure distributed average consensus, one agent's side.
//
// Threads: agents may run on different threads, each task on one at a time. Several tasks may share a
// plan.
// Errors: thrown by the result of a task, as described for each function.
// Stopping: as for its channel (channel/channel.hpp): at the next message that the agent waits for.
#pragma once

#include <cstdint>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/protocol/run/run.hpp"
#include "tacit/secrecy/ring.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

/// Runs T iterations of (metroFinal) with fresh masks each time. Returns z̄_i(T), which is near the average of
/// all agents' z. Throws InputError, with the number of bits that would suffice, if a value is not finite or
/// exceeds the plan's public bound. Throws Error if a neighbour's message is malformed. `net` and `plan` must
/// outlive the task. Applies the plan's hardening: masks from pairwise streams, accelerated steps, a blinded
/// start.
Task<Values> secure_average(Run& net, const ConsensusPlan& plan, Values z);

/// The same on a channel without a run. `number` identifies the execution: all agents pass the same number,
/// and another one for every execution on the channel. Throws InputError for seeded masks, because the keys
/// of pairs belong to a run.
Task<Values> secure_average(Channel& net, const ConsensusPlan& plan, Values z, std::uint32_t number = 0);

/// As secure_average, for the exact state: integers in units of L_z L_w, or plan.unit() (see encode). Word is
/// Word64 or Word128 and must be wide enough for the plan (see fits_64).
template <class Word>
Task<WipedVector<SignedOf<Word>>> secure_average_state(Run& net, const ConsensusPlan& plan,
                                                       WipedVector<SignedOf<Word>> state);
template <class Word>
Task<WipedVector<SignedOf<Word>>> secure_average_state(Channel& net, const ConsensusPlan& plan,
                                                       WipedVector<SignedOf<Word>> state,
                                                       std::uint32_t number = 0);

/// Returns whether 64-bit words can hold the plan's ring and its states.
bool fits_64(const ConsensusPlan& plan);

/// Convert reals to states and back: S = ⌈z / plan.unit()⌋.
template <class Signed>
WipedVector<Signed> encode(const ConsensusPlan& plan, const Values& z);
template <class Signed>
Values decode(const ConsensusPlan& plan, const WipedVector<Signed>& state);

}  // namespace tacit
