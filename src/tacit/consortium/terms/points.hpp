// Points that a consortium may be asked about: within what was agreed on, as the rows are. Outside of it an
// agent with few rows there, or none, could be told apart from the others.
#pragma once

#include "tacit/consortium/terms/terms.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// Throws InputError, naming point, column, value and range, unless every number lies in its column's range
/// and every categorical column has exactly one level; and for a wrong number of points or inputs.
void check_points(const Terms& terms, const Matrix& points);

}  // namespace tacit
