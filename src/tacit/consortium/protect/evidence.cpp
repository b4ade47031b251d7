#include "tacit/consortium/protect/evidence.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/fit/optimise.hpp"

namespace tacit {
namespace {

constexpr double evidence_jitter = 1e-8;

Vector inverse_scales(const OwnEvidenceForm& form, const std::vector<double>& parameters) {
  Vector scales(form.inputs);
  for (Index k = 0; k < form.inputs; ++k)
    scales(k) = std::exp(-parameters[form.isotropic ? 0 : static_cast<std::size_t>(k)]);
  return scales;
}

// log det C and C⁻¹ of a covariance; false if it is not positive definite.
bool invert(const Matrix& covariance, double& log_determinant, Matrix& inverse) {
  const Index n = covariance.rows();
  if (!covariance.allFinite()) return false;
  if (n <= OwnEvidence::plain_rows) {
    const Eigen::LLT<Matrix> factor(covariance);
    if (factor.info() != Eigen::Success) return false;
    log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
    inverse = factor.solve(Matrix::Identity(n, n));
    return true;
  }
  try {
    Cholesky factor = safe_cholesky(covariance);
    log_determinant = factor.log_determinant();
    inverse = std::move(factor).inverse();
  } catch (const Error&) {
    return false;
  }
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
  return true;
}

}  // namespace

struct OwnEvidence::Factored {
  Matrix scaled;  // inputs in units of length-scales
  Matrix kernel;  // of the se part
  Matrix inverse;
  Vector alpha;
  double log_determinant = 0;
};

Matrix se_between(const OwnEvidenceForm& form, const std::vector<double>& parameters, const Matrix& a,
                  const Matrix& b) {
  const Vector scales = inverse_scales(form, parameters);
  const Matrix x = scales.asDiagonal() * a, z = scales.asDiagonal() * b;
  Matrix k = x.transpose() * z;
  k = (k.colwise() - 0.5 * x.colwise().squaredNorm().transpose()).rowwise() - 0.5 * z.colwise().squaredNorm();
  const double variance = std::exp(2 * parameters[form.lengthscales()]);
  return variance * k.array().min(0).exp();
}

OwnEvidence::OwnEvidence(const OwnEvidenceForm& form, Matrix inputs, Vector targets,
                         std::vector<Matrix> parts)
    : form_(form), inputs_(std::move(inputs)), targets_(std::move(targets)), parts_(std::move(parts)) {}

std::optional<OwnEvidence::Factored> OwnEvidence::factored(const std::vector<double>& p) const {
  Factored f;
  Matrix covariance = Matrix::Zero(rows(), rows());
  if (form_.inputs > 0) {
    f.kernel = se_between(form_, p, inputs_, inputs_);
    f.scaled = inverse_scales(form_, p).asDiagonal() * inputs_;
    covariance = f.kernel;
  }
  for (std::size_t k = 0; k < parts_.size(); ++k)
    covariance += std::exp(2 * p[form_.first_part() + k]) * parts_[k];
  covariance.diagonal().array() += std::exp(2 * p[form_.noise()]) + evidence_jitter;
  if (!invert(covariance, f.log_determinant, f.inverse)) return std::nullopt;
  f.alpha = f.inverse * targets_;
  return f;
}

std::optional<OwnEvidence::Value> OwnEvidence::at(const std::vector<double>& p) const {
  const auto f = factored(p);
  if (!f) return std::nullopt;
  Value result{-0.5 * (targets_.dot(f->alpha) + f->log_determinant), std::vector<double>(form_.parameters())};
  const Matrix weights = f->alpha * f->alpha.transpose() - f->inverse;
  if (form_.inputs > 0) {
    // ½ Σ_ij W_ij k_ij (x_i - x_j)²/l² by input.
    const Matrix weighted = weights.cwiseProduct(f->kernel);
    const Vector sums = weighted.rowwise().sum();
    const Matrix moved = f->scaled * weighted;
    for (Index k = 0; k < form_.inputs; ++k)
      result.slopes[form_.isotropic ? 0 : static_cast<std::size_t>(k)] +=
          f->scaled.row(k).cwiseAbs2().dot(sums) - f->scaled.row(k).dot(moved.row(k));
    result.slopes[form_.lengthscales()] = sums.sum();
  }
  for (std::size_t k = 0; k < parts_.size(); ++k)
    result.slopes[form_.first_part() + k] =
        std::exp(2 * p[form_.first_part() + k]) * weights.cwiseProduct(parts_[k]).sum();
  result.slopes[form_.noise()] = std::exp(2 * p[form_.noise()]) * weights.trace();
  if (!std::isfinite(result.value)) return std::nullopt;
  for (const double slope : result.slopes)
    if (!std::isfinite(slope)) return std::nullopt;
  return result;
}

std::optional<OwnEvidence::Posterior> OwnEvidence::posterior(const std::vector<double>& p) const {
  auto f = factored(p);
  if (!f) return std::nullopt;
  Posterior result;
  result.variance = f->inverse.diagonal().cwiseMax(1e-300).cwiseInverse();
  result.left_out = f->alpha.cwiseProduct(result.variance);
  result.alpha = std::move(f->alpha);
  result.inverse = std::move(f->inverse);
  return result;
}

std::vector<double> most_likely(const OwnEvidence& evidence, const OwnEvidenceSearch& search) {
  std::vector<double> start = search.start;
  for (std::size_t k = 0; k < start.size(); ++k)
    start[k] = std::clamp(start[k], search.low[k], search.high[k]);
  // Values per row, since the first step is as long as the slope.
  const double rows = std::max(static_cast<double>(evidence.rows()), 1.0);
  MaximiserLimits limits;
  limits.most_evaluations = search.evaluations;
  limits.value_tolerance = 1e-6;
  Maximiser climb(start, search.low, search.high, limits);
  std::vector<double> best = start;
  double best_value = -std::numeric_limits<double>::infinity();
  while (const auto point = climb.next()) {
    const auto found = evidence.at(*point);
    if (!found) break;
    double value = found->value;
    std::vector<double> slopes = found->slopes;
    for (std::size_t k = 0; k < slopes.size(); ++k) {
      if (!(search.deviation[k] > 0)) continue;
      const double away = ((*point)[k] - search.mean[k]) / search.deviation[k];
      value -= 0.5 * away * away;
      slopes[k] -= away / search.deviation[k];
    }
    if (value > best_value) {
      best_value = value;
      best = *point;
    }
    for (double& slope : slopes) slope /= rows;
    climb.tell(value / rows, std::move(slopes));
  }
  return best;
}

}  // namespace tacit
