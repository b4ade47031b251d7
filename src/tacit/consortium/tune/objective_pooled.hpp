// Tuning on the likelihood of all rows seen through landmarks, instead of the summed likelihoods of parts.
//
// A trial takes two sums. The first opens A and a, which give everybody S and μ; the second adds up the parts
// of the likelihood and its slopes that follow from each agent's rows (gp/landmarks/landmark_likelihood.hpp).
// The part that follows from no rows is the originator's to add, inside that sum: LAPACK's last bits differ
// between machines, and a search that everybody runs needs totals that do not. An originator that adds
// something else does what any member can do with its own part.
//
// Every trial opens m(m+3)/2 numbers, where the local likelihood opens a few.
#pragma once

#include "tacit/consortium/tune/objective.hpp"

namespace tacit {

class PooledObjective final : public Objective {
 public:
  /// Holds references. The landmarks, the same at all agents, stay where they are while kernels are tried.
  PooledObjective(const TuneFacts& facts, const Matrix& landmarks, const LocalExperts& mine)
      : Objective(facts), landmarks_(landmarks), mine_(mine) {}
  Task<Evaluated> evaluate(Channel& net, const SecureSum& secure_sum, const ExactTuneOptions& options,
                           const Priors& trial) const override;

 private:
  const Matrix& landmarks_;
  const LocalExperts& mine_;
};

/// What a trial takes.
struct PooledTrialSums {
  SumShape statistics;  ///< for each prior the lower triangle of A, column by column, and a
  SumShape likelihood;  ///< value and slopes
};

/// Bounds are powers of two. Throws InputError for a kernel that has none.
PooledTrialSums pooled_trial_sums(const TuneFacts& facts, std::size_t agents, const ExactTuneOptions& options,
                                  const Matrix& landmarks, const Priors& trial);

}  // namespace tacit
