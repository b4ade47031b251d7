// The inner loops of kernel assembly, over tiles of 16 x 16 pairs of points held in plain aligned arrays.
//
// tile.cpp alone is compiled with -ffast-math, so that the compiler takes the vector exp of libmvec (at most
// 4 ulp off). It includes no header with inline code that others share: such code, compiled there, could
// replace theirs. Tiles have a fixed size and alignment, so no loop has a tail and equal input gives equal
// bits wherever it lies in memory.
#pragma once

#include <cstddef>

namespace tacit {

inline constexpr int tile_side = 16;
inline constexpr int tile_size = tile_side * tile_side;

/// An exponent at or under this counts as exp = 0. It keeps subnormal numbers, which are slow, out
/// of the matrices.
inline constexpr double tile_lowest_exponent = -700;

/// Squared distances beyond this count as this, so that 0 times such a distance is 0.
inline constexpr double tile_farthest = 1e200;

/// Entry (row, column) is at [column * tile_side + row].
struct alignas(64) Tile {
  double at[tile_size];
};

/// 16 points each, 64-byte aligned, entry (point, dimension) at [dimension * tile_side + point]; all finite.
struct TilePoints {
  const double* rows;
  const double* columns;
  std::ptrdiff_t dimensions;
};

/// out = scale * sum over d of weights[d] (x_row - x_column)_d^2, at most tile_farthest; without weights all
/// are 1. Differences are taken directly, which costs no more than |x|^2 + |x'|^2 - 2 x.x' at these sizes and
/// loses no digits far from the origin.
void tile_squares(TilePoints points, const double* weights, double scale, Tile& out);

/// out = scale * sum over d of weights[d] x_row,d x_column,d.
void tile_products(TilePoints points, const double* weights, double scale, Tile& out);

// Kernels of r^2, the scaled squared distance: value = variance g(r^2) and slope = -2 variance g'(r^2), so
// that d value / d log lengthscale_d = slope times the part of r^2 that comes from d. Output tiles must not
// be input tiles.

/// g = exp(-r^2 / 2); its slope is its value.
void tile_squared_exponential(const Tile& squares, double variance, Tile& value);
/// nu = 1/2, 3/2, 5/2.
void tile_matern12(const Tile& squares, double variance, Tile& value, Tile& slope);
void tile_matern32(const Tile& squares, double variance, Tile& value, Tile& slope);
void tile_matern52(const Tile& squares, double variance, Tile& value, Tile& slope);
/// g = (1 + r^2 / (2 alpha))^-alpha; alpha_slope = d value / d log alpha.
void tile_rational_quadratic(const Tile& squares, double alpha, double variance, Tile& value, Tile& slope,
                             Tile& alpha_slope);

void tile_add(const Tile& a, const Tile& b, Tile& out);
void tile_multiply(const Tile& a, const Tile& b, Tile& out);

/// The sum of all entries of a b, and of a b c.
double tile_dot(const Tile& a, const Tile& b);
double tile_dot(const Tile& a, const Tile& b, const Tile& c);

/// sums[d] += sum over pairs of weight (x_row - x_column)_d^2.
void tile_weighted_squares(TilePoints points, const Tile& weights, double* sums);
/// sums[d] += sum over pairs of weight x_row,d x_column,d.
void tile_weighted_products(TilePoints points, const Tile& weights, double* sums);

/// For points whose columns are cos a / l, then sin a / l, then a: the sum over pairs of weight times the sum
/// over d of sin(a_row - a_column)_d (a_row - a_column)_d / l_d^2. `points.dimensions` is that of a.
double tile_weighted_turns(TilePoints points, const Tile& weights);

}  // namespace tacit
