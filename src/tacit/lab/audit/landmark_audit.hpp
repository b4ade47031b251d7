// The audit of the one sum over landmarks: how many numbers it opens, about how many, and what that means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/lab/audit/landmark_attack_trial.hpp"

namespace tacit {

struct LandmarkAudit {
  PoolShape shape;
  std::size_t outputs = 1;
  /// The most landmarks that these rows allow (landmark_ceiling), and that one agent's rows alone would.
  std::size_t ceiling = 0, ceiling_alone = 0;
  std::optional<LandmarkTrial> trial;  ///< of small pools

  std::size_t opened() const;      ///< m(m+1)/2 + m outputs
  std::size_t held() const;        ///< n (d + outputs)
  double share() const;            ///< of what rows hold
  std::size_t rows_alone() const;  ///< of the agent with the fewest
  double share_alone() const;      ///< of what these hold, to all other agents together
  double share_targets() const;    ///< of the targets, to one who knows all inputs; at most 1
};

/// Pools that hold up to this many numbers are attacked.
inline constexpr std::size_t most_attacked = 160;

/// Tries the attack on small pools with one output, with fewer hops the more there is to fit. Throws
/// InputError for no landmarks, for more landmarks than rows, and for more agents than rows.
LandmarkAudit audit_landmarks(LandmarkAudit asked, LandmarkAttackSettings settings);

/// The findings in plain words, a sentence each, and then what to do about them.
std::vector<std::string> findings_in_words(const LandmarkAudit& report);
std::vector<std::string> advice_in_words(const LandmarkAudit& report);

}  // namespace tacit
