#include "tacit/consortium/quality.hpp"

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
  return result;
}

}  // namespace tacit
