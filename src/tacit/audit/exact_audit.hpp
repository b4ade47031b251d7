// The audit of protocol exact: there are no rounds and no trajectory, only the question of who may collude.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/audit/privacy.hpp"

namespace tacit {

struct ExactAudit {
  Privacy
      privacy;  ///< its collusion bound is computed from the graph of mask partners, not taken from the plan
  std::size_t mask_degree = 0;  ///< with how many others an agent masks
  Coalition coalition;          ///< the one looked at
  /// Honest agents whose masks hang together without the coalition. At most, depending on the spanning tree,
  /// it learns the sum over each; one part is the sum that everybody gets.
  std::vector<MaskPart> parts;
  std::size_t required = 0;

  bool asked = false;  ///< about a coalition
  bool requirement_met() const { return privacy.collusion >= required; }
  /// Of what the coalition can know: its own values and the parts' sums.
  std::size_t rank() const { return coalition.size() + parts.size(); }
  std::vector<AgentId> singled_out() const;
};

/// Throws InputError for a graph that is not connected and for a coalition that makes no sense. Without a
/// coalition agent 0 stands for all: the graph of mask partners looks the same from everywhere.
ExactAudit audit_exact(const Graph& graph, const ExactPlan& plan, const std::optional<Coalition>& coalition,
                       std::size_t required);

/// In plain words, a sentence each, and then what to do about it.
std::vector<std::string> findings_in_words(const ExactAudit& report);
std::vector<std::string> advice_in_words(const ExactAudit& report);

}  // namespace tacit
