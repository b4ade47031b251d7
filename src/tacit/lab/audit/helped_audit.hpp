// The bounds of graphs with mask helpers (lab/mask_helpers). Helpers count as agents that may collude.
#pragma once

#include "tacit/charter/bounds/audit.hpp"
#include "tacit/lab/mask_helpers/helped_graph.hpp"

namespace tacit {

/// As consensus_privacy() of a graph without helpers. Sets `question.mask_makers`.
Privacy consensus_privacy(const HelpedGraph& graph, PrivacyQuestion question = {});

/// As audit() of a graph without helpers. Sets `settings.mask_makers`.
AuditReport audit(const HelpedGraph& graph, AuditSettings settings, Progress* progress = nullptr);

}  // namespace tacit
