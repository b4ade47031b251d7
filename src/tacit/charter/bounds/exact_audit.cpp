#include "tacit/charter/bounds/exact_audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/charter/bounds/coalition_view.hpp"
#include "tacit/graph/connectivity.hpp"

namespace tacit {

std::vector<AgentId> ExactAudit::singled_out() const {
  std::vector<AgentId> agents;
  for (const MaskPart& part : parts)
    if (part.size() == 1) agents.push_back(part[0]);
  return agents;
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
    throw Error("internal error: the audit and the plan of protocol exact disagree; please report it");
  report.mask_degree = plan.mask_degree ? plan.mask_degree : plan.agents - 1;
  report.coalition = coalition.value_or(Coalition{0});
  report.asked = coalition.has_value();
  report.required = required;
  check_coalition(graph, report.coalition);
  const Gathering all_agents(graph);
  report.parts = parts_without(mask_graph(plan, mask_circle(all_agents, plan)), report.coalition);
  return report;
}

std::vector<std::string> findings_in_words(const ExactAudit& report) {
  const std::size_t bound = report.privacy.collusion;
  std::vector<std::string> found{
      bound == 0
          ? "Each of two agents can compute the other's value from their sum; no protocol prevents this."
          : fmt::format("No coalition of up to {0} agent{1} learns more than the sum, as long as at "
                        "least {2} agents take part.",
                        bound, bound == 1 ? "" : "s", bound + 2)};
  if (report.asked && report.parts.size() == 1 && report.singled_out().empty())
    found.push_back("The given coalition learns only the sum.");
  if (report.asked && report.parts.size() > 1)
    found.push_back(
        fmt::format("The given coalition separates the masks of the other agents into {} parts. It may learn "
                    "the sum of each part.",
                    report.parts.size()));
  for (AgentId agent : report.singled_out())
    if (report.asked)
      found.push_back(fmt::format("It may then compute the value of agent {} exactly.", agent));
  found.push_back(
      "An agent that learns several totals can compare them. The rule of one roster for one model prevents "
      "this (docs/threat-model.md).");
  return found;
}

std::vector<std::string> advice_in_words(const ExactAudit& report) {
  if (report.requirement_met()) return {};
  return {
      fmt::format("Use `collusion={}`. Every bound up to M - 2 is possible, on any graph.", report.required)};
}

}  // namespace tacit
