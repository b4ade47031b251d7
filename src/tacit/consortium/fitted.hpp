// What a fit finds, which all agents know: the scaling of columns, and priors.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "tacit/consortium/pool/pooled.hpp"
#include "tacit/consortium/predict/posterior.hpp"
#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

/// The pooled part of a model: what the one sum over landmarks has opened, and what follows from it.
struct Pooled {
  /// Throws InputError for totals that cannot have come from rows.
  Pooled(std::size_t rows, Matrix landmarks, std::vector<PooledTotals> totals, const Priors& priors);

  std::size_t rows = 0;              ///< n, those of all agents together
  Matrix landmarks;                  ///< in the units of the model
  std::vector<PooledTotals> totals;  ///< for every run of neighbouring targets with equal priors
  PooledParts parts;                 ///< likewise
  double most_weight = 0;            ///< the largest |μ| of a target, up to the next power of two
};

struct Fitted {
  std::optional<Standardisation> standardisation;
  Priors priors;                         ///< by target, in the units of the model
  double likelihood = 0;                 ///< Σ_i h_i where the search ended; 0 without one
  std::size_t evaluations = 0;           ///< that the search took
  std::shared_ptr<const Pooled> pooled;  ///< none without landmarks

  /// From the data's units to the model's, and back.
  Samples standard(const Samples& data) const;
  std::shared_ptr<const Crew> standard(const std::shared_ptr<const Crew>& rows) const;
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
