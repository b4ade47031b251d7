#include "tacit/gp/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

MatrixPosition find_from(const MatrixView& values, bool lower_only) {
  for (Index column = 0; column < values.cols(); ++column) {
    const Index first = lower_only ? column : 0;
    const auto part = values.col(column).tail(std::max<Index>(values.rows() - first, 0)).array();
    // x - x is 0 for finite x and NaN otherwise. One vectorised sum therefore clears a column, and only a
    // column with a bad entry is searched.
    if ((part - part).sum() == 0) continue;  // NOLINT(misc-redundant-expression)
    for (Index row = first; row < values.rows(); ++row)
      if (!std::isfinite(values(row, column))) return {row, column};
  }
  return {};
}

}  // namespace

MatrixPosition find_non_finite(const MatrixView& values) { return find_from(values, false); }

MatrixPosition find_non_finite_lower(const Matrix& values) { return find_from(values, true); }

void check_finite(std::string_view what, const MatrixView& values) {
  if (const MatrixPosition bad = find_non_finite(values))
    throw InputError(
        fmt::format("{}: the value at row {}, column {} (from 0) is {}; remove the row or fill in a number",
                    what, bad.row, bad.column, values(bad.row, bad.column)));
}

void check_training_rows(const Matrix& inputs, const Matrix& outputs) {
  if (inputs.rows() == 0 || inputs.cols() == 0)
    throw InputError(fmt::format("inputs: {} rows and {} columns; give at least one row and one column",
                                 inputs.rows(), inputs.cols()));
  if (inputs.rows() != outputs.rows())
    throw InputError(
        fmt::format("{} rows of inputs but {} rows of outputs; give one row of outputs for each row of "
                    "inputs",
                    inputs.rows(), outputs.rows()));
  check_finite("inputs", inputs);
  check_finite("outputs", outputs);
}

}  // namespace tacit
