// The inner loops of kernel assembly, over tiles of 16 x 16 pairs of points in aligned arrays.
//
// Only tile.cpp is compiled with -ffast-math, so that the compiler uses the vector exp of libmvec (error at
// most 4 ulp). It must not include headers with inline functions that other files use: the linker could pick
// the version that was compiled here. Tiles have a fixed size and alignment, so no loop has a tail, and equal
// input gives identical bits at any memory address.
#pragma once

#include <cstddef>

namespace tacit {

inline constexpr int tile_side = 16;
inline constexpr int tile_size = tile_side * tile_side;

/// At this exponent and below, exp counts as 0. This keeps subnormal numbers, which are slow, out of the
/// matrices.
inline constexpr double tile_lowest_exponent = -700;

/// The largest squared distance; greater ones are replaced by it. It is finite, so that 0 times it is 0.
inline constexpr double tile_farthest = 1e200;

/// Entry (row, column) is at [column * tile_side + row].
struct alignas(64) Tile {
  double at[tile_size];
};

/// Two blocks of 16 points, 64-byte aligned. Entry (point, dimension) is at [dimension * tile_side + point].
/// All entries must be finite.
struct TilePoints {
  const double* rows;
  const double* columns;
  std::ptrdiff_t dimensions;
};

/// out = scale * sum over d of weights[d] (x_row - x_column)_d^2, at most tile_farthest. If `weights` is
/// null, all weights are 1. Differences are computed directly: at these sizes that costs no more than
/// |x|^2 + |x'|^2 - 2 x.x' and does not lose digits far from the origin.
void tile_squares(TilePoints points, const double* weights, double scale, Tile& out);

/// out = scale * sum over d of weights[d] x_row,d x_column,d.
void tile_products(TilePoints points, const double* weights, double scale, Tile& out);

// Kernels as functions of r^2, the scaled squared distance: value = variance g(r^2) and
// slope = -2 variance g'(r^2), so that d value / d log lengthscale_d = slope times dimension d's part of r^2.
// Output tiles must be distinct from input tiles.

/// g = exp(-r^2 / 2). Its slope equals its value.
void tile_squared_exponential(const Tile& squares, double variance, Tile& value);
/// The Matérn kernels with nu = 1/2, 3/2 and 5/2.
void tile_matern12(const Tile& squares, double variance, Tile& value, Tile& slope);
void tile_matern32(const Tile& squares, double variance, Tile& value, Tile& slope);
void tile_matern52(const Tile& squares, double variance, Tile& value, Tile& slope);
/// g = (1 + r^2 / (2 alpha))^-alpha, and alpha_slope = d value / d log alpha.
void tile_rational_quadratic(const Tile& squares, double alpha, double variance, Tile& value, Tile& slope,
                             Tile& alpha_slope);

void tile_add(const Tile& a, const Tile& b, Tile& out);
void tile_multiply(const Tile& a, const Tile& b, Tile& out);

/// Return the sum over all entries of a b, and of a b c.
double tile_dot(const Tile& a, const Tile& b);
double tile_dot(const Tile& a, const Tile& b, const Tile& c);

/// sums[d] += sum over pairs of weight (x_row - x_column)_d^2.
void tile_weighted_squares(TilePoints points, const Tile& weights, double* sums);
/// sums[d] += sum over pairs of weight x_row,d x_column,d.
void tile_weighted_products(TilePoints points, const Tile& weights, double* sums);

/// Returns the sum over pairs of weight times the sum over d of
/// sin(a_row - a_column)_d (a_row - a_column)_d / l_d^2. The columns of the points are cos a / l, then
/// sin a / l, then a. `points.dimensions` is the dimension of a.
double tile_weighted_turns(TilePoints points, const Tile& weights);

}  // namespace tacit
