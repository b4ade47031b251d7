// The prediction of an expert, of fused experts, of a model or of a consortium: one type for all.
//
// Threads: plain values.
// Errors: nothing of its own.
// Stopping: nothing here takes long.
#pragma once

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// A normal distribution for each point and output. Every matrix is points x outputs, also if all outputs
/// have the same variance. Variances stay variances: callers take roots where they show deviations.
struct Prediction {
  Matrix mean = {};
  Matrix latent_variance = {};  ///< V(x), of the function itself, as in the paper
  Matrix observed_variance =
      {};  ///< of a new observation: latent plus noise; empty where the noise is unknown
};

/// Sets the observed variance to the latent variance plus the noise variance of each output.
inline void add_noise(Prediction& prediction, const Vector& noise_variance) {
  prediction.observed_variance = prediction.latent_variance.rowwise() + noise_variance.transpose();
}

}  // namespace tacit
