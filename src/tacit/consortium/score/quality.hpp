// Measures the quality of predictions with known targets.
#pragma once

#include <array>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// Half the width of the central interval with 95 % of a normal distribution, in standard deviations.
inline constexpr double reach_of_95 = 1.959963984540054;

/// The nominal levels at which the coverage of intervals is measured.
inline constexpr std::array<double, 20> interval_levels{0.05, 0.1,  0.15, 0.2,  0.25, 0.3,  0.35,
                                                        0.4,  0.45, 0.5,  0.55, 0.6,  0.65, 0.7,
                                                        0.75, 0.8,  0.85, 0.9,  0.95, 0.99};

struct Quality {
  double rmse = 0;
  double coverage = 0;     ///< share of targets inside the 95 % interval f̂ ± 1.96 √(V + σ_ε²)
  double log_density = 0;  ///< the mean of log N(y; f̂, V + σ_ε²)
  /// Share of targets inside the interval of each level.
  std::array<double, interval_levels.size()> inside{};
};

/// Over all rows and targets, in the data's units.
Quality quality(const Matrix& mean, const Matrix& observed_variance, const Matrix& truth);

}  // namespace tacit
