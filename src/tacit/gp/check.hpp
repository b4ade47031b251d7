// Checks of what a caller hands over. Their errors name the thing, the place and the cure. Rows and columns
// count from 0.
#pragma once

#include <string_view>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// The first entry that is NaN or infinite, if there is one.
struct MatrixPosition {
  Index row = -1;
  Index column = -1;
  explicit operator bool() const { return row >= 0; }
};

/// Looks at the whole matrix, column by column. O(rows x columns).
MatrixPosition find_non_finite(const MatrixView& values);

/// Looks at the lower triangle with its diagonal only.
MatrixPosition find_non_finite_lower(const Matrix& values);

/// Throws InputError unless every entry is finite; `what` is what the message calls the matrix.
void check_finite(std::string_view what, const MatrixView& values);

/// Throws InputError unless `inputs` is a usable set of training rows for `outputs`: at least one row and one
/// column, as many rows as outputs, all entries finite. No output columns at all is allowed.
void check_training_rows(const Matrix& inputs, const Matrix& outputs);

}  // namespace tacit
