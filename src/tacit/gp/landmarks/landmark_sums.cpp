#include "tacit/gp/landmarks/landmark_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/gp/expert/products.hpp"
#include "tacit/gp/kernel/covariance.hpp"

namespace tacit {

LandmarkSums::LandmarkSums(Index landmarks, Index outputs)
    : precision(Matrix::Zero(landmarks, landmarks)),
      weighted(Matrix::Zero(landmarks, outputs)),
      squares(Vector::Zero(outputs)) {}

LandmarkSums& LandmarkSums::operator+=(const LandmarkSums& other) {
  precision += other.precision;
  weighted += other.weighted;
  log_determinant += other.log_determinant;
  squares += other.squares;
  rows += other.rows;
  jitter = std::max(jitter, other.jitter);
  return *this;
}

void add_landmark_sums(LandmarkSums& sums, const Matrix& inputs, const Matrix& outputs, const Prior& given,
                       const Landmarks& landmarks) {
  check_training_rows(inputs, outputs);
  const Prior prior = checked_prior(given, inputs.cols());
  const PreparedPoints rows(inputs, prior.kernel);
  Matrix features = landmarks.features(rows);
  const Cholesky factor = safe_cholesky(rows.rows(), [&](Matrix& covariance) {
    noisy_covariance_lower(rows, prior, covariance);
    subtract_inner(features, covariance);
  });
  Matrix targets = outputs;
  factor.solve_lower(targets);
  solve_from_right(factor, features);  // Φ C⁻ᵀ for Λ = C C', so that A = (Φ C⁻ᵀ)(Φ C⁻ᵀ)'
  add_outer(features, sums.precision);
  add_product(features, targets, sums.weighted);
  sums.log_determinant += factor.log_determinant();
  sums.squares += targets.colwise().squaredNorm().transpose();
  sums.rows += static_cast<double>(rows.rows());
  sums.jitter = std::max(sums.jitter, factor.jitter());
}

PooledPart::PooledPart(std::shared_ptr<const Landmarks> landmarks, const Matrix& precision,
                       const Matrix& weighted)
    : landmarks_(std::move(landmarks)), weights_(weighted) {
  if (precision.rows() != landmarks_->count() || weighted.rows() != landmarks_->count())
    throw InputError(
        "the sums are for another number of landmarks; use the landmarks that were used for the sums");
  try {
    factor_ = safe_cholesky(precision.rows(), [&](Matrix& all) {
      all = precision;
      all.diagonal().array() += 1;
    });
  } catch (const InputError&) {
    throw;
  } catch (const Error&) {
    throw InputError(
        "the sums over landmarks are not those of any rows: they were rounded too coarsely, or a party's "
        "part "
        "is wrong; raise the precision of the sums, or check the parties");
  }
  factor_.solve_lower(weights_);
  factor_.solve_upper(weights_);
}

Matrix PooledPart::mean(const Matrix& features) const {
  Matrix mean(features.cols(), weights_.cols());
  transposed_product(features, weights_, mean);
  return mean;
}

Vector PooledPart::variance(const Matrix& features) const {
  Matrix whitened = features;
  factor_.solve_lower(whitened);
  return whitened.colwise().squaredNorm();
}

Vector PooledPart::log_marginal_likelihood(const LandmarkSums& sums) const {
  const double constant =
      sums.log_determinant + factor_.log_determinant() + sums.rows * std::log(2 * std::numbers::pi);
  const Vector explained = sums.weighted.cwiseProduct(weights_).colwise().sum();
  return -0.5 * (sums.squares - explained).array() - 0.5 * constant;
}

}  // namespace tacit
