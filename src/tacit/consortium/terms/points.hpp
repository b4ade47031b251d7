// Checks the points of a prediction: like rows, they must be within the agreed ranges. Outside these, an
// agent with few rows there, or none, could be distinguished from the others.
#pragma once

#include "tacit/consortium/terms/terms.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// Throws InputError, naming point, column, value and range, unless every number is in its column's range and
/// every categorical column has exactly one level. Throws InputError also for a wrong number of points or
/// inputs.
void check_points(const Terms& terms, const Matrix& points);

}  // namespace tacit
