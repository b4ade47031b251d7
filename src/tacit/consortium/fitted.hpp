// The result of a fit, which all agents know: the scaling of columns, the priors and the pooled part.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "tacit/consortium/pool/pooled.hpp"
#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/consortium/terms/terms.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

/// The pooled part of a model: the totals opened by the sum over landmarks, and what follows from them.
struct Pooled {
  /// Throws InputError for totals that no rows can produce.
  Pooled(std::size_t rows, Matrix landmarks, std::vector<PooledTotals> totals, const Priors& priors);

  std::size_t rows = 0;              ///< n, the rows of all agents together
  Matrix landmarks;                  ///< in the units of the model
  std::vector<PooledTotals> totals;  ///< one for each run of adjacent targets with equal priors
  PooledParts parts;                 ///< one for each such run
  double most_weight = 0;            ///< the largest |μ| of a target, rounded up to a power of two
};

struct Fitted {
  std::optional<Standardisation> standardisation;
  Priors priors;                         ///< by target, in the units of the model
  double likelihood = 0;                 ///< Σ_i h_i at the end of the search; 0 without a search
  std::size_t evaluations = 0;           ///< of the search
  std::shared_ptr<const Pooled> pooled;  ///< null without landmarks

  /// Convert from the data's units to the model's, and back.
  Samples standard(const Samples& data) const;
  std::shared_ptr<const Crew> standard(const std::shared_ptr<const Crew>& rows) const;
  Matrix standard_points(const Matrix& points) const;
  Prediction original(const Prediction& prediction) const;  ///< adds the noise to the observed variance

  /// Returns σ_ε² of every target in the data's units.
  Vector noise_variance() const;
};

/// Throws InputError unless this may be the result of a fit under the terms: the numbers must be in the box
/// of the search, and the scaling must fit the columns' ranges.
void check_plausible(const Fitted& fitted, const Terms& terms);

}  // namespace tacit
