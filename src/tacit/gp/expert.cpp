#include "tacit/gp/expert.hpp"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"

namespace tacit {
namespace {

// Points are worked on in chunks, so that a long list of them needs no matrix of its own size times n.
constexpr Index chunk_points = 256;
static_assert(chunk_points % tile_side == 0);

/// a' b, by BLAS.
void transposed_product(const Matrix& a, const Matrix& b, Eigen::Ref<Matrix> out) {
  if (out.size() == 0) return;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(a.cols()), static_cast<int>(b.cols()),
              static_cast<int>(a.rows()), 1.0, a.data(), static_cast<int>(a.rows()), b.data(),
              static_cast<int>(b.rows()), 0.0, out.data(), static_cast<int>(out.outerStride()));
}

}  // namespace

double variance_floor(const Hyperparameters& h, Index rows) {
  const double prior = h.signal * h.signal;
  const double noise = h.noise * h.noise;
  const double left = noise / (noise + static_cast<double>(rows) * prior);
  return prior * std::max(left, std::numeric_limits<double>::epsilon());
}

Expert::Expert(PackedRows inputs, Cholesky factor, Matrix whitened, const Hyperparameters& hyperparameters)
    : hyperparameters_(hyperparameters),
      inputs_(std::move(inputs)),
      factor_(std::move(factor)),
      whitened_(std::move(whitened)) {
  // y' (K + sigma^2 I)^-1 y = |L^-1 y|^2
  const double n = static_cast<double>(rows());
  const double constant = factor_.log_determinant() + n * std::log(2 * std::numbers::pi);
  log_marginal_likelihood_ = -0.5 * (whitened_.colwise().squaredNorm().transpose().array() + constant);
}

Expert Expert::fit(const Matrix& inputs, const Matrix& outputs, const Hyperparameters& hyperparameters) {
  check_hyperparameters(hyperparameters);
  check_training_rows(inputs, outputs);
  PackedRows packed(inputs);
  Cholesky factor = safe_cholesky(packed.rows(), [&](Matrix& covariance) {
    noisy_covariance_lower(packed, hyperparameters, covariance);
  });
  Matrix whitened = outputs;
  factor.solve_lower(whitened);
  return Expert(std::move(packed), std::move(factor), std::move(whitened), hyperparameters);
}

Posterior Expert::predict(const Matrix& points) const {
  if (points.cols() != dimensions())
    throw InputError(
        fmt::format("points have {} columns, but the expert was fitted to inputs of {}; give the same "
                    "columns in the same order",
                    points.cols(), dimensions()));
  check_finite("points", points);
  const PackedRows packed(points);
  const double prior = hyperparameters_.signal * hyperparameters_.signal;
  const double floor = variance_floor(hyperparameters_, rows());

  Posterior result;
  result.mean.resize(points.rows(), outputs());
  result.latent_variance.resize(points.rows());
  Matrix v;
  for (Index first = 0; first < points.rows(); first += chunk_points) {
    const Index count = std::min(chunk_points, points.rows() - first);
    v.resize(rows(), count);
    cross_covariance(inputs_, packed, first, hyperparameters_, v);
    factor_.solve_lower(v);
    // (posterior) with v = L^-1 k(x): the mean is v' (L^-1 y), the variance k(x, x) - |v|^2.
    transposed_product(v, whitened_, result.mean.middleRows(first, count));
    result.latent_variance.segment(first, count) = prior - v.colwise().squaredNorm().transpose().array();
  }
  for (double& variance : result.latent_variance) {
    if (variance >= floor) continue;
    if (variance < floor * (1 - 1e-6)) ++result.clamped;
    variance = floor;
  }
  result.observed_variance = result.latent_variance.array() + hyperparameters_.noise * hyperparameters_.noise;
  return result;
}

}  // namespace tacit
