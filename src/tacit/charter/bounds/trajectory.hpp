// What all rounds together determine of the honest agents' initial values, in exact arithmetic (findings 1b).
#pragma once

#include <vector>

#include "tacit/charter/bounds/observer.hpp"

namespace tacit {

/// Σ factor · z_agent(0).
struct Combination {
  struct Term {
    AgentId agent;
    double factor;
  };
  std::vector<Term> terms;
};

struct TrajectoryFindings {
  /// Of what the coalition knows at the end: its own values, the sum, and what its view determines. |C| + 1
  /// is what it is meant to know.
  std::size_t rank = 0;
  std::size_t beyond = 0;                 ///< how much more than that it knows
  std::vector<AgentId> singled_out;       ///< honest agents whose value follows
  std::vector<Combination> combinations;  ///< with those of `singled_out` a basis of what is known of H
  /// Honest agents that have the same factor in everything known, so that only their sum can be told: mirror
  /// pairs on a ring, all of H on a complete graph. Groups of two or more.
  std::vector<std::vector<AgentId>> only_together;
};

/// From `iterations` rounds. Acceleration changes nothing: z(t) is a polynomial of degree t in W either way,
/// so the states span the same space. Blinding adds noise that cancels only within a component of the graph
/// without the coalition, so functionals must be constant on each to survive.
TrajectoryFindings trajectory_findings(const Observer& observer, bool blinded, std::size_t iterations);

}  // namespace tacit
