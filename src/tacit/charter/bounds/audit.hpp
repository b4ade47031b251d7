// The audit: what can a coalition find out on this graph with these settings, and what can be done about it?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/base/progress.hpp"
#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/charter/bounds/trajectory.hpp"
#include "tacit/protocol/consensus/plan.hpp"

namespace tacit {

struct AuditSettings {
  Hardening hardening;
  double lz = 0;
  double value_bound = 1;              ///< B, the public bound on contributions
  double lambda = 0;                   ///< λ
  std::size_t iterations = 0;          ///< T
  std::size_t dimension = 1;           ///< p
  std::optional<Coalition> coalition;  ///< the one to look at; else all up to `size`
  std::size_t size = 1;
  /// Coalitions of this many must not be able to work out anybody's value, in one round and in all, and
  /// messages must add nothing to their members' sums, unless they are blinded.
  std::size_t required = 0;
  std::size_t most_coalitions = 200'000;  ///< to examine
};

/// How well the trajectory attack estimates, see estimate.hpp; root mean squares.
struct AttackErrors {
  std::vector<std::optional<double>> agents;  ///< by agent; none for the coalition
  std::vector<double> together;               ///< of the sums over TrajectoryFindings::only_together
  double guess = 0;                           ///< an agent's, for somebody who knows the sum only
  std::size_t rounds = 0;                     ///< that the attack used
};

struct CoalitionFindings {
  Coalition coalition;
  std::vector<BrokenSum> broken;  ///< in a round
  std::size_t round_beyond = 0;   ///< functionals that a round tells beyond its outputs
  TrajectoryFindings trajectory;
  AttackErrors errors;  ///< worked out for AuditReport::worst only
};

struct AuditReport {
  Privacy privacy;
  std::optional<Witness> witness;  ///< none where there are helpers
  double coalitions = 0;           ///< that there are of the sizes asked for
  std::size_t examined = 0;        ///< the first of these, by size and then by number
  /// That learn more than the sum. What a round tells is part of what all rounds tell, and
  /// harmless if blinded.
  std::size_t leaking = 0;
  std::size_t compared = 0;  ///< those that know most, by the errors of a short attack
  CoalitionFindings worst;   ///< of those, the one with the smallest error
  bool requirement_met = true;
  /// To add, so that masks withstand what is required, or a single agent; none if no search was made
  /// or it failed.
  std::optional<std::vector<Edge>> edges;
};

/// Throws InputError for a graph that is not connected or has one agent, and for an invalid coalition.
/// Helpers make masks and count in the collusion bound; coalitions that are examined are of agents.
AuditReport audit(const HelpedGraph& graph, const AuditSettings& settings, Progress* progress = nullptr);

/// The report in plain words, a sentence each, and then what to do about it.
std::vector<std::string> findings_in_words(const AuditReport& report, const AuditSettings& settings);
std::vector<std::string> advice_in_words(const AuditReport& report, const AuditSettings& settings);

}  // namespace tacit
