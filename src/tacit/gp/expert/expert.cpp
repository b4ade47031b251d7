#include "tacit/gp/expert/expert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/gp/expert/products.hpp"
#include "tacit/gp/kernel/covariance.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"
#include "tacit/gp/normal.hpp"

namespace tacit {
namespace {

// Points are processed in chunks, which limits the size of the cross-covariance matrix.
constexpr Index chunk_points = 256;
static_assert(chunk_points % tile_side == 0);

/// Draws from N(mean column, covariance), one set for each output. Where the posterior is nearly certain, its
/// covariance consists of rounding errors, so the square of a millionth of the prior's deviation is added.
std::vector<Matrix> draws(const Matrix& mean, Matrix covariance, double prior_variance, std::size_t count,
                          std::uint64_t seed) {
  covariance.diagonal().array() += 1e-12 * prior_variance;
  const Cholesky factor = safe_cholesky(covariance);
  const Matrix lower = factor.lower().triangularView<Eigen::Lower>();
  Normal normal(seed);
  std::vector<Matrix> samples;
  for (Index o = 0; o < mean.cols(); ++o) {
    Matrix drawn(mean.rows(), static_cast<Index>(count));
    for (double& value : drawn.reshaped()) value = normal();
    samples.push_back((lower * drawn).colwise() + mean.col(o));
  }
  return samples;
}

void check_points(const MatrixView& points, Index dimensions) {
  if (points.cols() != dimensions)
    throw InputError(
        fmt::format("points have {} columns, but the expert was fitted to inputs of {}; give the same "
                    "columns in the same order",
                    points.cols(), dimensions));
  check_finite("points", points);
}

// Raises variances to their floor. Returns the number of those that were noticeably below it.
std::size_t raise_to_floor(Vector& variances, const Vector& floor) {
  std::size_t clamped = 0;
  for (Index i = 0; i < variances.size(); ++i) {
    if (variances(i) >= floor(i)) continue;
    if (variances(i) < floor(i) * (1 - 1e-6)) ++clamped;
    variances(i) = floor(i);
  }
  return clamped;
}

}  // namespace

double variance_floor(double prior_variance, double trace, double noise) {
  const double left = noise * noise / (noise * noise + trace);
  return prior_variance * std::max(left, std::numeric_limits<double>::epsilon());
}

Expert::Expert(Matrix inputs, Matrix targets, const Prior& prior, Cholesky factor)
    : Expert(std::move(inputs), std::move(targets), prior, std::move(factor), nullptr, {}) {}

Expert::Expert(Matrix inputs, Matrix targets, const Prior& prior, Cholesky factor,
               std::shared_ptr<const Landmarks> landmarks, Matrix features)
    : prior_(checked_prior(prior, inputs.cols())),
      inputs_(std::move(inputs)),
      targets_(std::move(targets)),
      landmarks_(std::move(landmarks)),
      features_(std::move(features)),
      prepared_(std::make_shared<PreparedPoints>(inputs_, prior_.kernel)),
      factor_(std::move(factor)),
      whitened_(targets_),
      trace_((landmarks_ ? landmarks_->residual_variance(inputs_, features_)
                         : prior_.kernel.prior_variance(inputs_))
                 .sum()) {
  factor_.solve_lower(whitened_);
  alpha_ = whitened_;
  factor_.solve_upper(alpha_);
  // y' (K + sigma^2 I)^-1 y = |L^-1 y|^2
  const double n = static_cast<double>(rows());
  const double constant = factor_.log_determinant() + n * std::log(2 * std::numbers::pi);
  log_marginal_likelihood_ = -0.5 * (whitened_.colwise().squaredNorm().transpose().array() + constant);
}

Expert Expert::of(const Matrix& inputs, const Matrix& outputs, const Prior& given) {
  check_training_rows(inputs, outputs);
  const Prior prior = checked_prior(given, inputs.cols());
  const PreparedPoints prepared(inputs, prior.kernel);
  Cholesky factor = safe_cholesky(
      inputs.rows(), [&](Matrix& covariance) { noisy_covariance_lower(prepared, prior, covariance); });
  return Expert(inputs, outputs, prior, std::move(factor));
}

Expert Expert::of(const Matrix& inputs, const Matrix& outputs, const Prior& given, const PooledPart& pooled) {
  check_training_rows(inputs, outputs);
  const Prior prior = checked_prior(given, inputs.cols());
  const PreparedPoints prepared(inputs, prior.kernel);
  Matrix features = pooled.landmarks().features(prepared);
  Cholesky factor = safe_cholesky(inputs.rows(), [&](Matrix& covariance) {
    noisy_covariance_lower(prepared, prior, covariance);
    subtract_inner(features, covariance);
  });
  Matrix targets = outputs - pooled.mean(features);
  return Expert(inputs, std::move(targets), prior, std::move(factor), pooled.shared_landmarks(),
                std::move(features));
}

Expert Expert::with(const Matrix& more_inputs, const Matrix& more_outputs) const {
  if (landmarks_)
    throw InputError("rows cannot be added to an expert of residuals; pool all rows and fit again");
  check_training_rows(more_inputs, more_outputs);
  if (more_inputs.cols() != dimensions() || more_outputs.cols() != outputs())
    throw InputError(
        fmt::format("new rows have {} inputs and {} outputs, but the expert was fitted to {} and {}; "
                    "give the same columns in the same order",
                    more_inputs.cols(), more_outputs.cols(), dimensions(), outputs()));
  Matrix all_inputs(rows() + more_inputs.rows(), dimensions()), all_targets(all_inputs.rows(), outputs());
  all_inputs << inputs_, more_inputs;
  all_targets << targets_, more_outputs;
  const PreparedPoints more(more_inputs, prior_.kernel);
  Matrix cross(rows(), more_inputs.rows()), corner(more_inputs.rows(), more_inputs.rows());
  cross_covariance(*prepared_, more, 0, prior_.kernel, cross);
  noisy_covariance_lower(more, prior_, corner);
  std::optional<Cholesky> factor = factor_.extended(std::move(cross), std::move(corner));
  if (!factor) return of(all_inputs, all_targets, prior_);  // with more jitter
  return Expert(std::move(all_inputs), std::move(all_targets), prior_, std::move(*factor));
}

Vector Expert::prior_variance(const MatrixView& points, const Matrix& features) const {
  return landmarks_ ? landmarks_->residual_variance(points, features) : prior_.kernel.prior_variance(points);
}

Prediction Expert::predict(const MatrixView& points, const PredictOptions& options) const {
  check_points(points, dimensions());
  const Matrix own = landmarks_ && !options.features ? landmarks_->features(points) : Matrix();
  return posterior(points, options.features ? *options.features : own, options, nullptr);
}

JointPrediction Expert::predict_jointly(const MatrixView& points, const JointOptions& options) const {
  check_points(points, dimensions());
  const Matrix features = landmarks_ ? landmarks_->features(points) : Matrix();
  JointPrediction result;
  result.each = posterior(points, features, {}, &result.covariance);
  if (options.samples)
    result.samples = draws(result.each.mean, result.covariance, prior_variance(points, features).mean(),
                           options.samples, options.seed);
  return result;
}

// The features are those of the points. Computes the covariance between all points if `covariance` is not
// null.
Prediction Expert::posterior(const MatrixView& points, const Matrix& features, const PredictOptions& options,
                             Matrix* covariance) const {
  const Index chunk = covariance ? std::max<Index>(points.rows(), 1) : chunk_points;

  Prediction result;
  result.mean.resize(points.rows(), outputs());
  Vector latent;
  if (options.variance) latent = prior_variance(points, features);
  Vector floor = latent;
  for (double& v : floor) v = variance_floor(v, trace_, prior_.noise);
  Matrix v;
  for (Index first = 0; first < points.rows(); first += chunk) {
    leave_if_stopped();
    const Index count = std::min(chunk, points.rows() - first);
    const PreparedPoints prepared(points.middleRows(first, count), prior_.kernel);
    v.resize(rows(), count);
    cross_covariance(*prepared_, prepared, 0, prior_.kernel, v);
    if (landmarks_) transposed_product(features_, features.middleCols(first, count), v, -1, 1);
    if (!options.variance) {
      transposed_product(v, alpha_, result.mean.middleRows(first, count));
      continue;
    }
    leave_if_stopped();
    factor_.solve_lower(v);
    // (posterior) with v = L^-1 k(x): the mean is v' (L^-1 y), the variance k(x, x) - |v|^2.
    transposed_product(v, whitened_, result.mean.middleRows(first, count));
    latent.segment(first, count) -= v.colwise().squaredNorm().transpose();
    if (covariance) {
      leave_if_stopped();
      covariance->resize(count, count);
      cross_covariance(prepared, prepared, 0, prior_.kernel, *covariance);
      if (landmarks_) transposed_product(features, features, *covariance, -1, 1);
      leave_if_stopped();
      Matrix explained(count, count);
      transposed_product(v, v, explained);
      *covariance -= explained;
    }
  }
  const std::size_t clamped = raise_to_floor(latent, floor);
  if (options.clamped) *options.clamped += clamped;
  if (!options.variance) return result;
  if (covariance) covariance->diagonal() = latent;
  result.latent_variance = latent.replicate(1, outputs());
  add_noise(result, Vector::Constant(outputs(), prior_.noise * prior_.noise));
  return result;
}

}  // namespace tacit
