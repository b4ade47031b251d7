// What rows say about a function seen through landmarks, and the pooled part of a model that follows from it.
//
// A block b of rows (an expert's) has Λ_b = K_bb − Φ_b'Φ_b + σ² I. Its A_b = Φ_b Λ_b⁻¹ Φ_b' and
// a_b = Φ_b Λ_b⁻¹ y_b add up over blocks and parties, and give everybody S = (I + A)⁻¹ and μ = S a: what is
// known of the weights w in f(x) = φ(x)'w + residual, for w ~ N(0, I) beforehand.
#pragma once

#include <memory>
#include <utility>

#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/landmarks/landmarks.hpp"

namespace tacit {

/// Of one block, or added up over blocks.
struct LandmarkSums {
  Matrix precision;            ///< A, of which the lower triangle is meaningful
  Matrix weighted;             ///< a, landmarks x outputs
  double log_determinant = 0;  ///< Σ log|Λ_b|
  Vector squares;              ///< Σ y_b'Λ_b⁻¹y_b, by output
  double rows = 0;
  double jitter = 0;  ///< the largest that a Λ_b needed

  LandmarkSums() = default;
  LandmarkSums(Index landmarks, Index outputs);
  LandmarkSums& operator+=(const LandmarkSums& other);
};

/// Adds a block's to the sums. The prior's kernel is that of the landmarks. Throws as Expert::fit does. For n
/// rows and m landmarks n m² + n² m + n³/3 + m² n operations in BLAS and LAPACK; 8 n (n + m) bytes.
void add_landmark_sums(LandmarkSums& sums, const Matrix& inputs, const Matrix& outputs, const Prior& prior,
                       const Landmarks& landmarks);

/// The pooled part of a model. Immutable.
class PooledPart {
 public:
  /// Throws InputError unless I + A is positive definite, which it is for sums of rows rounded finely enough.
  PooledPart(std::shared_ptr<const Landmarks> landmarks, const Matrix& precision, const Matrix& weighted);
  /// From the parts that the next three give.
  PooledPart(std::shared_ptr<const Landmarks> landmarks, Cholesky factor, Matrix weights)
      : landmarks_(std::move(landmarks)), factor_(std::move(factor)), weights_(std::move(weights)) {}

  const Landmarks& landmarks() const { return *landmarks_; }
  const std::shared_ptr<const Landmarks>& shared_landmarks() const { return landmarks_; }
  const Matrix& weights() const { return weights_; }  ///< μ, landmarks x outputs
  const Cholesky& factor() const { return factor_; }  ///< of I + A

  /// φ(x)'μ, points x outputs, and φ(x)'Sφ(x), given the landmarks' features of the points.
  Matrix mean(const Matrix& features) const;
  Vector variance(const Matrix& features) const;

  /// −½[Σ log|Λ_b| + log|I+A| + y'Λ⁻¹y − a'(I+A)⁻¹a + n log 2π], by output: that of all rows under the
  /// covariance Φ'Φ + diag(Λ_b) (PITC).
  Vector log_marginal_likelihood(const LandmarkSums& sums) const;

 private:
  std::shared_ptr<const Landmarks> landmarks_;
  Cholesky factor_;
  Matrix weights_;
};

}  // namespace tacit
