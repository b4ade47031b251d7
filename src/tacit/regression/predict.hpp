// Protocol 2: privacy-preserving fully distributed GPR, all test points and outputs in one vector.
#pragma once

#include "tacit/gp/fusion.hpp"
#include "tacit/regression/secure_sum.hpp"

namespace tacit {

/// Means and latent variances, points × outputs.
using Prediction = Fused;

/// Numbers that Protocol 2 sums for this many points and outputs: p.
inline std::size_t prediction_dimension(std::size_t points, std::size_t outputs) {
  return 2 * points * outputs;
}

/// An agent's contribution, (init) without the factor M: V_i⁻¹ f̂_i for every point and output, then V_i⁻¹.
Values contribution(const Prediction& mine);

/// (privPoe): from sums to V and f̂. A precision that is not positive, which only too few iterations can
/// cause, gives a variance that is not positive; unconverged() counts them.
Prediction from_sums(const Values& sums, Eigen::Index points, Eigen::Index outputs);
std::size_t unconverged(const Prediction& prediction);

/// One agent's side of Protocol 2, given what its own expert predicts. The range must cover
/// contribution(mine).
Task<Prediction> predict_privately(Channel& net, const SecureSum& secure_sum, const Prediction& mine,
                                   SumRange range);

}  // namespace tacit
