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

/// An exponent at or under this counts as exp = 0. It keeps subnormal numbers, which are slow, out of the
/// matrices.
inline constexpr double tile_lowest_exponent = -700;

/// Entry (row, column) is at [column * tile_side + row].
struct alignas(64) Tile {
  double at[tile_size];
};

/// out = max(scale * |x_row - x_column|^2, tile_lowest_exponent). `rows` and `columns` point to 16 points
/// each, 64-byte aligned, entry (point, dimension) at [dimension * tile_side + point]. Differences are taken
/// directly, which costs no more than |x|^2 + |x'|^2 - 2 x.x' at these sizes and loses no digits far from the
/// origin. All must be finite.
void tile_exponents(const double* rows, const double* columns, std::ptrdiff_t dimensions, double scale,
                    Tile& out);

/// out = variance * exp(exponent), 0 at the lowest exponent. `out` is another tile than `exponents`.
void tile_exp(const Tile& exponents, double variance, Tile& out);

struct TileSums {
  double kernel = 0;           ///< sum of weight * kernel
  double kernel_exponent = 0;  ///< sum of weight * kernel * exponent
};
TileSums tile_sums(const Tile& weights, const Tile& kernel, const Tile& exponents);

}  // namespace tacit
