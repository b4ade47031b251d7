// The audit of the sum over landmarks: how many numbers it opens, compared with how many the rows hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/lab/audit/landmark_attack_trial.hpp"

namespace tacit {

struct LandmarkAudit {
  PoolShape shape;
  std::size_t outputs = 1;
  /// The most landmarks that all rows allow (landmark_ceiling), and the most that the rows of one agent
  /// allow.
  std::size_t ceiling = 0, ceiling_alone = 0;
  std::optional<LandmarkTrial> trial;  ///< only for small pools

  std::size_t opened() const;      ///< m(m+1)/2 + m outputs
  std::size_t held() const;        ///< n (d + outputs)
  double share() const;            ///< opened() / held()
  std::size_t rows_alone() const;  ///< the rows of the agent with the fewest
  double share_alone() const;      ///< opened() by the numbers in these rows, if all other agents collude
  double share_targets()
      const;  ///< the share of the targets learnt by an attacker with all inputs; at most 1
};

/// Pools that hold up to this many numbers are attacked.
inline constexpr std::size_t most_attacked = 160;

/// Runs the attack on small pools with one output; larger problems get fewer hops. Throws
/// InputError without landmarks, for more landmarks than rows, and for more agents than rows.
LandmarkAudit audit_landmarks(LandmarkAudit asked, LandmarkAttackSettings settings);

/// The findings, one sentence each, and advice on what to change.
std::vector<std::string> findings_in_words(const LandmarkAudit& report);
std::vector<std::string> advice_in_words(const LandmarkAudit& report);

}  // namespace tacit
