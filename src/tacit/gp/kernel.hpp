// The squared-exponential kernel (kernel): k(x, x') = signal^2 exp(-|x - x'|^2 / (2 lengthscale^2)).
#pragma once

#include "tacit/gp/matrix.hpp"
#include "tacit/gp/packed_rows.hpp"
#include "tacit/gp/tile.hpp"

namespace tacit {

/// In the convention of Rasmussen and Williams. `lengthscale` has the unit of the inputs, `signal` and
/// `noise` are standard deviations in the unit of the outputs.
struct Hyperparameters {
  double lengthscale = 1;  ///< theta_l
  double signal = 1;       ///< theta_s
  double noise = 0.1;      ///< sigma_epsilon
};

/// Throws InputError, naming the parameter and its value, unless all three lie between 1e-100 and 1e100: the
/// paper assumes them positive, and their squares must stay ordinary numbers.
void check_hyperparameters(const Hyperparameters& h);

/// k(a_i, b_j) for all rows of both, rows(a) x rows(b). Throws InputError for bad hyperparameters, non-finite
/// entries or different numbers of columns. O(rows(a) rows(b) dimensions). Accurate to a few units in the
/// last place of the exponent wherever the points lie; values under about 1e-304 signal^2 are 0.
Matrix covariance(const Matrix& a, const Matrix& b, const Hyperparameters& h);

/// As `covariance`, for the points from row `first` on, as many as `out` has columns. `first` is a multiple
/// of 16. Unchecked.
void cross_covariance(const PackedRows& rows, const PackedRows& points, Index first, const Hyperparameters& h,
                      Matrix& out);

/// Writes the lower triangle of K + sigma^2 I (posterior), leaving the upper as it is. Unchecked.
void noisy_covariance_lower(const PackedRows& rows, const Hyperparameters& h, Matrix& out);

/// Calls visit(row block, column block, exponents, kernel values) for each tile of K that touches the lower
/// triangle. Rows past the end carry meaningless values.
template <class Visit>
void for_each_lower_tile(const PackedRows& rows, const Hyperparameters& h, Visit&& visit) {
  const double scale = -0.5 / (h.lengthscale * h.lengthscale);
  Tile exponents;
  Tile kernel;
  for (Index column = 0; column < rows.blocks(); ++column)
    for (Index row = column; row < rows.blocks(); ++row) {
      tile_exponents(rows.block(row), rows.block(column), rows.dimensions(), scale, exponents);
      tile_exp(exponents, h.signal * h.signal, kernel);
      visit(row, column, exponents, kernel);
    }
}

}  // namespace tacit
