// One safe Cholesky factorisation for every covariance matrix.
#pragma once

#include <functional>
#include <optional>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// A = L L'. Made by `safe_cholesky`.
class Cholesky {
 public:
  Index rows() const { return lower_.rows(); }
  /// What had to be added to the diagonal of A, mostly 0.
  double jitter() const { return jitter_; }
  /// Only the lower triangle is meaningful.
  const Matrix& lower() const { return lower_; }

  /// log det A. O(n).
  double log_determinant() const;
  /// b becomes L^-1 b, in place. O(n^2) for each column.
  void solve_lower(Matrix& b) const;
  /// b becomes L^-T b, in place, so that both in turn solve A x = b. O(n^2) for each column.
  void solve_upper(Matrix& b) const;
  /// The lower triangle of A^-1; uses up the factor. 2n^3/3 operations.
  Matrix inverse() &&;

  /// The factor of [A, cross; cross', corner] of which the lower triangle of the corner is read. A's jitter
  /// is added to it too. Nothing if a pivot of the corner is unusable. n^2 m + n m^2 operations instead of
  /// the (n + m)^3 / 3 of a new factor.
  std::optional<Cholesky> extended(Matrix cross, Matrix corner) const;

  /// From what lower() and jitter() gave, as saved.
  static Cholesky restored(Matrix lower, double jitter);

 private:
  friend Cholesky safe_cholesky(Index, const std::function<void(Matrix&)>&);
  Matrix lower_;
  double jitter_ = 0;
};

/// Factorises the n x n matrix whose lower triangle `fill` writes. A covariance matrix can fail only by
/// rounding, when rows (nearly) coincide and the noise is tiny. So the matrix is tried as it is, then with
/// jitter on the diagonal of 1e-12, 1e-11, ... 1e-6 times its mean; `fill` is called again for each try,
/// which saves a copy in the usual case. A pivot at rounding level counts as failure: what follows from it
/// would be noise.
///
/// n^3/3 operations in LAPACK. Throws Error if an entry is not finite, naming row and column, and if the
/// largest jitter does not help, naming likely cause and cure.
Cholesky safe_cholesky(Index n, const std::function<void(Matrix&)>& fill);

/// The same for a given symmetric matrix, of which only the lower triangle is read.
Cholesky safe_cholesky(const Matrix& symmetric);

}  // namespace tacit
