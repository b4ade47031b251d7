// Checks of arguments. Their errors name the argument, the location and the remedy. Rows and columns are
// counted from 0.
#pragma once

#include <string_view>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// The position of an entry of a matrix, or no position.
struct MatrixPosition {
  Index row = -1;
  Index column = -1;
  explicit operator bool() const { return row >= 0; }
};

/// Returns the position of the first NaN or infinite entry, column by column. O(rows x columns).
MatrixPosition find_non_finite(const MatrixView& values);

/// Returns the same for the lower triangle with its diagonal. The upper triangle is not read.
MatrixPosition find_non_finite_lower(const Matrix& values);

/// Throws InputError unless every entry is finite. The message calls the matrix `what`.
void check_finite(std::string_view what, const MatrixView& values);

/// Throws InputError unless the rows can be used for training: at least one row and one input column, as many
/// rows of inputs as of outputs, and only finite entries. `outputs` may have no columns.
void check_training_rows(const Matrix& inputs, const Matrix& outputs);

}  // namespace tacit
