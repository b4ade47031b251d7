// Cholesky factorisation of covariance matrices, with jitter where it is needed.
//
// Threads: immutable once made; any number of threads may use a factorisation.
// Errors: Error if a matrix cannot be factorised.
// Stopping: a factorisation runs to its end, in LAPACK.
#pragma once

#include <functional>
#include <optional>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// The factorisation A = L L' of a covariance matrix. Created by `safe_cholesky`.
class Cholesky {
 public:
  Index rows() const { return lower_.rows(); }
  /// Returns the jitter that was added to the diagonal of A, usually 0.
  double jitter() const { return jitter_; }
  /// Returns L. Only the lower triangle of the matrix is defined.
  const Matrix& lower() const { return lower_; }

  /// Returns log det A. O(n).
  double log_determinant() const;
  /// Replaces b by L^-1 b. O(n^2) for each column.
  void solve_lower(Matrix& b) const;
  /// Replaces b by L^-T b. After solve_lower, this solves A x = b. O(n^2) for each column.
  void solve_upper(Matrix& b) const;
  /// Returns the lower triangle of A^-1 and consumes the factor. 2n^3/3 operations.
  Matrix inverse() &&;

  /// Returns the factor of [A, cross; cross', corner]. Only the lower triangle of `corner` is read. The
  /// jitter of A is also added to the diagonal of `corner`. Returns nothing if a pivot of the corner is
  /// unusable. Takes n^2 m + n m^2 operations, compared with (n + m)^3 / 3 for a new factorisation.
  std::optional<Cholesky> extended(Matrix cross, Matrix corner) const;

  /// Returns the factorisation with these values of lower() and jitter(), for example from a file.
  static Cholesky restored(Matrix lower, double jitter);

 private:
  friend Cholesky safe_cholesky(Index, const std::function<void(Matrix&)>&);
  Matrix lower_;
  double jitter_ = 0;
};

/// Factorises the n x n matrix whose lower triangle `fill` writes. The factorisation of a covariance matrix
/// can fail only because of rounding, if rows nearly coincide and the noise is tiny. It is tried without
/// jitter, then with jitter of 1e-12, 1e-11, ... 1e-6 times the mean of the diagonal. `fill` is called again
/// for each attempt, which avoids a copy in the usual case. A pivot at rounding level counts as a failure,
/// because results based on it would be meaningless.
///
/// Takes n^3/3 operations in LAPACK. Throws Error if an entry is not finite, naming row and column, and if
/// the largest jitter is insufficient, naming the likely cause and the remedy.
Cholesky safe_cholesky(Index n, const std::function<void(Matrix&)>& fill);

/// Factorises a symmetric matrix, of which only the lower triangle is read.
Cholesky safe_cholesky(const Matrix& symmetric);

}  // namespace tacit
