#include "tacit/charter/bounds/exact_audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/charter/bounds/observer.hpp"
#include "tacit/graph/connectivity.hpp"

namespace tacit {

std::vector<AgentId> ExactAudit::singled_out() const {
  std::vector<AgentId> alone;
  for (const MaskPart& part : parts)
    if (part.size() == 1) alone.push_back(part[0]);
  return alone;
}

ExactAudit audit_exact(const Graph& graph, const ExactPlan& plan, const std::optional<Coalition>& coalition,
                       std::size_t required) {
  check_connected(graph);
  ExactAudit report;
  report.privacy = exact_privacy(plan, graph);
  const std::size_t bound = exact_bound(plan);
  report.privacy.collusion = bound;
  report.privacy.one_round.withstands = report.privacy.all_rounds.withstands = bound;
  if (report.privacy.collusion < plan.collusion)
    throw Error("the audit contradicts the plan about protocol exact; please report it");
  report.mask_degree = plan.mask_degree ? plan.mask_degree : plan.agents - 1;
  report.coalition = coalition.value_or(Coalition{0});
  report.asked = coalition.has_value();
  report.required = required;
  check_coalition(graph, report.coalition);
  const Gathering everybody(graph);
  report.parts = parts_without(mask_graph(plan, mask_circle(everybody, plan)), report.coalition);
  return report;
}

std::vector<std::string> findings_in_words(const ExactAudit& report) {
  const std::size_t bound = report.privacy.collusion;
  std::vector<std::string> found{
      bound == 0 ? "The sum of two agents tells each the other's value; no protocol can prevent that."
                 : fmt::format("No coalition of up to {0} agent{1} learns more than the sum, as long as at "
                               "least {2} agents take part.",
                               bound, bound == 1 ? "" : "s", bound + 2)};
  if (report.asked && report.parts.size() == 1 && report.singled_out().empty())
    found.push_back("The coalition asked about learns only the sum.");
  if (report.asked && report.parts.size() > 1)
    found.push_back(
        fmt::format("The coalition asked about may learn the sums of {} parts of the others, whose masks it "
                    "cuts off from each other.",
                    report.parts.size()));
  for (AgentId agent : report.singled_out())
    if (report.asked)
      found.push_back(fmt::format("It may then compute agent {}'s contribution exactly.", agent));
  found.push_back(
      "Anyone who learns several totals may compare them; what stops that is one roster for one model "
      "(docs/threat-model.md).");
  return found;
}

std::vector<std::string> advice_in_words(const ExactAudit& report) {
  if (report.requirement_met()) return {};
  return {
      fmt::format("Use --collusion {}; any bound up to M - 2 is possible, on any graph.", report.required)};
}

}  // namespace tacit
