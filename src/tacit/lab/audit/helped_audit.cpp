#include "tacit/lab/audit/helped_audit.hpp"

namespace tacit {
namespace {

void count_helpers(Privacy& privacy, const HelpedGraph& graph) {
  if (privacy.masks == MaskSource::shares) privacy.collusion = collusion_bound(graph);
  privacy.collusion_paper = collusion_bound_paper(graph);
}

}  // namespace

Privacy consensus_privacy(const HelpedGraph& graph, PrivacyQuestion question) {
  if (graph.helpers() == 0) return consensus_privacy(graph.agents, question);
  question.mask_makers = &graph.everybody;
  Privacy privacy = consensus_privacy(graph.agents, question);
  count_helpers(privacy, graph);
  return privacy;
}

AuditReport audit(const HelpedGraph& graph, AuditSettings settings, Progress* progress) {
  if (graph.helpers() == 0) return audit(graph.agents, settings, progress);
  settings.mask_makers = &graph.everybody;
  AuditReport report = audit(graph.agents, settings, progress);
  count_helpers(report.privacy, graph);
  report.requirement_met = shortfall(report.privacy, settings.required).empty();
  return report;
}

}  // namespace tacit
