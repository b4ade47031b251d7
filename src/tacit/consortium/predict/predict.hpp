// Protocol 2: privacy-preserving fully distributed GPR, all test points and outputs in one vector.
#pragma once

#include <vector>

#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/committee/fusion.hpp"

namespace tacit {

/// Means and latent variances, points × outputs.
using Prediction = Fused;

/// What a party's experts say at some points.
struct LocalEvidence {
  std::vector<Evidence> by_rule;  ///< for each fusion rule asked for
  Matrix prior;                   ///< k(x,x), or what landmarks leave of it, points × outputs
  Prediction pooled;              ///< what the pooled part of the model says; nothing without landmarks
  std::size_t clamped = 0;        ///< variances that rounding had pushed below what the data allow
  double jitter = 0;              ///< the largest that an expert needed
};

/// What experts of residuals predict becomes the whole by what the pooled part of the model says.
Prediction with_pooled(Prediction residual, const LocalEvidence& said);

/// What a single expert says, for the product of experts.
Evidence poe_evidence(const Prediction& expert);

/// What is public about a prediction's sum.
struct PredictionSum {
  Fusion rule = Fusion::poe;
  SumRange range;
  /// gPoE divides by the number of experts, which is a sum too: each counts for this much, so that the count
  /// needs no more bits than precisions do.
  double count_unit = 1;
  /// W is summed in 1/√prior and P in 1/prior, which all agents know at every point. What landmarks leave of
  /// the prior variance can be close to 0, and only so is there a bound for all points.
  bool relative = false;
};

/// Numbers that Protocol 2 sums for this many points and outputs, p: two for each, and for gPoE the
/// number of experts.
inline std::size_t prediction_dimension(std::size_t points, std::size_t outputs, Fusion rule = Fusion::poe) {
  return 2 * points * outputs + (rule == Fusion::gpoe ? 1 : 0);
}

/// An agent's contribution, (init) without the factor M: W for every point and output (V_i⁻¹ f̂_i for the
/// product of experts), then P (V_i⁻¹).
Values contribution(const Evidence& mine, const PredictionSum& sum);

/// (privPoe) up to the fusion: from sums back to evidence.
Evidence from_sums(const Values& sums, Eigen::Index points, Eigen::Index outputs, const PredictionSum& sum);

/// A precision that is not positive, which only too few iterations can cause, gives a variance that is not
/// positive; this counts them.
std::size_t unconverged(const Prediction& prediction);

/// Evidence in the units of a relative sum: W √prior and P prior.
Evidence relative_to(const Matrix& prior, Evidence evidence);

/// One agent's side of Protocol 2, given what its own experts say and the prior variances, points × outputs.
/// The range must cover the contribution.
Task<Prediction> predict_privately(Channel& net, const SecureSum& secure_sum, const PredictionSum& sum,
                                   const Evidence& mine, const Matrix& prior);

}  // namespace tacit
