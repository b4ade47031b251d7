#include "tacit/consortium/score/quality.hpp"

#include <cmath>
#include <numbers>

namespace tacit {

Quality quality(const Matrix& mean, const Matrix& observed_variance, const Matrix& truth) {
  const auto variance = observed_variance.array();
  const Eigen::ArrayXXd squares = (mean - truth).array().square();
  Quality result;
  result.rmse = std::sqrt(squares.mean());
  result.coverage = (squares <= reach_of_95 * reach_of_95 * variance).cast<double>().mean();
  result.log_density = -0.5 * (squares / variance + (2 * std::numbers::pi * variance).log()).mean();
  // A target is inside the intervals of all levels above its own level, erf(|y − f̂| / √(2 (V + σ_ε²))).
  for (Index k = 0; k < squares.size(); ++k) {
    const double own = std::erf(std::sqrt(squares.data()[k] / (2 * observed_variance.data()[k])));
    for (std::size_t level = 0; level < interval_levels.size(); ++level)
      if (own <= interval_levels[level]) result.inside[level] += 1;
  }
  for (double& share : result.inside) share /= static_cast<double>(squares.size());
  return result;
}

}  // namespace tacit
