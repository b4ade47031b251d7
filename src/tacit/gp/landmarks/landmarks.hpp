// Landmarks: public points Z through which rows of several parties are seen alike.
//
// With L = chol(K_ZZ) the features φ(x) = L⁻¹ k(Z, x) split a kernel in two: k(x, x') = φ(x)'φ(x') + a
// residual. The first part has as many unknowns as there are landmarks, so what all rows say about it is one
// small sum (landmark_sums.hpp); the second is left to experts with the residual kernel (expert.hpp).
// docs/models.md has the mathematics.
#pragma once

#include <memory>

#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/kernel/kernel.hpp"

namespace tacit {

class PreparedPoints;

/// Immutable: any number of threads may use it at once.
class Landmarks {
 public:
  /// Throws InputError for no points, points with non-finite entries, and two that coincide. O(m^3 + m^2
  /// dimensions).
  Landmarks(const Matrix& points, const Kernel& kernel);

  Index count() const { return points_.rows(); }
  Index dimensions() const { return points_.cols(); }
  const Matrix& points() const { return points_; }
  const Kernel& kernel() const { return kernel_; }
  const PreparedPoints& prepared() const { return *prepared_; }
  /// Of K_ZZ with `landmark_jitter` on the diagonal.
  const Cholesky& factor() const { return factor_; }

  /// φ(x), one column for each point. |φ(x)|² ≤ k(x,x). Throws InputError for points with other columns. O(m
  /// (m + dimensions)) for each.
  Matrix features(const MatrixView& points) const;
  Matrix features(const PreparedPoints& points) const;

  /// k(x,x) − |φ(x)|², what landmarks leave unexplained; never less than `least_residual` of k(x,x).
  Vector residual_variance(const MatrixView& points, const Matrix& features) const;

 private:
  Matrix points_;
  Kernel kernel_;
  std::shared_ptr<const PreparedPoints> prepared_;
  Cholesky factor_;
};

/// Throws InputError for points that cannot be landmarks of any kernel, as above.
void check_landmark_points(const Matrix& points);

/// This part of the mean of k(z,z) is always added to the diagonal of K_ZZ: smooth kernels make it singular
/// to working precision, and all machines must find the same features.
inline constexpr double landmark_jitter = 1e-10;

/// A residual variance below this part of k(x,x) is rounding.
inline constexpr double least_residual = 1e-12;

}  // namespace tacit
