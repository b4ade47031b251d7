// The audit of protocol exact: there are no rounds and no trajectory, only the question of who may collude.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/charter/bounds/privacy.hpp"

namespace tacit {

struct ExactAudit {
  Privacy privacy;  ///< its collusion bound is computed from the mask partners, not taken from the plan
  std::size_t mask_degree = 0;  ///< with how many others an agent masks
  Coalition coalition;          ///< the one looked at
  /// Groups of honest agents whose masks stay connected without the coalition. Depending on the spanning
  /// tree, it may learn the sum over each group, and no more. A single group is the sum that everybody gets.
  std::vector<MaskPart> parts;
  std::size_t required = 0;

  bool asked = false;  ///< about a coalition
  bool requirement_met() const { return privacy.collusion >= required; }
  /// Of what the coalition can know: its own values and the parts' sums.
  std::size_t rank() const { return coalition.size() + parts.size(); }
  std::vector<AgentId> singled_out() const;
};

/// Throws InputError for a graph that is not connected and for an invalid coalition. Without a coalition
/// agent 0 stands for all: the graph of mask partners looks the same from everywhere.
ExactAudit audit_exact(const Graph& graph, const ExactPlan& plan, const std::optional<Coalition>& coalition,
                       std::size_t required);

/// The findings in plain words, a sentence each, and then what to do about them.
std::vector<std::string> findings_in_words(const ExactAudit& report);
std::vector<std::string> advice_in_words(const ExactAudit& report);

}  // namespace tacit
