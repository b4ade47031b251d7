#include "tacit/gp/landmarks/landmark_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "tacit/gp/check.hpp"
#include "tacit/gp/expert/products.hpp"
#include "tacit/gp/kernel/covariance.hpp"

namespace tacit {
namespace {

Matrix whole(const Matrix& lower) { return lower.selfadjointView<Eigen::Lower>(); }

// Sums weight · dk / d log parameter. Kernels are recomputed tile by tile, so that no derivative of a matrix
// is stored.
class SlopeSums {
 public:
  explicit SlopeSums(const Kernel& kernel) : tiles_(kernel), sums_(kernel.parameters() + 1) {}

  /// Adds over all pairs of a point of `a` and a point of `b`.
  void add(const PreparedPoints& a, const PreparedPoints& b, const Matrix& weights) {
    for (Index column = 0; column < b.blocks(); ++column)
      for (Index row = 0; row < a.blocks(); ++row) add_tile(a, row, b, column, weights, 1);
  }

  /// Adds over all pairs among the points, for symmetric weights.
  void add(const PreparedPoints& points, const Matrix& weights) {
    for (Index column = 0; column < points.blocks(); ++column)
      for (Index row = column; row < points.blocks(); ++row)
        add_tile(points, row, points, column, weights, row == column ? 1 : 2);
  }

  /// Adds for the covariance of landmarks, whose jitter is proportional to the mean of its diagonal.
  void add(const Landmarks& landmarks, Matrix weights) {
    const Vector diagonal = landmarks.kernel().prior_variance(landmarks.points());
    const double jitter = landmark_jitter + landmarks.factor().jitter() / diagonal.mean();
    weights.diagonal().array() += jitter * weights.diagonal().mean();
    add(landmarks.prepared(), weights);
  }

  /// Returns half of the sums, with a last entry for the noise.
  std::vector<double> halves() && {
    for (double& sum : sums_) sum /= 2;
    return std::move(sums_);
  }

 private:
  void add_tile(const PreparedPoints& a, Index row, const PreparedPoints& b, Index column,
                const Matrix& weights, double times) {
    std::fill_n(tile_.at, tile_size, 0.);
    const Index rows = a.block_rows(row), first = row * tile_side;
    for (Index c = 0; c < b.block_rows(column); ++c)
      for (Index r = 0; r < rows; ++r)
        tile_.at[c * tile_side + r] = times * weights(first + r, column * tile_side + c);
    tiles_.values(a, row, b, column);
    tiles_.add_slopes(tile_, sums_.data());
  }

  TileKernel tiles_;
  Tile tile_;
  std::vector<double> sums_;
};

}  // namespace

Likelihood landmark_likelihood(const Matrix& inputs, const Matrix& outputs, const Prior& given,
                               const PooledPart& pooled) {
  check_training_rows(inputs, outputs);
  const Prior prior = checked_prior(given, inputs.cols());
  const Landmarks& landmarks = pooled.landmarks();
  const PreparedPoints rows(inputs, prior.kernel);
  Matrix features = landmarks.features(rows);  // Φ
  Cholesky factor = safe_cholesky(rows.rows(), [&](Matrix& covariance) {
    noisy_covariance_lower(rows, prior, covariance);
    subtract_inner(features, covariance);
  });

  const double n = static_cast<double>(rows.rows()), p = static_cast<double>(outputs.cols());
  Likelihood result;
  result.jitter = factor.jitter();
  Matrix alpha = outputs - pooled.mean(features);  // becomes Λ⁻¹(y − Φ'μ), this block's part of C⁻¹y
  factor.solve_lower(alpha);
  result.value =
      -0.5 * (alpha.squaredNorm() + p * (factor.log_determinant() + n * std::log(2 * std::numbers::pi)));
  factor.solve_upper(alpha);

  Matrix solved = features.transpose();
  factor.solve_lower(solved);
  factor.solve_upper(solved);
  Matrix between = solved.transpose();  // ΦΛ⁻¹
  pooled.factor().solve_lower(between);  // of S = F⁻ᵀF⁻¹: (C⁻¹)_bb = Λ⁻¹ − (F⁻¹ΦΛ⁻¹)'(F⁻¹ΦΛ⁻¹)
  Matrix inverse = std::move(factor).inverse();
  subtract_inner(between, inverse);
  inverse = -p * whole(inverse);
  add_outer(alpha, inverse);
  const Matrix among = whole(inverse);  // W_bb

  pooled.factor().solve_upper(between);  // SΦΛ⁻¹
  between *= -p;
  add_product(pooled.weights(), alpha.transpose(), between);  // (ΦW)_b
  landmarks.factor().solve_upper(between);
  landmarks.factor().solve_upper(features);  // P_b = K_ZZ⁻¹K_Zb
  Matrix through = Matrix::Zero(features.rows(), features.cols());
  add_product(features, among, through);
  between -= through;
  Matrix of_landmarks = Matrix::Zero(features.rows(), features.rows());
  add_product(through, features.transpose(), of_landmarks);

  SlopeSums sums(prior.kernel);
  sums.add(rows, among);
  sums.add(landmarks.prepared(), rows, 2 * between);
  sums.add(landmarks, whole(of_landmarks));
  result.slopes = std::move(sums).halves();
  result.slopes.back() = prior.noise * prior.noise * among.trace();
  return result;
}

Likelihood landmark_likelihood(const Prior& prior, const PooledPart& pooled) {
  const Landmarks& landmarks = pooled.landmarks();
  const Kernel kernel = prior.kernel.for_inputs(landmarks.dimensions());
  const Matrix& mean = pooled.weights();
  const double p = static_cast<double>(mean.cols());
  // −L⁻ᵀ(μμ' − p(I − S))L⁻¹, as ΦWΦ' = μμ' − p(I − S).
  Cholesky factor = pooled.factor();
  Matrix weights = p * (Matrix::Identity(mean.rows(), mean.rows()) - whole(std::move(factor).inverse()));
  weights -= mean * mean.transpose();
  landmarks.factor().solve_upper(weights);
  weights.transposeInPlace();
  landmarks.factor().solve_upper(weights);

  SlopeSums sums(kernel);
  sums.add(landmarks, whole(weights));
  return {-0.5 * (p * pooled.factor().log_determinant() + mean.squaredNorm()), std::move(sums).halves(), 0};
}

}  // namespace tacit
