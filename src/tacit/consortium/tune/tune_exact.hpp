// Private tuning over a secure sum: bounded L-BFGS on a likelihood of everybody's rows (objective.hpp) in the
// logarithms of the kernel's numbers and σ_ε. The originator publishes every trial Θ, and everybody answers
// with its part of value and slopes inside a sum. Where all get the same totals, everybody runs the same
// search and takes nobody's word for a trial.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "tacit/consortium/tune/objective.hpp"

namespace tacit {

/// Throws InputError naming the option and the cure.
void check(const ExactTuneOptions& options, const Priors& start);

/// Where the search keeps each of a prior's numbers, in the order of Prior::names(): lowest and highest
/// value.
std::vector<std::pair<double, double>> search_box(const ExactTuneOptions& options, const Prior& prior);

/// One evaluation, summed over outputs.
struct Trial {
  std::size_t search = 0;  ///< 0, then one for each restart
  Priors priors;
  double likelihood = 0;
  double own = 0;  ///< this agent's part of it
};

struct ExactTuning {
  Trial best;
  EndOf end = EndOf::value_settled;  ///< why the search that found it ended
  std::vector<Trial> trials;         ///< all evaluations in order
};

/// One agent's side. All agents end with the same Θ to the bit. `watch`, if any, sees every trial. References
/// must outlive the task. Throws Error when a likelihood is not finite, Misbehaviour for a trial that does
/// not follow from the totals.
Task<ExactTuning> tune_exactly(Channel& net, const SecureSum& secure_sum, const Objective& objective,
                               const ExactTuneOptions& options, Priors start,
                               std::function<void(const ExactTuning&)> watch = {});

/// On Σ_i h_i.
Task<ExactTuning> tune_exactly(Channel& net, const SecureSum& secure_sum, const TuneFacts& facts,
                               const ExactTuneOptions& options, const LocalExperts& mine, Priors start,
                               std::function<void(const ExactTuning&)> watch = {});

}  // namespace tacit
