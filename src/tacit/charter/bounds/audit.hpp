// The audit of the consensus: what a coalition can learn on a graph with given settings, and how to prevent
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/base/progress.hpp"
#include "tacit/charter/bounds/attack_settings.hpp"
#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/charter/bounds/trajectory.hpp"

namespace tacit {

struct AuditSettings : AttackSettings {
  /// The settings of an audit of runs with this plan. Every audit of a plan begins with it.
  static AuditSettings of(const ConsensusPlan& plan);

  std::size_t dimension = 1;           ///< p
  std::optional<Coalition> coalition;  ///< the one to examine; without it, all of up to `size` agents
  std::size_t size = 1;
  /// Coalitions of this size must not be able to compute another agent's value, neither from one round nor
  /// from all. Unless values are blinded, messages must also add nothing to the sums of their members.
  std::size_t required = 0;
  /// Agents, and the helpers that make masks with them; null without helpers. Coalitions consist of agents.
  const Graph* mask_makers = nullptr;
  std::size_t most_coalitions = 200'000;  ///< to examine
};

/// Root mean square errors of the trajectory attack; see estimate.hpp.
struct AttackErrors {
  std::vector<std::optional<double>> agents;  ///< by agent; none for the coalition
  std::vector<double> together;               ///< of the sums over TrajectoryFindings::only_together
  double guess = 0;                           ///< of an agent's value, for a guess from the sum alone
  std::size_t rounds = 0;                     ///< the number of rounds used by the attack
};

struct CoalitionFindings {
  Coalition coalition;
  std::vector<BrokenSum> broken;  ///< the sums that it can split in one round
  std::size_t round_beyond = 0;   ///< functionals that one round reveals beyond its outputs
  TrajectoryFindings trajectory;
  AttackErrors errors;  ///< computed only for AuditReport::worst
};

struct AuditReport {
  Privacy privacy;
  std::optional<Witness> witness;  ///< none if there are helpers
  double coalitions = 0;           ///< the number of coalitions of the sizes asked for
  std::size_t examined = 0;        ///< how many of these were examined: the first, by size and then by number
  /// How many of these learn more than the sum. What one round reveals is part of what all rounds reveal, and
  /// harmless if blinded.
  std::size_t leaking = 0;
  std::size_t compared = 0;  ///< how many of those whose states determine most a short attack compared
  CoalitionFindings worst;   ///< of these, the one with the smallest error
  bool requirement_met = true;
  /// Edges whose addition makes masks withstand coalitions of `required` agents, at least of one. None
  /// without a search or if the search failed.
  std::optional<std::vector<Edge>> edges;
};

/// The privacy of these runs, which audit() reports too.
Privacy privacy_of(const Graph& graph, const AuditSettings& settings);

/// Throws InputError for a graph that is not connected or has only one agent, and for an invalid coalition.
AuditReport audit(const Graph& graph, const AuditSettings& settings, Progress* progress = nullptr);

/// The findings, one sentence each, and advice on what to change.
std::vector<std::string> findings_in_words(const AuditReport& report, const AuditSettings& settings);
std::vector<std::string> advice_in_words(const AuditReport& report, const AuditSettings& settings);

}  // namespace tacit
