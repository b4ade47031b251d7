// Exact Gaussian-process regression on one set of rows.
//
//   const Expert expert = Expert::fit(inputs, outputs, {se(2.), 0.1});
//   const Posterior p = expert.predict(points);
//
// Given the pooled part of a model, an expert learns what that leaves over: its targets are y − φ(x)'μ, its
// kernel is k(x,x') − φ(x)'φ(x').
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

/// What is asked for at some points beside the mean.
struct PredictOptions {
  bool variance = true;     ///< false: means only, at O(rows) instead of O(rows^2) a point
  bool covariance = false;  ///< of the latent function between all points
  std::size_t samples = 0;  ///< draws of the latent function at all points together
  std::uint64_t seed = 1;   ///< of the draws: the same seed gives the same draws
};

/// What an expert believes at some points (posterior). Outputs that share inputs and prior share variances.
struct Posterior {
  Matrix mean;                  ///< points x outputs
  Vector latent_variance;       ///< V(x), of the function itself, as in the paper
  Vector observed_variance;     ///< of a new noisy observation: latent + noise^2
  Matrix covariance;            ///< points x points, latent, on request
  std::vector<Matrix> samples;  ///< one points x samples for each output, on request
  std::size_t clamped = 0;      ///< points where rounding had pushed V(x) visibly below `variance_floor`
};

/// The smallest latent variance that is reported, for k = k(x, x). With f = phi(x)'w the posterior is phi'(I
/// + Phi'Phi / s^2)^-1 phi >= k / (1 + tr K / s^2) for noise s, so a smaller V(x) is a rounding error; nor is
/// anything under k times the machine epsilon meaningful. It follows that 1 / V(x) <= (1 + tr K / s^2) / k,
/// also for what is computed, and for stationary kernels, where tr K = rows k, it is reached by rows
/// observations at x itself.
double variance_floor(double prior_variance, double trace, double noise);

/// A fitted Gaussian process with zero prior mean. Several outputs share one Cholesky factor. Immutable: any
/// number of threads may predict at once.
class Expert {
 public:
  /// Throws InputError for an unusable prior, no rows, different numbers of rows, or non-finite entries,
  /// naming row and column; Error if the covariance cannot be factorised. O(n^3 + n^2 (dimensions + outputs))
  /// time, 8 n^2 bytes.
  static Expert fit(const Matrix& inputs, const Matrix& outputs, const Prior& prior);

  /// The same for what a pooled part of the same kernel leaves over. Predictions are residuals then, and the
  /// prior variance is Landmarks::residual_variance. Further O(n m (n + m)) for m landmarks, 8 n m bytes.
  static Expert fit(const Matrix& inputs, const Matrix& outputs, const Prior& prior,
                    const PooledPart& pooled);

  /// Throws InputError if the points have other columns than the training inputs or a non-finite entry.
  /// O(points n (n + dimensions + outputs)) time; memory O(n + points dimensions) beside the result. With
  /// covariance or samples, memory O(points (n + points)). Whoever asks several experts of residuals can give
  /// them the landmarks' features of the points.
  Posterior predict(const MatrixView& points, const PredictOptions& options = {},
                    const Matrix* features = nullptr) const;

  /// This expert with more rows, by extending the factor: O(n^2) for each new row. Throws as fit does, and
  /// InputError for an expert of residuals.
  Expert with(const Matrix& more_inputs, const Matrix& more_outputs) const;

  /// h of (lml), one for each output. O(1) as it was computed by fit.
  const Vector& log_marginal_likelihood() const { return log_marginal_likelihood_; }

  const Prior& prior() const { return prior_; }
  /// What had to be added to the diagonal of the covariance, mostly 0 (see cholesky.hpp).
  double jitter() const { return factor_.jitter(); }
  Index rows() const { return inputs_.rows(); }
  Index dimensions() const { return inputs_.cols(); }
  Index outputs() const { return targets_.cols(); }

  const Matrix& inputs() const { return inputs_; }
  const Matrix& targets() const { return targets_; }
  const Cholesky& factor() const { return factor_; }
  /// From the parts that those four gave.
  Expert(Matrix inputs, Matrix targets, const Prior& prior, Cholesky factor);

 private:
  Expert(Matrix inputs, Matrix targets, const Prior& prior, Cholesky factor,
         std::shared_ptr<const Landmarks> landmarks, Matrix features);

  Prior prior_;
  Matrix inputs_, targets_;
  std::shared_ptr<const Landmarks> landmarks_;      // of residuals; none for an ordinary expert
  Matrix features_;                                 // φ of the inputs then
  std::shared_ptr<const PreparedPoints> prepared_;  // the inputs, as the kernel wants them
  Cholesky factor_;                                 // L L' = K + sigma^2 I, less Φ'Φ
  Matrix whitened_;                                 // L^-1 y
  Matrix alpha_;                                    // L^-T L^-1 y
  double trace_;                                    // of K
  Vector log_marginal_likelihood_;
};

}  // namespace tacit
