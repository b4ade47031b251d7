// How good predictions are where the truth is known, for whoever knows it.
#pragma once

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// How far 95 % of a normal distribution reach from its mean, in standard deviations.
inline constexpr double reach_of_95 = 1.959963984540054;

struct Quality {
  double rmse = 0;
  double coverage = 0;     ///< share of targets inside the 95 % interval f̂ ± 1.96 √(V + σ_ε²)
  double log_density = 0;  ///< the mean of log N(y; f̂, V + σ_ε²)
};

/// Over all rows and targets, in the data's units.
Quality quality(const Matrix& mean, const Matrix& observed_variance, const Matrix& truth);

}  // namespace tacit
