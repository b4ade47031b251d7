#include "tacit/gp/expert/cholesky.hpp"

#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"

namespace tacit {
namespace {

constexpr double first_jitter = 1e-12;
constexpr double last_jitter = 1e-6;
constexpr double smallest_pivot = 4 * std::numeric_limits<double>::epsilon();

int blas_int(Index n) {
  if (n > std::numeric_limits<int>::max())
    throw Error(fmt::format("{} rows exceed the limit of LAPACK; use fewer rows", n));
  return static_cast<int>(n);
}

/// Factorises in place. Returns the first row with an unusable pivot, or -1 if there is none.
Index factorise(Matrix& a) {
  const Vector diagonal = a.diagonal();
  const int n = blas_int(a.rows());
  const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a.data(), std::max(n, 1));
  if (info > 0) return info - 1;
  for (Index i = 0; i < a.rows(); ++i)
    if (!(a(i, i) * a(i, i) > smallest_pivot * diagonal(i))) return i;
  return -1;
}

void triangular_solve(const Matrix& lower, CBLAS_TRANSPOSE transpose, Matrix& b) {
  if (b.rows() != lower.rows())
    throw InputError(
        fmt::format("the right-hand side has {} rows, but the factor has {}", b.rows(), lower.rows()));
  if (b.size() == 0) return;
  const int n = blas_int(lower.rows());
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transpose, CblasNonUnit, n, blas_int(b.cols()), 1.0,
              lower.data(), n, b.data(), n);
}

}  // namespace

double Cholesky::log_determinant() const { return 2 * lower_.diagonal().array().log().sum(); }

void Cholesky::solve_lower(Matrix& b) const { triangular_solve(lower_, CblasNoTrans, b); }

void Cholesky::solve_upper(Matrix& b) const { triangular_solve(lower_, CblasTrans, b); }

Matrix Cholesky::inverse() && {
  const int n = blas_int(lower_.rows());
  // This can fail only on a zero pivot, which safe_cholesky excludes.
  LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, lower_.data(), std::max(n, 1));
  return std::move(lower_);
}

std::optional<Cholesky> Cholesky::extended(Matrix cross, Matrix corner) const {
  const Index n = rows(), m = corner.rows();
  solve_lower(cross);  // L^-1 cross; its transpose forms the rows below L
  const Vector prior = corner.diagonal();
  corner.diagonal().array() += jitter_;
  if (cross.size() > 0)
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, blas_int(m), blas_int(n), -1.0, cross.data(),
                blas_int(n), 1.0, corner.data(), blas_int(m));
  // The remaining variance of a new row must exceed the rounding error of its prior variance.
  if (factorise(corner) >= 0) return {};
  for (Index i = 0; i < m; ++i)
    if (!(corner(i, i) * corner(i, i) > smallest_pivot * prior(i))) return {};
  Cholesky result;
  result.jitter_ = jitter_;
  result.lower_.resize(n + m, n + m);
  result.lower_.topLeftCorner(n, n) = lower_;
  result.lower_.bottomLeftCorner(m, n) = cross.transpose();
  result.lower_.bottomRightCorner(m, m) = corner;
  return result;
}

Cholesky Cholesky::restored(Matrix lower, double jitter) {
  Cholesky result;
  result.lower_ = std::move(lower);
  result.jitter_ = jitter;
  return result;
}

Cholesky safe_cholesky(Index n, const std::function<void(Matrix&)>& fill) {
  Cholesky result;
  Matrix& a = result.lower_;
  a.resize(n, n);
  fill(a);
  if (const MatrixPosition bad = find_non_finite_lower(a))
    throw Error(fmt::format(
        "covariance matrix: the entry at row {}, column {} (from 0) is {}; look for extreme values "
        "in the inputs or the hyperparameters",
        bad.row, bad.column, a(bad.row, bad.column)));
  const double mean_diagonal = n > 0 ? a.diagonal().mean() : 1;
  Index bad_row = factorise(a);
  for (double relative = first_jitter; bad_row >= 0; relative *= 10) {
    if (relative > last_jitter * 1.5 || !(mean_diagonal > 0))
      throw Error(
          fmt::format("covariance matrix of {} rows is not positive definite at row {} (from 0), even with "
                      "{:.3g} added to its diagonal; rows may be duplicates and the noise too small: remove "
                      "duplicate rows or raise the noise",
                      n, bad_row, result.jitter_));
    result.jitter_ = relative * mean_diagonal;
    fill(a);
    a.diagonal().array() += result.jitter_;
    bad_row = factorise(a);
  }
  return result;
}

Cholesky safe_cholesky(const Matrix& symmetric) {
  if (symmetric.rows() != symmetric.cols())
    throw InputError(fmt::format("a {} x {} matrix cannot be a covariance; give a square one",
                                 symmetric.rows(), symmetric.cols()));
  return safe_cholesky(symmetric.rows(), [&](Matrix& a) { a = symmetric; });
}

}  // namespace tacit
