// Exact Gaussian-process regression on one set of rows.
//
//   const Expert expert = Expert::fit(inputs, outputs, {se(2.), 0.1});
//   const Posterior p = expert.predict(points);
//
// Given the pooled part of a model, an expert learns the residual: its targets are y − φ(x)'μ, and its kernel
// is k(x,x') − φ(x)'φ(x').
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

class PooledPart;
class Landmarks;
class PreparedPoints;

/// What a prediction computes besides the mean.
struct PredictOptions {
  bool variance = true;     ///< false: means only, at O(rows) instead of O(rows^2) a point
  bool covariance = false;  ///< the covariance of the latent function between all points
  std::size_t samples = 0;  ///< the number of joint draws of the latent function at all points
  std::uint64_t seed = 1;   ///< the seed of the draws
};

/// A posterior distribution at some points (posterior). Outputs share inputs and prior, and therefore
/// variances.
struct Posterior {
  Matrix mean;                  ///< points x outputs
  Vector latent_variance;       ///< V(x), of the function itself, as in the paper
  Vector observed_variance;     ///< of a new noisy observation: latent + noise^2
  Matrix covariance;            ///< points x points, latent; only on request
  std::vector<Matrix> samples;  ///< for each output, points x samples; only on request
  std::size_t clamped = 0;      ///< points where rounding pushed V(x) noticeably below `variance_floor`
};

/// Returns the smallest latent variance that is reported, for k = k(x, x).
///
/// With f = phi(x)'w and noise s, the posterior variance is
/// phi'(I + Phi'Phi / s^2)^-1 phi >= k / (1 + tr K / s^2). A smaller V(x) is a rounding error, and so is any
/// value below k times the machine epsilon. Computed values therefore satisfy
/// 1 / V(x) <= (1 + tr K / s^2) / k. For stationary kernels, where tr K = rows k, the bound is attained when
/// all rows are observations at x.
double variance_floor(double prior_variance, double trace, double noise);

/// A fitted Gaussian process with zero prior mean: one expert. Several outputs share one Cholesky factor.
/// Immutable, so that any number of threads may predict at the same time.
class Expert {
 public:
  /// Fits an expert to n rows. Throws InputError if the prior is unusable, there are no rows, the numbers of
  /// rows differ, or an entry is not finite (naming row and column); Error if the covariance cannot be
  /// factorised. Takes O(n^3 + n^2 (dimensions + outputs)) time and 8 n^2 bytes.
  static Expert fit(const Matrix& inputs, const Matrix& outputs, const Prior& prior);

  /// Fits an expert of residuals: of the difference between the outputs and a pooled part of the same kernel.
  /// Its predictions are residuals, and its prior variance is Landmarks::residual_variance. Takes a further
  /// O(n m (n + m)) time for m landmarks, and 8 n m bytes.
  static Expert fit(const Matrix& inputs, const Matrix& outputs, const Prior& prior,
                    const PooledPart& pooled);

  /// Predicts at the points. Throws InputError if their number of columns differs from that of the training
  /// inputs or an entry is not finite. Takes O(points n (n + dimensions + outputs)) time and
  /// O(n + points dimensions) memory besides the result; with covariance or samples, O(points (n + points))
  /// memory. Callers that ask several experts of residuals can compute the landmarks' features of the points
  /// once and pass them.
  Posterior predict(const MatrixView& points, const PredictOptions& options = {},
                    const Matrix* features = nullptr) const;

  /// Returns this expert with more rows. Extending the factor takes O(n^2) for each new row. Throws as fit
  /// does, and InputError for an expert of residuals.
  Expert with(const Matrix& more_inputs, const Matrix& more_outputs) const;

  /// Returns h of (lml) for each output. O(1), as fit has computed it.
  const Vector& log_marginal_likelihood() const { return log_marginal_likelihood_; }

  const Prior& prior() const { return prior_; }
  /// Returns the jitter that was added to the diagonal of the covariance, usually 0 (cholesky.hpp).
  double jitter() const { return factor_.jitter(); }
  Index rows() const { return inputs_.rows(); }
  Index dimensions() const { return inputs_.cols(); }
  Index outputs() const { return targets_.cols(); }

  const Matrix& inputs() const { return inputs_; }
  const Matrix& targets() const { return targets_; }
  const Cholesky& factor() const { return factor_; }
  /// Restores an expert from the values of inputs(), targets(), prior() and factor().
  Expert(Matrix inputs, Matrix targets, const Prior& prior, Cholesky factor);

 private:
  Expert(Matrix inputs, Matrix targets, const Prior& prior, Cholesky factor,
         std::shared_ptr<const Landmarks> landmarks, Matrix features);

  Prior prior_;
  Matrix inputs_, targets_;
  std::shared_ptr<const Landmarks> landmarks_;      // null unless this is an expert of residuals
  Matrix features_;                                 // φ of the inputs, for an expert of residuals
  std::shared_ptr<const PreparedPoints> prepared_;  // the inputs, prepared for the kernel
  Cholesky factor_;                                 // L L' = K + sigma^2 I, less Φ'Φ for residuals
  Matrix whitened_;                                 // L^-1 y
  Matrix alpha_;                                    // L^-T L^-1 y
  double trace_;                                    // of K
  Vector log_marginal_likelihood_;
};

}  // namespace tacit
