// Values counted from the middle of their column's public range in halves of its width, so that one range of
// a sum serves all columns.
#pragma once

#include "tacit/regression/standardise.hpp"

namespace tacit {

/// Throws InputError, without the value, for one outside of the range; `what` says whether inputs or targets
/// are looked at.
Vector in_halves(const Matrix& columns, Index column, const ColumnRange& range, const char* what);

}  // namespace tacit
