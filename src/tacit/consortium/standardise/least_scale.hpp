// How small a column's scale may be.
#pragma once

#include "tacit/consortium/standardise/standardise.hpp"

namespace tacit {

/// No scale is below this, a public number. A member that lies about its squares can make a total of them as
/// small as it likes; with a scale near zero every row would stand alone, and a prediction at its inputs
/// would tell its target.
inline double least_scale(const ColumnRange& range) { return range.half() / 16; }

}  // namespace tacit
