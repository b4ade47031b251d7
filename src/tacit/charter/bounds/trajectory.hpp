// What all rounds together reveal about the honest agents' initial values in exact arithmetic (findings 1b).
#pragma once

#include <vector>

#include "tacit/charter/bounds/coalition_view.hpp"

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
  /// The rank of what the coalition knows after the run: its own values, the sum, and what its view
  /// determines. It is meant to be |C| + 1.
  std::size_t rank = 0;
  std::size_t beyond = 0;                 ///< the excess over |C| + 1
  std::vector<AgentId> singled_out;       ///< honest agents whose value follows
  std::vector<Combination> combinations;  ///< with the values of `singled_out`, a basis of what is known of H
  /// Groups of two or more honest agents with the same factor in everything known, so that only their sum
  /// follows: mirror pairs on a ring, all of H on a complete graph.
  std::vector<std::vector<AgentId>> only_together;
};

/// The findings from `iterations` rounds. Acceleration makes no difference: z(t) is always a polynomial of
/// degree t in W, so the states span the same space. The noise of blinding cancels only within a component of
/// the graph without the coalition. Therefore only functionals that are constant on each component survive.
TrajectoryFindings trajectory_findings(const Observer& observer, bool blinded, std::size_t iterations);

}  // namespace tacit
