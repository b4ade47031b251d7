// Private tuning over a secure sum: bounded L-BFGS on Σ_i h_i of (lml) in the logarithms of the kernel's
// numbers and σ_ε. The originator publishes every trial Θ, and everybody answers with h_i and ∇h_i inside a
// sum. Where all get the same totals, everybody runs the same search and takes nobody's word for a trial.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tacit/gp/optimise.hpp"
#include "tacit/regression/local.hpp"
#include "tacit/regression/secure_sum.hpp"

namespace tacit {

struct ExactTuneOptions {
  double box_low = 0.01;  ///< every parameter is kept in [box_low, box_high]
  double box_high = 100;
  double noise_low = 0;        ///< a floor of its own for σ_ε; the box's when lower
  double lengthscale_low = 0;  ///< and for every length-scale
  std::size_t restarts = 0;  ///< further searches, from starts at most a factor of 10 away in each parameter
  std::uint64_t seed = 1;    ///< of these starts
  bool shared = false;       ///< one prior for all outputs, which then share Cholesky factors
  AgentId originator = 0;
  MaximiserLimits limits;  ///< of each search; points are logarithms
};

/// Throws InputError naming the option and the cure.
void check(const ExactTuneOptions& options, const Priors& start);

/// What everybody may know of the data.
struct TuneFacts {
  std::size_t outputs = 1;
  std::size_t rows = 0;   ///< the most rows an agent has
  double output_max = 0;  ///< y_max
  std::size_t inputs = 1;
  double input_max = 0;  ///< |x_d| ≤ this; matters only for kernels with linear or periodic parts
};

/// One evaluation of Σ_i h_i, summed over outputs.
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

/// The sum of every evaluation. Bounds follow from K + σ_ε² I ≥ σ_ε² I and the trial at hand; they are powers
/// of two, so that a few plans cover all trials.
SumShape likelihood_sum(const TuneFacts& facts, const ExactTuneOptions& options, const Priors& trial);

/// One agent's side. All agents end with the same Θ to the bit. `watch`, if any, sees every trial. References
/// must outlive the task. Throws Error when a likelihood is not finite, Misbehaviour for a trial that does
/// not follow from the totals.
Task<ExactTuning> tune_exactly(Channel& net, const SecureSum& secure_sum, const TuneFacts& facts,
                               const ExactTuneOptions& options, const LocalExperts& mine, Priors start,
                               std::function<void(const ExactTuning&)> watch = {});

}  // namespace tacit
