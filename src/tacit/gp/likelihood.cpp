#include "tacit/gp/likelihood.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "tacit/gp/check.hpp"
#include "tacit/gp/cholesky.hpp"

namespace tacit {
namespace {

/// Sums over all pairs of A_ij K_ij and of A_ij K_ij u_ij, with u the exponent in K and A = alpha alpha' - p
/// K_y^-1 for p outputs. K is computed again tile by tile: that is cheaper than to keep a second n x n
/// matrix. Both matrices are symmetric, so what lies under the diagonal counts twice.
TileSums pair_sums(const PackedRows& rows, const Hyperparameters& h, const Matrix& alpha,
                   const Matrix& inverse_lower) {
  const double outputs = static_cast<double>(alpha.cols());
  TileSums total;
  for_each_lower_tile(rows, h, [&](Index row, Index column, const Tile& exponents, const Tile& kernel) {
    Tile weights{};
    const Index r0 = row * tile_side;
    const Index c0 = column * tile_side;
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
    const TileSums sums = tile_sums(weights, kernel, exponents);
    total.kernel += sums.kernel;
    total.kernel_exponent += sums.kernel_exponent;
  });
  return total;
}

}  // namespace

Likelihood log_marginal_likelihood(const Matrix& inputs, const Matrix& outputs, const Hyperparameters& h) {
  check_hyperparameters(h);
  check_training_rows(inputs, outputs);
  const PackedRows rows(inputs);
  Cholesky factor =
      safe_cholesky(rows.rows(), [&](Matrix& covariance) { noisy_covariance_lower(rows, h, covariance); });

  const double n = static_cast<double>(rows.rows());
  const double p = static_cast<double>(outputs.cols());
  Likelihood result;
  result.jitter = factor.jitter();
  Matrix alpha = outputs;  // becomes (K + sigma^2 I)^-1 y
  factor.solve_lower(alpha);
  result.value =
      -0.5 * (alpha.squaredNorm() + p * (factor.log_determinant() + n * std::log(2 * std::numbers::pi)));
  factor.solve_upper(alpha);
  const Matrix inverse = std::move(factor).inverse();

  // dh / d theta = tr(A dK_y / d theta) / 2, where dK / d theta_s = 2 K / theta_s, dK_y / d sigma = 2 sigma
  // I, and dK / d theta_l = K |x - x'|^2 / theta_l^3 = -2 K u / theta_l with u the exponent.
  const TileSums sums = pair_sums(rows, h, alpha, inverse);
  result.d_lengthscale = -sums.kernel_exponent / h.lengthscale;
  result.d_signal = sums.kernel / h.signal;
  result.d_noise = h.noise * (alpha.squaredNorm() - p * inverse.trace());
  return result;
}

}  // namespace tacit
