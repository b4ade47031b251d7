// Protocol 2: privacy-preserving fully distributed GPR, all test points and outputs in one vector.
//
// Threads: plain values and functions; a task belongs to one thread at a time.
// Errors: InputError for evidence of the wrong shape; a task throws what its sum throws.
// Stopping: a task waits only for its channel, whose driver ends it.
#pragma once

#include <vector>

#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/committee/fusion.hpp"

namespace tacit {

/// The evidence of a party's experts at some points.
struct LocalEvidence {
  std::vector<Evidence> by_rule;  ///< for each requested fusion rule
  Matrix prior;                   ///< k(x,x), or its part that landmarks do not explain, points × outputs
  Prediction pooled;              ///< latent, of the model's pooled part; empty without landmarks
  std::size_t clamped = 0;        ///< number of variances that rounding made smaller than the data permit
  double jitter = 0;              ///< the largest jitter of an expert
};

/// Adds the prediction of the model's pooled part to the residuals that experts predict.
Prediction with_pooled(Prediction residual, const LocalEvidence& local);

/// Returns the evidence of a single expert, for the product of experts.
Evidence poe_evidence(const Prediction& expert);

/// The public facts about the sum of a prediction.
struct PredictionSum {
  Fusion rule = Fusion::poe;
  SumRange range;
  /// gPoE divides by the number of experts, which is also a sum. Each expert counts as this much, so that the
  /// count needs no more bits than precisions.
  double count_unit = 1;
  /// W is summed in units of 1/√prior and P in units of 1/prior, which all agents know at every point. The
  /// part of the prior variance that landmarks do not explain can be close to 0, so only these units have a
  /// bound for all points.
  bool relative = false;
};

/// Returns how many numbers Protocol 2 sums for this many points and outputs, p: two for each, and for gPoE
/// also the number of experts.
inline std::size_t prediction_dimension(std::size_t points, std::size_t outputs, Fusion rule = Fusion::poe) {
  return 2 * points * outputs + (rule == Fusion::gpoe ? 1 : 0);
}

/// Returns an agent's contribution, (init) without the factor M: W for every point and output (V_i⁻¹ f̂_i for
/// the product of experts), then P (V_i⁻¹).
Values contribution(const Evidence& mine, const PredictionSum& sum);

/// (privPoe) up to the fusion: converts sums back to evidence.
Evidence from_sums(const Values& sums, Eigen::Index points, Eigen::Index outputs, const PredictionSum& sum);

/// Returns the number of variances that are not positive. Only too few iterations can cause them, by a
/// precision that is not positive.
std::size_t unconverged(const Prediction& prediction);

/// Converts evidence to the units of a relative sum: W √prior and P prior.
Evidence relative_to(const Matrix& prior, Evidence evidence);

/// One agent's side of Protocol 2, given the evidence of its own experts and the prior variances, points ×
/// outputs. The range must cover the contribution.
Task<Prediction> predict_privately(Run& net, const SecureSum& secure_sum, const PredictionSum& sum,
                                   const Evidence& mine, const Matrix& prior);

}  // namespace tacit
