// The rows' information about a function through landmarks, and the pooled part of a model that follows from
// it.
//
// A block b of rows (those of one expert) has Λ_b = K_bb − Φ_b'Φ_b + σ² I. Its A_b = Φ_b Λ_b⁻¹ Φ_b' and
// a_b = Φ_b Λ_b⁻¹ y_b are summed over blocks and parties to A and a. The posterior of the weights w in
// f(x) = φ(x)'w + residual, with prior w ~ N(0, I), has covariance S = (I + A)⁻¹ and mean μ = S a.
//
// Threads: LandmarkSums are plain values; a PooledPart is immutable and may be used by any number of
// threads.
// Errors: InputError for arguments that cannot be used, Error if a covariance cannot be factorised.
// Stopping: each call runs to its end; Committee::landmark_sums can be stopped between blocks.
#pragma once

#include <memory>
#include <utility>

#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/landmarks/landmarks.hpp"

namespace tacit {

/// The sums of one block, or of several blocks.
struct LandmarkSums {
  Matrix precision;            ///< A; only the lower triangle is defined
  Matrix weighted;             ///< a, landmarks x outputs
  double log_determinant = 0;  ///< Σ log|Λ_b|
  Vector squares;              ///< Σ y_b'Λ_b⁻¹y_b, by output
  double rows = 0;
  double jitter = 0;  ///< the largest jitter of a Λ_b

  LandmarkSums() = default;
  /// Creates the sums over no rows.
  LandmarkSums(Index landmarks, Index outputs);
  LandmarkSums& operator+=(const LandmarkSums& other);
};

/// Adds a block of rows to the sums. The prior's kernel must be that of the landmarks. Throws as Expert::of
/// does. For n rows and m landmarks it takes n m² + n² m + n³/3 + m² n operations in BLAS and LAPACK, and 8 n
/// (n + m) bytes.
void add_landmark_sums(LandmarkSums& sums, const Matrix& inputs, const Matrix& outputs, const Prior& prior,
                       const Landmarks& landmarks);

/// The pooled part of a model: the posterior of the weights. Immutable.
class PooledPart {
 public:
  /// Computes the pooled part from A and a. Throws InputError unless I + A is positive definite, as it is for
  /// sums of rows with sufficiently fine rounding.
  PooledPart(std::shared_ptr<const Landmarks> landmarks, const Matrix& precision, const Matrix& weighted);
  /// Restores a pooled part from the values of shared_landmarks(), factor() and weights().
  PooledPart(std::shared_ptr<const Landmarks> landmarks, Cholesky factor, Matrix weights)
      : landmarks_(std::move(landmarks)), factor_(std::move(factor)), weights_(std::move(weights)) {}

  const Landmarks& landmarks() const { return *landmarks_; }
  const std::shared_ptr<const Landmarks>& shared_landmarks() const { return landmarks_; }
  const Matrix& weights() const { return weights_; }  ///< μ, landmarks x outputs
  const Cholesky& factor() const { return factor_; }  ///< the factor of I + A

  /// Returns φ(x)'μ, points x outputs, given the landmarks' features of the points.
  Matrix mean(const Matrix& features) const;
  /// Returns φ(x)'Sφ(x) for each point, given the landmarks' features of the points.
  Vector variance(const Matrix& features) const;

  /// Returns the log marginal likelihood of all rows for each output, given their sums, under the covariance
  /// Φ'Φ + diag(Λ_b) (PITC): −½[Σ log|Λ_b| + log|I+A| + y'Λ⁻¹y − a'(I+A)⁻¹a + n log 2π].
  Vector log_marginal_likelihood(const LandmarkSums& sums) const;

 private:
  std::shared_ptr<const Landmarks> landmarks_;
  Cholesky factor_;
  Matrix weights_;
};

}  // namespace tacit
