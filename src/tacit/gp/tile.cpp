#include "tacit/gp/tile.hpp"

#include <math.h>  // not <cmath>, which has inline code that others share

#include "tacit/base/simd.hpp"

namespace tacit {

TACIT_SIMD void tile_exponents(const double* rows, const double* columns, std::ptrdiff_t dimensions,
                               double scale, Tile& out) {
  rows = static_cast<const double*>(__builtin_assume_aligned(rows, 64));
  double* const result = out.at;
  for (int column = 0; column < tile_side; ++column) {
    double sum[tile_side] = {};  // lives in registers
    for (std::ptrdiff_t k = 0; k < dimensions; ++k) {
      const double x = columns[k * tile_side + column];
      for (int row = 0; row < tile_side; ++row) {
        const double difference = rows[k * tile_side + row] - x;
        sum[row] += difference * difference;
      }
    }
    for (int row = 0; row < tile_side; ++row) result[column * tile_side + row] = sum[row];
  }
  for (int i = 0; i < tile_size; ++i) {
    const double exponent = scale * result[i];
    result[i] = exponent < tile_lowest_exponent ? tile_lowest_exponent : exponent;
  }
}

TACIT_SIMD void tile_exp(const Tile& exponents, double variance, Tile& out) {
  const double* const __restrict exponent = exponents.at;
  double* const __restrict result = out.at;
  for (int i = 0; i < tile_size; ++i)
    result[i] = exponent[i] <= tile_lowest_exponent ? 0.0 : variance * exp(exponent[i]);
}

TACIT_SIMD TileSums tile_sums(const Tile& weights, const Tile& kernel, const Tile& exponents) {
  double sum = 0;
  double sum_exponent = 0;
  for (int i = 0; i < tile_size; ++i) {
    const double product = weights.at[i] * kernel.at[i];
    sum += product;
    sum_exponent += product * exponents.at[i];
  }
  return {sum, sum_exponent};
}

}  // namespace tacit
