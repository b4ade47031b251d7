// The end of a fit: every agent of the roster signs the same model, or the model is discarded.
#pragma once

#include "tacit/agent/model/model_store.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// One agent's side. `mine` is the model that this agent computed. With exact sums, all agents have the same
/// bits. With consensus sums they differ slightly: all agents then use the originator's model if it is
/// plausible and near their own. Each agent commits to its rows and seals the model; the task checks all
/// seals before it returns the model. Throws Misbehaviour, with the agent's name, for a seal of another
/// model. References must outlive the task.
Task<SealedModel> seal_together(Run& net, const Charter& charter, const Terms& terms,
                                const Identity& identity, ModelStore& models, FittedModel mine);

/// Throws Error, with the part that differs, unless all numbers agree to a relative 0.001.
void check_near(const FittedModel& own, const FittedModel& other, const Terms& terms);

/// The end of a run with tree sums. Throws Misbehaviour unless all agents received the same totals.
Task<void> end_alike(Run& net, const Charter& charter);

}  // namespace tacit
