// Describes what is wrong with a cell: what it contains instead, and what to do about it.
#pragma once

#include <string>
#include <string_view>

#include "tacit/table/cells/bad_cells.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit {

/// For a missing cell where none is allowed. A fixed column can neither be left out nor be categorical.
CellFault missing_fault(bool fixed, const ReadOptions& how);

/// For a cell that is neither missing nor a finite number.
CellFault number_fault(std::string_view cell, const std::string& column, bool fixed, const ReadOptions& how);

/// For a cell that is neither missing nor a date.
CellFault date_fault(std::string_view cell, const ReadOptions& how);

/// For a text that is not UTF-8.
CellFault encoding_fault();

}  // namespace tacit
