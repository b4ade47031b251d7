#include "tacit/gp/expert/likelihood.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "tacit/base/stop.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/kernel/covariance.hpp"

namespace tacit {
namespace {

/// Fills a tile of the lower triangle of A = alpha alpha' - p K_y^-1, for p outputs. A and K are symmetric,
/// so entries below the diagonal count twice.
void fill_weights(const PreparedPoints& rows, const Matrix& alpha, const Matrix& inverse_lower, Index row,
                  Index column, Tile& weights) {
  const double outputs = static_cast<double>(alpha.cols());
  const Index r0 = row * tile_side;
  const Index c0 = column * tile_side;
  std::fill_n(weights.at, tile_size, 0.);
  for (Index c = 0; c < rows.block_rows(column); ++c) {
    const Index above = row == column ? c : 0;
    double* const weight = &weights.at[c * tile_side];
    for (Index p = 0; p < alpha.cols(); ++p) {
      const double factor = 2 * alpha(c0 + c, p);
      for (Index r = above; r < rows.block_rows(row); ++r) weight[r] += factor * alpha(r0 + r, p);
    }
    for (Index r = above; r < rows.block_rows(row); ++r)
      weight[r] -= 2 * outputs * inverse_lower(r0 + r, c0 + c);
    if (row == column) weight[c] /= 2;
  }
}

}  // namespace

Likelihood log_marginal_likelihood(const Matrix& inputs, const Matrix& outputs, const Prior& given) {
  check_training_rows(inputs, outputs);
  const Prior prior = checked_prior(given, inputs.cols());
  const PreparedPoints rows(inputs, prior.kernel);
  Cholesky factor = safe_cholesky(
      rows.rows(), [&](Matrix& covariance) { noisy_covariance_lower(rows, prior, covariance); });

  const double n = static_cast<double>(rows.rows());
  const double p = static_cast<double>(outputs.cols());
  Likelihood result;
  result.jitter = factor.jitter();
  Matrix alpha = outputs;  // becomes (K + sigma^2 I)^-1 y
  factor.solve_lower(alpha);
  result.value =
      -0.5 * (alpha.squaredNorm() + p * (factor.log_determinant() + n * std::log(2 * std::numbers::pi)));
  factor.solve_upper(alpha);
  leave_if_stopped();
  const Matrix inverse = std::move(factor).inverse();

  // dh / d theta = tr(A dK_y / d theta) / 2. Recomputing K tile by tile is cheaper than keeping a second n x
  // n matrix. No derivative of K is stored, for any number of parameters.
  result.slopes.assign(prior.kernel.parameters() + 1, 0);
  TileKernel tiles(prior.kernel);
  Tile weights;
  for (Index column = 0; column < rows.blocks(); ++column) {
    leave_if_stopped();
    for (Index row = column; row < rows.blocks(); ++row) {
      tiles.values(rows, row, rows, column);
      fill_weights(rows, alpha, inverse, row, column, weights);
      tiles.add_slopes(weights, result.slopes.data());
    }
  }
  for (double& slope : result.slopes) slope /= 2;
  result.slopes.back() = prior.noise * prior.noise * (alpha.squaredNorm() - p * inverse.trace());
  return result;
}

}  // namespace tacit
