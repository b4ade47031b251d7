// Private tuning over a secure sum: bounded L-BFGS on a likelihood of all agents' rows (objective.hpp), in
// the logarithms of the kernel's parameters and σ_ε. The originator publishes every trial Θ, and each agent
// adds its part of value and slopes in a sum. If all agents receive the same totals, each runs the same
// search and verifies every trial.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "tacit/consortium/tune/objective.hpp"

namespace tacit {

/// Throws InputError, naming the option and the remedy.
void check(const ExactTuneOptions& options, const Priors& start);

/// Returns the lowest and highest value of each of a prior's numbers in the search, in the order of
/// Prior::names().
std::vector<std::pair<double, double>> search_box(const ExactTuneOptions& options, const Prior& prior);

/// One evaluation, summed over outputs.
struct Trial {
  std::size_t search = 0;  ///< 0 for the first search, then 1, 2, ... for the restarts
  Priors priors;
  double likelihood = 0;
  double own = 0;  ///< this agent's part of it
};

struct ExactTuning {
  Trial best;
  EndOf end = EndOf::value_settled;  ///< why the search with the best trial ended
  std::vector<Trial> trials;         ///< all evaluations in order
};

/// One agent's side. All agents end with the same Θ, to the bit. `watch`, if set, is called after every
/// trial. References must outlive the task. Throws Error if a likelihood is not finite, and Misbehaviour for
/// a trial that does not follow from the totals.
Task<ExactTuning> tune_exactly(Run& net, const SecureSum& secure_sum, const Objective& objective,
                               const ExactTuneOptions& options, Priors start,
                               std::function<void(const ExactTuning&)> watch = {});

/// The same with the objective Σ_i h_i.
Task<ExactTuning> tune_exactly(Run& net, const SecureSum& secure_sum, const TuneFacts& facts,
                               const ExactTuneOptions& options, const LocalExperts& mine, Priors start,
                               std::function<void(const ExactTuning&)> watch = {});

}  // namespace tacit
