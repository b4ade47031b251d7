// The objective of tuning over a secure sum: a likelihood of all agents' rows. For each trial, all agents
// receive its value and slopes by sums.
#pragma once

#include <cstdint>

#include "tacit/consortium/predict/local.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/fit/optimise.hpp"

namespace tacit {

struct ExactTuneOptions {
  double box_low = consortium_defaults.low;  ///< every parameter is kept in [box_low, box_high]
  double box_high = consortium_defaults.high;
  double noise_low = 0;        ///< a separate lower limit for σ_ε; the box's applies if it is higher
  double lengthscale_low = 0;  ///< the same for every length-scale
  std::size_t restarts =
      consortium_defaults
          .restarts;  ///< further searches, from starts at most a factor of 10 away in each parameter
  std::uint64_t seed = consortium_defaults.seed;  ///< of these starts
  bool shared = consortium_defaults.shared;  ///< one prior for all outputs, which then share Cholesky factors
  AgentId originator = 0;
  MaximiserLimits limits;  ///< of each search; points are logarithms
};

/// The public facts about the data.
struct TuneFacts {
  std::size_t outputs = 1;
  std::size_t rows = 0;   ///< the maximum number of rows of an agent
  double output_max = 0;  ///< y_max
  std::size_t inputs = 1;
  double input_max = 0;  ///< |x_d| ≤ this; matters only for kernels with linear or periodic parts
};

/// Returns how many numbers are tuned: Prior::logarithms() of the first output, then of the next; or once for
/// all outputs if they share a prior.
std::size_t tuned_numbers(const Priors& trial, bool shared);

/// The result of one trial.
struct Evaluated {
  Values total;    ///< the value, then its slopes in the tuned logarithms
  double own = 0;  ///< this agent's part of the value
};

class Objective {
 public:
  explicit Objective(const TuneFacts& facts) : facts_(facts) {}
  virtual ~Objective() = default;

  /// One agent's side. If the secure sum gives all agents the same totals, so does this function, to the bit.
  /// References must outlive the task.
  virtual Task<Evaluated> evaluate(Run& net, const SecureSum& secure_sum, const ExactTuneOptions& options,
                                   const Priors& trial) const = 0;

  const TuneFacts& facts() const { return facts_; }

 private:
  TuneFacts facts_;
};

/// Σ_i h_i of (lml): one sum of a few numbers. Holds a reference to the experts.
class LocalObjective final : public Objective {
 public:
  LocalObjective(const TuneFacts& facts, const LocalExperts& mine) : Objective(facts), mine_(mine) {}
  Task<Evaluated> evaluate(Run& net, const SecureSum& secure_sum, const ExactTuneOptions& options,
                           const Priors& trial) const override;

 private:
  const LocalExperts& mine_;
};

/// Returns the shape of the sum of an evaluation. Bounds follow from K + σ_ε² I ≥ σ_ε² I and the trial. They
/// are powers of two, so that a few plans cover all trials.
SumShape likelihood_sum(const TuneFacts& facts, const ExactTuneOptions& options, const Priors& trial);

}  // namespace tacit
