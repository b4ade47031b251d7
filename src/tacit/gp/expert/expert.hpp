// Exact Gaussian-process regression on one set of rows.
//
//   const Expert expert = Expert::of(inputs, outputs, {se(2.), 0.1});
//   const Prediction p = expert.predict(points);
//
// Given the pooled part of a model, an expert learns the residual: its targets are y − φ(x)'μ, and its kernel
// is k(x,x') − φ(x)'φ(x').
//
// Threads: an Expert is immutable; any number of threads may use it.
// Errors: InputError for arguments that cannot be used, Error if a covariance cannot be factorised.
// Stopping: with StoppableWork (base/stop.hpp) predictions throw Stopped after at most 256 points; a
// factorisation runs to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/matrix.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

class PooledPart;
class Landmarks;
class PreparedPoints;

/// What a prediction computes besides the mean.
struct PredictOptions {
  bool variance = true;  ///< false: means only, at O(rows) instead of O(rows^2) a point
  /// For experts of residuals: the landmarks' features of the points, if the caller has them already.
  const Matrix* features = nullptr;
  /// If not null, increased by the number of points where rounding pushed V(x) noticeably below
  /// `variance_floor`.
  std::size_t* clamped = nullptr;
};

/// What a joint prediction draws.
struct JointOptions {
  std::size_t samples = 0;  ///< the number of joint draws of the latent function at all points
  std::uint64_t seed = 1;   ///< the seed of the draws
};

/// The joint distribution of the latent function at all points. Outputs share inputs and prior, and therefore
/// the covariance.
struct JointPrediction {
  Prediction each;              ///< of each point
  Matrix covariance;            ///< points x points; the diagonal is the latent variance
  std::vector<Matrix> samples;  ///< for each output, points x samples
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
  /// Returns the expert of n rows for a given prior. Throws InputError if the prior is unusable, there are no
  /// rows, the numbers of rows differ, or an entry is not finite (naming row and column); Error if the
  /// covariance cannot be factorised. Takes O(n^3 + n^2 (dimensions + outputs)) time and 8 n^2 bytes.
  static Expert of(const Matrix& inputs, const Matrix& outputs, const Prior& prior);

  /// Returns an expert of residuals: of the difference between the outputs and a pooled part of the same
  /// kernel. Its predictions are residuals, and its prior variance is Landmarks::residual_variance. Takes a
  /// further O(n m (n + m)) time for m landmarks, and 8 n m bytes.
  static Expert of(const Matrix& inputs, const Matrix& outputs, const Prior& prior, const PooledPart& pooled);

  [[deprecated("call Expert::of")]] static Expert fit(const Matrix& inputs, const Matrix& outputs,
                                                      const Prior& prior) {
    return of(inputs, outputs, prior);
  }
  [[deprecated("call Expert::of")]] static Expert fit(const Matrix& inputs, const Matrix& outputs,
                                                      const Prior& prior, const PooledPart& pooled) {
    return of(inputs, outputs, prior, pooled);
  }

  /// Predicts at the points. Throws InputError if their number of columns differs from that of the training
  /// inputs or an entry is not finite. Takes O(points n (n + dimensions + outputs)) time and
  /// O(n + points dimensions) memory besides the result. Outputs share their variances.
  Prediction predict(const MatrixView& points, const PredictOptions& options = {}) const;

  /// Predicts all points jointly. Throws as predict does. Takes O(points (n + points)) memory.
  JointPrediction predict_jointly(const MatrixView& points, const JointOptions& options = {}) const;

  /// Returns this expert with more rows. Extending the factor takes O(n^2) for each new row. Throws as `of`
  /// does, and InputError for an expert of residuals.
  Expert with(const Matrix& more_inputs, const Matrix& more_outputs) const;

  /// Returns h of (lml) for each output. O(1), as `of` has computed it.
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
  Vector prior_variance(const MatrixView& points, const Matrix& features) const;
  Prediction posterior(const MatrixView& points, const Matrix& features, const PredictOptions& options,
                       Matrix* covariance) const;

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
