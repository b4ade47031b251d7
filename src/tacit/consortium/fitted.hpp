// What a fit finds, which all agents know: the scaling of columns, and priors.
#pragma once

#include <cstddef>
#include <optional>

#include "tacit/consortium/posterior.hpp"
#include "tacit/consortium/terms.hpp"
#include "tacit/regression/standardise.hpp"

namespace tacit {

struct Fitted {
  std::optional<Standardisation> standardisation;
  Priors priors;                ///< by target, in the units of the model
  double likelihood = 0;        ///< Σ_i h_i where the search ended; 0 without one
  std::size_t evaluations = 0;  ///< that the search took

  /// From the data's units to the model's, and back.
  Samples standard(const Samples& data) const;
  Matrix standard_points(const Matrix& points) const;
  Prediction original(const Prediction& prediction) const;

  /// σ_ε² of every target in the data's units.
  Vector noise_variance() const;
};

/// Means and latent variances in the model's units as a prediction in the data's.
ConsortiumPosterior in_data_units(const Fitted& fitted, const Prediction& prediction);

/// Throws InputError unless this may have come from a fit under the terms: numbers in the box that tuning
/// keeps to, scaling that fits the columns' ranges.
void check_plausible(const Fitted& fitted, const Terms& terms);

}  // namespace tacit
