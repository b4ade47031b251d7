// Protocol 1 on a graph with mask helpers: its plan, its traffic, and a helper's side of a run.
#pragma once

#include "tacit/lab/mask_helpers/helped_graph.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// Converts a request to the graph without helpers, where a helper may have been the third member of a
/// triangle. Throws InputError for seeded masks, which helpers cannot improve, and if an edge is in no
/// triangle even with helpers.
PlanRequest request_without_helpers(const HelpedGraph& graph, PlanRequest request);

/// Plans a run. All numbers are those of the graph without helpers.
ConsensusPlan make_plan(const HelpedGraph& graph, const PlanRequest& request);

/// The traffic that one agent or helper, or all of them, send in a whole run.
Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan, AgentId agent);
Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan);

/// A helper's side of `runs` consecutive runs: it makes masks with others and adds zeros. Returns `runs`.
Task<std::size_t> help(Run& net, const ConsensusPlan& plan, std::size_t runs);

}  // namespace tacit
