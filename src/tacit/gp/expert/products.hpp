// Matrix products by BLAS, internal to this room. BLAS uses its own threads (blas_threads.hpp).
#pragma once

#include "tacit/gp/expert/cholesky.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// out = factor a' b + keep out.
void transposed_product(const Matrix& a, const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> out,
                        double factor = 1, double keep = 0);

/// out += a b.
void add_product(const Matrix& a, const Matrix& b, Matrix& out);

/// out -= a' a, lower triangle only.
void subtract_inner(const Matrix& a, Matrix& out);
/// out += a a', lower triangle only.
void add_outer(const Matrix& a, Matrix& out);

/// Replaces b by b L^-T.
void solve_from_right(const Cholesky& factor, Matrix& b);

}  // namespace tacit
