// Protocol 1 on a graph with mask helpers: its plan, its traffic, and a helper's side of a run.
#pragma once

#include "tacit/lab/mask_helpers/helped_graph.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"

namespace tacit {

/// The request for the graph without helpers, one of which may be the third in an edge's triangle. Throws
/// InputError for seeded masks, which helpers cannot improve, and where helpers leave an edge in no triangle.
PlanRequest request_without_helpers(const HelpedGraph& graph, PlanRequest request);

/// All numbers are those of the graph without helpers.
ConsensusPlan make_plan(const HelpedGraph& graph, const PlanRequest& request);

/// What one agent or helper sends in a whole run, and what all of them send.
Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan, AgentId agent);
Traffic planned_traffic(const HelpedGraph& graph, const ConsensusPlan& plan);

/// A helper's side of `runs` runs, one after the other: it makes masks with others and adds zeros. Returns
/// `runs`.
Task<std::size_t> help(Channel& net, const ConsensusPlan& plan, std::size_t runs);

}  // namespace tacit
