// Values counted from the middle of their column's public range in halves of its width, so that one range of
// a sum serves all columns.
#pragma once

#include "tacit/gp/crew.hpp"
#include "tacit/regression/standardise.hpp"

namespace tacit {

/// Of an expert's input column, or output column after the inputs. Throws InputError, without the value, for
/// one outside of the range.
Vector in_halves(const Block& block, Index column, const ColumnRange& range);

}  // namespace tacit
