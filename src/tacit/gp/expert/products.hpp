// Products of matrices by BLAS, for this room. Threads are BLAS's own (blas_threads.hpp).
#pragma once

#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// out = factor a' b + keep out.
void transposed_product(const Matrix& a, const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> out,
                        double factor = 1, double keep = 0);

/// out += a b.
void add_product(const Matrix& a, const Matrix& b, Matrix& out);

/// The lower triangle of out -= a' a, and of out += a a'.
void subtract_inner(const Matrix& a, Matrix& out);
void add_outer(const Matrix& a, Matrix& out);

/// b becomes b L^-T, in place.
void solve_from_right(const Cholesky& factor, Matrix& b);

}  // namespace tacit
