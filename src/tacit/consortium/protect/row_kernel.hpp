// The squared exponential kernel between one row and all landmarks, and the product of a matrix and a vector,
// in plain loops of fixed order. The result for a row is the same to the bit whatever other rows there are,
// and on all machines with IEEE arithmetic: no library function is called, and no product is fused with a
// sum.
//
// Threads: plain functions.
// Errors: none; arguments are not checked.
// Stopping: nothing here takes long.
#pragma once

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// Writes k(z_j, x) = variance · exp(-½ Σ_d (z_jd - x_d)²) for landmarks with one row each (column-major), in
/// units of the length-scales.
void kernel_with_landmarks(const double* landmarks, Index count, Index dimensions, const double* x,
                           double variance, double* out);

/// out = A v, for a column-major matrix.
void plain_product(const double* a, Index rows, Index columns, const double* v, double* out);

/// Returns |v|².
double plain_square(const double* v, Index size);

}  // namespace tacit
