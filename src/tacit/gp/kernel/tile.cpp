#include "tacit/gp/kernel/tile.hpp"

#include <math.h>  // not <cmath>, whose inline functions other files use

#include "tacit/base/simd.hpp"

// exp(exponent), or 0 at the lowest exponent and below. It is a macro because an inline function would be
// compiled for the baseline processor only.
#define TACIT_TILE_EXP(exponent) \
  ((exponent) <= tile_lowest_exponent ? 0.0 : exp((exponent) < -710 ? -710 : (exponent)))

namespace tacit {

TACIT_SIMD void tile_squares(TilePoints points, const double* weights, double scale, Tile& out) {
  const double* const rows = static_cast<const double*>(__builtin_assume_aligned(points.rows, 64));
  double* const result = out.at;
  for (int column = 0; column < tile_side; ++column) {
    double sum[tile_side] = {};  // stays in registers
    for (std::ptrdiff_t k = 0; k < points.dimensions; ++k) {
      const double x = points.columns[k * tile_side + column];
      const double weight = weights ? weights[k] : 1;
      for (int row = 0; row < tile_side; ++row) {
        const double difference = rows[k * tile_side + row] - x;
        sum[row] += weight * (difference * difference);
      }
    }
    for (int row = 0; row < tile_side; ++row) result[column * tile_side + row] = sum[row];
  }
  for (int i = 0; i < tile_size; ++i) {
    const double squares = scale * result[i];
    result[i] = squares < tile_farthest ? squares : tile_farthest;
  }
}

TACIT_SIMD void tile_products(TilePoints points, const double* weights, double scale, Tile& out) {
  const double* const rows = static_cast<const double*>(__builtin_assume_aligned(points.rows, 64));
  double* const result = out.at;
  for (int column = 0; column < tile_side; ++column) {
    double sum[tile_side] = {};
    for (std::ptrdiff_t k = 0; k < points.dimensions; ++k) {
      const double x = points.columns[k * tile_side + column] * (weights ? weights[k] : 1);
      for (int row = 0; row < tile_side; ++row) sum[row] += rows[k * tile_side + row] * x;
    }
    for (int row = 0; row < tile_side; ++row) result[column * tile_side + row] = scale * sum[row];
  }
}

TACIT_SIMD void tile_squared_exponential(const Tile& squares, double variance, Tile& value) {
  const double* const __restrict square = squares.at;
  double* const __restrict result = value.at;
  for (int i = 0; i < tile_size; ++i) {
    const double exponent = -0.5 * square[i];
    result[i] = variance * TACIT_TILE_EXP(exponent);
  }
}

TACIT_SIMD void tile_matern12(const Tile& squares, double variance, Tile& value, Tile& slope) {
  const double* const __restrict square = squares.at;
  double* const __restrict result = value.at;
  double* const __restrict rate = slope.at;
  for (int i = 0; i < tile_size; ++i) {
    const double r = sqrt(square[i]);
    result[i] = variance * TACIT_TILE_EXP(-r);
    // The slope is multiplied by parts of r^2, which are 0 where r is 0.
    rate[i] = r > 1e-150 ? result[i] / r : 0;
  }
}

TACIT_SIMD void tile_matern32(const Tile& squares, double variance, Tile& value, Tile& slope) {
  const double* const __restrict square = squares.at;
  double* const __restrict result = value.at;
  double* const __restrict rate = slope.at;
  for (int i = 0; i < tile_size; ++i) {
    const double r = sqrt(3 * square[i]);
    const double e = variance * TACIT_TILE_EXP(-r);
    result[i] = (1 + r) * e;
    rate[i] = 3 * e;
  }
}

TACIT_SIMD void tile_matern52(const Tile& squares, double variance, Tile& value, Tile& slope) {
  const double* const __restrict square = squares.at;
  double* const __restrict result = value.at;
  double* const __restrict rate = slope.at;
  for (int i = 0; i < tile_size; ++i) {
    const double r = sqrt(5 * square[i]);
    const double e = variance * TACIT_TILE_EXP(-r);
    result[i] = (1 + r + (5.0 / 3) * square[i]) * e;
    rate[i] = (5.0 / 3) * (1 + r) * e;
  }
}

TACIT_SIMD void tile_rational_quadratic(const Tile& squares, double alpha, double variance, Tile& value,
                                        Tile& slope, Tile& alpha_slope) {
  const double* const __restrict square = squares.at;
  double* const __restrict result = value.at;
  double* const __restrict rate = slope.at;
  double* const __restrict alpha_rate = alpha_slope.at;
  for (int i = 0; i < tile_size; ++i) {
    const double u = square[i] / (2 * alpha);
    const double logarithm = log1p(u);
    const double exponent = -alpha * logarithm;
    result[i] = variance * TACIT_TILE_EXP(exponent);
    rate[i] = result[i] / (1 + u);
    alpha_rate[i] = result[i] * alpha * (u / (1 + u) - logarithm);
  }
}

TACIT_SIMD void tile_add(const Tile& a, const Tile& b, Tile& out) {
  for (int i = 0; i < tile_size; ++i) out.at[i] = a.at[i] + b.at[i];
}

TACIT_SIMD void tile_multiply(const Tile& a, const Tile& b, Tile& out) {
  for (int i = 0; i < tile_size; ++i) out.at[i] = a.at[i] * b.at[i];
}

TACIT_SIMD double tile_dot(const Tile& a, const Tile& b) {
  double sum = 0;
  for (int i = 0; i < tile_size; ++i) sum += a.at[i] * b.at[i];
  return sum;
}

TACIT_SIMD double tile_dot(const Tile& a, const Tile& b, const Tile& c) {
  double sum = 0;
  for (int i = 0; i < tile_size; ++i) sum += a.at[i] * b.at[i] * c.at[i];
  return sum;
}

TACIT_SIMD void tile_weighted_squares(TilePoints points, const Tile& weights, double* sums) {
  const double* const rows = static_cast<const double*>(__builtin_assume_aligned(points.rows, 64));
  for (std::ptrdiff_t k = 0; k < points.dimensions; ++k) {
    double sum[tile_side] = {};
    for (int column = 0; column < tile_side; ++column) {
      const double x = points.columns[k * tile_side + column];
      for (int row = 0; row < tile_side; ++row) {
        const double difference = rows[k * tile_side + row] - x;
        const double square = difference * difference;
        sum[row] += weights.at[column * tile_side + row] * (square < tile_farthest ? square : tile_farthest);
      }
    }
    double total = 0;
    for (int row = 0; row < tile_side; ++row) total += sum[row];
    sums[k] += total;
  }
}

TACIT_SIMD void tile_weighted_products(TilePoints points, const Tile& weights, double* sums) {
  const double* const rows = static_cast<const double*>(__builtin_assume_aligned(points.rows, 64));
  for (std::ptrdiff_t k = 0; k < points.dimensions; ++k) {
    double total = 0;
    for (int column = 0; column < tile_side; ++column) {
      double sum = 0;
      for (int row = 0; row < tile_side; ++row)
        sum += weights.at[column * tile_side + row] * rows[k * tile_side + row];
      total += sum * points.columns[k * tile_side + column];
    }
    sums[k] += total;
  }
}

TACIT_SIMD double tile_weighted_turns(TilePoints points, const Tile& weights) {
  const double* const rows = static_cast<const double*>(__builtin_assume_aligned(points.rows, 64));
  const double* const columns = points.columns;
  const std::ptrdiff_t d = points.dimensions;
  double total = 0;
  for (std::ptrdiff_t k = 0; k < d; ++k) {
    const std::ptrdiff_t cosine = k * tile_side, sine = (d + k) * tile_side, angle = (2 * d + k) * tile_side;
    double sum[tile_side] = {};
    for (int column = 0; column < tile_side; ++column)
      for (int row = 0; row < tile_side; ++row) {
        const double turned =
            rows[sine + row] * columns[cosine + column] - rows[cosine + row] * columns[sine + column];
        sum[row] +=
            weights.at[column * tile_side + row] * turned * (rows[angle + row] - columns[angle + column]);
      }
    for (int row = 0; row < tile_side; ++row) total += sum[row];
  }
  return total;
}

}  // namespace tacit
