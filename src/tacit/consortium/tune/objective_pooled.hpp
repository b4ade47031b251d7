// Tuning on the likelihood of all rows through landmarks, instead of the sum of the agents' likelihoods.
//
// A trial needs two sums. The first opens A and a, from which all agents compute S and μ. The second adds the
// parts of the likelihood and its slopes that depend on each agent's rows
// (gp/landmarks/landmark_likelihood.hpp). The originator adds the part that depends on no rows inside the
// second sum: LAPACK's last bits differ between machines, but a search that all agents run needs equal
// totals. An originator that adds another value can do no more than any member with its own part.
//
// Every trial opens m(m+3)/2 numbers, whereas the local likelihood opens only a few.
#pragma once

#include "tacit/consortium/tune/objective.hpp"

namespace tacit {

class PooledObjective final : public Objective {
 public:
  /// Holds references. The landmarks are the same at all agents and do not change between trials.
  PooledObjective(const TuneFacts& facts, const Matrix& landmarks, const LocalExperts& mine)
      : Objective(facts), landmarks_(landmarks), mine_(mine) {}
  Task<Evaluated> evaluate(Run& net, const SecureSum& secure_sum, const ExactTuneOptions& options,
                           const Priors& trial) const override;

 private:
  const Matrix& landmarks_;
  const LocalExperts& mine_;
};

/// The two sums of a trial.
struct PooledTrialSums {
  SumShape statistics;  ///< for each prior: the lower triangle of A, column by column, and a
  SumShape likelihood;  ///< value and slopes
};

/// Returns the shapes of the sums. Bounds are powers of two. Throws InputError for a kernel without a bound.
PooledTrialSums pooled_trial_sums(const TuneFacts& facts, std::size_t agents, const ExactTuneOptions& options,
                                  const Matrix& landmarks, const Priors& trial);

}  // namespace tacit
