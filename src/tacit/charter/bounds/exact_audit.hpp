// The audit of protocol exact: which coalitions can learn more than the total. The protocol has neither
// rounds nor trajectories.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/charter/bounds/privacy.hpp"

namespace tacit {

struct ExactAudit {
  Privacy privacy;  ///< its collusion bound is computed from the mask partners, not taken from the plan
  std::size_t mask_degree = 0;  ///< the number of mask partners of an agent
  Coalition coalition;          ///< the coalition examined
  /// Groups of honest agents whose masks stay connected without the coalition. Depending on the spanning
  /// tree, the coalition may learn the sum over each group, but nothing else. The sum of
  /// a single group follows from the total that all agents receive.
  std::vector<MaskPart> parts;
  std::size_t required = 0;  ///< the collusion bound required

  bool asked = false;  ///< whether the caller named the coalition
  bool requirement_met() const { return privacy.collusion >= required; }
  /// The rank of what the coalition can know: its own values and the sums of the parts.
  std::size_t rank() const { return coalition.size() + parts.size(); }
  /// Agents whose value the coalition can compute: parts of one agent.
  std::vector<AgentId> singled_out() const;
};

/// Throws InputError for a graph that is not connected and for an invalid coalition. Without a coalition,
/// agent 0 is examined: the graph of mask partners is the same from the view of every agent.
ExactAudit audit_exact(const Graph& graph, const ExactPlan& plan, const std::optional<Coalition>& coalition,
                       std::size_t required);

/// The findings, one sentence each, and advice on what to change.
std::vector<std::string> findings_in_words(const ExactAudit& report);
std::vector<std::string> advice_in_words(const ExactAudit& report);

}  // namespace tacit
