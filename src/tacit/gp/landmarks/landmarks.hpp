// Landmarks: public points Z that give the rows of several parties a common representation.
//
// With L = chol(K_ZZ), the features φ(x) = L⁻¹ k(Z, x) split a kernel into two parts:
// k(x, x') = φ(x)'φ(x') + residual. The first part has one unknown per landmark, so the information of all
// rows about it is one small sum (landmark_sums.hpp). Experts with the residual kernel learn the second part
// (expert.hpp). docs/models.md has the mathematics.
//
// Threads: Landmarks are immutable; any number of threads may use them.
// Errors: InputError for points that cannot be used.
// Stopping: each call runs to its end, which is O(m³) for m landmarks.
#pragma once

#include <memory>

#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/kernel/kernel.hpp"

namespace tacit {

class PreparedPoints;

/// A set of landmarks and their kernel. Immutable, so that any number of threads may use it at the same time.
class Landmarks {
 public:
  /// Creates landmarks at m points. Throws InputError if there are no points, an entry is not finite, or two
  /// points coincide. O(m^3 + m^2 dimensions).
  Landmarks(const Matrix& points, const Kernel& kernel);

  Index count() const { return points_.rows(); }
  Index dimensions() const { return points_.cols(); }
  const Matrix& points() const { return points_; }
  const Kernel& kernel() const { return kernel_; }
  const PreparedPoints& prepared() const { return *prepared_; }
  /// Returns the factor of K_ZZ with `landmark_jitter` on the diagonal.
  const Cholesky& factor() const { return factor_; }

  /// Returns φ(x), one column for each point. |φ(x)|² ≤ k(x,x). Throws InputError if the points have another
  /// number of columns than the landmarks. O(m (m + dimensions)) for each point.
  Matrix features(const MatrixView& points) const;
  Matrix features(const PreparedPoints& points) const;

  /// Returns the residual prior variance k(x,x) − |φ(x)|², at least `least_residual` times k(x,x), for each
  /// point. `features` must be those of the points.
  Vector residual_variance(const MatrixView& points, const Matrix& features) const;

 private:
  Matrix points_;
  Kernel kernel_;
  std::shared_ptr<const PreparedPoints> prepared_;
  Cholesky factor_;
};

/// Throws InputError if the points cannot be landmarks: there are none, an entry is not finite, or two
/// coincide.
void check_landmark_points(const Matrix& points);

/// This fraction of the mean of k(z,z) is always added to the diagonal of K_ZZ. Smooth kernels make K_ZZ
/// singular to working precision, and all machines must compute the same features.
inline constexpr double landmark_jitter = 1e-10;

/// A residual variance below this fraction of k(x,x) is a rounding error.
inline constexpr double least_residual = 1e-12;

}  // namespace tacit
