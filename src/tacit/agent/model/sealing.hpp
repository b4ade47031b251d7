// The end of a fit: everybody of the roster signs the same model, or nobody keeps it.
#pragma once

#include "tacit/agent/model/model_store.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// One agent's side. `mine` is what this agent has found itself; with exact sums all have found the same
/// bits. By the consensus they differ a little: there the originator's is taken by all, where it is plausible
/// and near their own. Each commits to its rows and seals the model; all seals are checked before it is given
/// back. Throws Misbehaviour, naming the agent, for a seal of anything else. References must outlive the
/// task.
Task<SealedModel> seal_together(Channel& net, const Charter& charter, const Terms& terms,
                                const Identity& identity, ModelStore& models, FittedModel mine);

/// Throws Error, naming what differs, unless every number of the two is the same to a thousandth.
void check_near(const FittedModel& own, const FittedModel& other, const Terms& terms);

/// The end of a run by tree sums: everybody has seen the same totals, or an error.
Task<void> end_alike(Channel& net, const Charter& charter);

}  // namespace tacit
