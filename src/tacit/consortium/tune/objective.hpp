// What tuning over a secure sum maximises: a likelihood of everybody's rows whose value and slopes all agents
// get by sums, trial by trial.
#pragma once

#include <cstdint>

#include "tacit/consortium/predict/local.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/fit/optimise.hpp"

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

/// What everybody may know of the data.
struct TuneFacts {
  std::size_t outputs = 1;
  std::size_t rows = 0;   ///< the most rows an agent has
  double output_max = 0;  ///< y_max
  std::size_t inputs = 1;
  double input_max = 0;  ///< |x_d| ≤ this; matters only for kernels with linear or periodic parts
};

/// How many numbers are tuned: Prior::logarithms() of the first output, then of the next; or of all.
std::size_t tuned_numbers(const Priors& trial, bool shared);

/// At one trial.
struct Evaluated {
  Values total;    ///< the value, then its slopes in the logarithms that are tuned
  double own = 0;  ///< this agent's part of the value
};

class Objective {
 public:
  explicit Objective(const TuneFacts& facts) : facts_(facts) {}
  virtual ~Objective() = default;

  /// One agent's side. Where the secure sum gives all agents the same totals, so does this, to the bit.
  /// References must outlive the task.
  virtual Task<Evaluated> evaluate(Channel& net, const SecureSum& secure_sum, const ExactTuneOptions& options,
                                   const Priors& trial) const = 0;

  const TuneFacts& facts() const { return facts_; }

 private:
  TuneFacts facts_;
};

/// Σ_i h_i of (lml): one sum of a few numbers. Holds a reference to the experts.
class LocalObjective final : public Objective {
 public:
  LocalObjective(const TuneFacts& facts, const LocalExperts& mine) : Objective(facts), mine_(mine) {}
  Task<Evaluated> evaluate(Channel& net, const SecureSum& secure_sum, const ExactTuneOptions& options,
                           const Priors& trial) const override;

 private:
  const LocalExperts& mine_;
};

/// The sum of every evaluation. Bounds follow from K + σ_ε² I ≥ σ_ε² I and the trial at hand; they are powers
/// of two, so that a few plans cover all trials.
SumShape likelihood_sum(const TuneFacts& facts, const ExactTuneOptions& options, const Priors& trial);

}  // namespace tacit
