// The smallest permitted scale of a column.
#pragma once

#include "tacit/consortium/standardise/standardise.hpp"

namespace tacit {

/// Returns the public lower bound on a column's scale. A member with false squares can make their total
/// arbitrarily small. With a scale near zero, every row would be far from all others, and a prediction at its
/// inputs would reveal its target.
inline double least_scale(const ColumnRange& range) { return range.half() / 16; }

}  // namespace tacit
