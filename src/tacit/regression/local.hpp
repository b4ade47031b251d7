// What one party computes alone, from its own rows: predictions of its experts and their likelihood.
#pragma once

#include <cstddef>
#include <vector>

#include "tacit/gp/kernel.hpp"
#include "tacit/regression/predict.hpp"
#include "tacit/regression/split.hpp"

namespace tacit {

/// One for each output.
using OutputHyperparameters = std::vector<Hyperparameters>;

struct LocalPrediction {
  Prediction prediction;    ///< means and latent variances
  std::size_t clamped = 0;  ///< variances that rounding had taken under what the data allow
  double jitter = 0;        ///< the largest that an expert needed
};

/// Neighbouring outputs with equal hyperparameters share one expert.
LocalPrediction predict_alone(const Samples& data, const Matrix& points,
                              const OutputHyperparameters& hyperparameters);

/// h_i of (lml), summed over outputs.
double local_likelihood(const Samples& data, const OutputHyperparameters& hyperparameters);

/// The mean over agents, output by output; values that are all equal stay exact.
OutputHyperparameters mean_hyperparameters(const std::vector<OutputHyperparameters>& agents);

}  // namespace tacit
