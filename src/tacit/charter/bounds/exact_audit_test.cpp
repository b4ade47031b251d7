#include "tacit/charter/bounds/exact_audit.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"

namespace tacit {
namespace {

ExactPlan plan_for(std::size_t agents, std::optional<std::size_t> collusion) {
  return make_exact_plan({.agents = agents, .collusion = collusion});
}

// Tries all coalitions. None within the bound separates the masks of the others. Some coalition of one agent
// more does, or leaves only one agent.
TEST(ExactAudit, BoundIsWhatNoCoalitionBreaks) {
  for (std::size_t agents : {3u, 5u, 8u, 9u, 10u})
    for (std::size_t wanted : {0u, 1u, 2u, 3u, 8u}) {
      const ExactPlan plan = plan_for(agents, wanted);
      const std::size_t bound = exact_bound(plan);
      EXPECT_EQ(bound, plan.collusion);
      EXPECT_GE(bound, std::min(wanted, agents - 2));
      bool broken = false;
      for (unsigned set = 1; set + 1 < 1u << agents; ++set) {
        Coalition coalition;
        for (AgentId i = 0; i < agents; ++i)
          if (set >> i & 1) coalition.push_back(i);
        const ExactAudit report = audit_exact(ring_lattice(agents, 2), plan, coalition, 0);
        const bool safe = report.parts.size() == 1 && report.singled_out().empty();
        if (coalition.size() <= bound) {
          EXPECT_TRUE(safe) << agents << " " << wanted << " " << set;
        }
        broken = broken || (coalition.size() == bound + 1 && !safe);
      }
      EXPECT_TRUE(broken) << "the bound is too low for " << agents << ", " << wanted;
    }
}

TEST(ExactAudit, NamesAgentsWhoseValuesAreDetermined) {
  // On a circle of six with partners at distance one, agent 1 lies between agents 0 and 2.
  const ExactAudit report = audit_exact(complete_graph(6), plan_for(6, 1), Coalition{0, 2}, 2);
  EXPECT_EQ(report.mask_degree, 2u);
  EXPECT_EQ(report.parts, (std::vector<MaskPart>{{1}, {3, 4, 5}}));
  EXPECT_EQ(report.singled_out(), std::vector<AgentId>{1});
  EXPECT_EQ(report.rank(), 4u);
  EXPECT_FALSE(report.requirement_met());
  EXPECT_NE(findings_in_words(report)[2].find("the value of agent 1"), std::string::npos);
  EXPECT_NE(advice_in_words(report)[0].find("`collusion=2`"), std::string::npos);
}

TEST(ExactAudit, RefusesWhatMakesNoSense) {
  EXPECT_THROW(audit_exact(Graph(4, {{0, 1}, {2, 3}}), plan_for(4, {}), {}, 0), InputError);
  EXPECT_THROW(audit_exact(complete_graph(4), plan_for(4, {}), Coalition{0, 4}, 0), InputError);
  EXPECT_THROW(audit_exact(complete_graph(4), plan_for(4, {}), Coalition{0, 1, 2, 3}, 0), InputError);
}

}  // namespace
}  // namespace tacit
