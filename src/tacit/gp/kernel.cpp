#include "tacit/gp/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"

namespace tacit {
namespace {

void check_positive(const char* name, const char* cure, double value) {
  if (!(value >= 1e-100 && value <= 1e100))
    throw InputError(fmt::format("{} is {}, but must lie between 1e-100 and 1e100; {}", name, value, cure));
}

}  // namespace

void check_hyperparameters(const Hyperparameters& h) {
  check_positive("lengthscale",
                 "set it to the distance over which the function changes, in the unit of the inputs",
                 h.lengthscale);
  check_positive("signal", "set it to about the standard deviation of the outputs", h.signal);
  check_positive("noise",
                 "set it to the standard deviation of the noise, or for exact data to 1e-6 of the signal",
                 h.noise);
}

Matrix covariance(const Matrix& a, const Matrix& b, const Hyperparameters& h) {
  check_hyperparameters(h);
  if (a.cols() != b.cols() || a.cols() == 0)
    throw InputError(
        fmt::format("the first points have {} columns, the second {}; give both the same, at least one",
                    a.cols(), b.cols()));
  check_finite("first points", a);
  check_finite("second points", b);
  Matrix out(a.rows(), b.rows());
  cross_covariance(PackedRows(a), PackedRows(b), 0, h, out);
  return out;
}

void cross_covariance(const PackedRows& rows, const PackedRows& points, Index first, const Hyperparameters& h,
                      Matrix& out) {
  const double scale = -0.5 / (h.lengthscale * h.lengthscale);
  Tile exponents;
  Tile kernel;
  for (Index column = 0; column < out.cols(); column += tile_side) {
    const double* const point_block = points.block((first + column) / tile_side);
    const Index width = std::min<Index>(tile_side, out.cols() - column);
    for (Index block = 0; block < rows.blocks(); ++block) {
      tile_exponents(rows.block(block), point_block, rows.dimensions(), scale, exponents);
      tile_exp(exponents, h.signal * h.signal, kernel);
      for (Index c = 0; c < width; ++c)
        std::copy_n(&kernel.at[c * tile_side], rows.block_rows(block), &out(block * tile_side, column + c));
    }
  }
}

void noisy_covariance_lower(const PackedRows& rows, const Hyperparameters& h, Matrix& out) {
  for_each_lower_tile(rows, h, [&](Index row, Index column, const Tile&, const Tile& kernel) {
    for (Index c = 0; c < rows.block_rows(column); ++c) {
      const Index above = row == column ? c : 0;
      std::copy_n(&kernel.at[c * tile_side + above], rows.block_rows(row) - above,
                  &out(row * tile_side + above, column * tile_side + c));
    }
  });
  out.diagonal().array() += h.noise * h.noise;
}

}  // namespace tacit
