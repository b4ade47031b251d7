// Exact Gaussian-process regression on one set of rows.
//
//   const Expert expert = Expert::fit(inputs, outputs, {.lengthscale = 2, .signal = 1, .noise = 0.1});
//   const Posterior p = expert.predict(points);
#pragma once

#include <cstddef>

#include "tacit/gp/cholesky.hpp"
#include "tacit/gp/kernel.hpp"
#include "tacit/gp/matrix.hpp"
#include "tacit/gp/packed_rows.hpp"

namespace tacit {

/// What an expert believes at some points (posterior). Outputs that share inputs and hyperparameters share
/// variances.
struct Posterior {
  Matrix mean;               ///< points x outputs
  Vector latent_variance;    ///< V(x), of the function itself, as in the paper
  Vector observed_variance;  ///< of a new noisy observation: latent + noise^2
  std::size_t clamped = 0;   ///< at how many points rounding had taken V(x) visibly under `variance_floor`
};

/// The smallest latent variance that is reported. `rows` noisy observations at x itself would leave
/// k s^2 / (s^2 + rows k) with k = k(x, x) and s the noise, and no other data leave less, so a smaller V(x)
/// is a rounding error; nor is anything under k times the machine epsilon meaningful. It follows that
/// 1 / V(x) <= 1 / k + rows / s^2, also for what is computed.
double variance_floor(const Hyperparameters& h, Index rows);

/// A fitted Gaussian process with zero prior mean. Several outputs share one Cholesky factor. Immutable: any
/// number of threads may predict at once.
class Expert {
 public:
  /// Throws InputError for unusable hyperparameters, no rows, different numbers of rows, or non-finite
  /// entries, naming row and column; Error if the covariance cannot be factorised. O(n^3 + n^2 (dimensions +
  /// outputs)) time, 8 n^2 bytes.
  static Expert fit(const Matrix& inputs, const Matrix& outputs, const Hyperparameters& hyperparameters);

  /// Throws InputError if the points have other columns than the training inputs or a non-finite entry.
  /// O(points n (n + dimensions + outputs)) time; memory O(n + points dimensions) beside the result.
  Posterior predict(const Matrix& points) const;

  /// h of (lml), one for each output. O(1) as it was computed by fit.
  const Vector& log_marginal_likelihood() const { return log_marginal_likelihood_; }

  const Hyperparameters& hyperparameters() const { return hyperparameters_; }
  /// What had to be added to the diagonal of the covariance, 0 mostly (see cholesky.hpp).
  double jitter() const { return factor_.jitter(); }
  Index rows() const { return inputs_.rows(); }
  Index dimensions() const { return inputs_.dimensions(); }
  Index outputs() const { return whitened_.cols(); }

 private:
  Expert(PackedRows inputs, Cholesky factor, Matrix whitened, const Hyperparameters& hyperparameters);

  Hyperparameters hyperparameters_;
  PackedRows inputs_;
  Cholesky factor_;  // L L' = K + sigma^2 I
  Matrix whitened_;  // L^-1 y
  Vector log_marginal_likelihood_;
};

}  // namespace tacit
