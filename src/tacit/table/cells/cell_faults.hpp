// What is wrong with a cell, in words that help: what it is instead, and what to do in this place.
#pragma once

#include <string>
#include <string_view>

#include "tacit/table/cells/bad_cells.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit {

/// Of a cell that is missing where that is refused. A fixed column can neither be left out nor be categories.
CellFault missing_fault(bool fixed, const ReadOptions& how);

/// Of one that is neither missing nor a finite number.
CellFault number_fault(std::string_view cell, const std::string& column, bool fixed, const ReadOptions& how);

/// Of one that is neither missing nor a date.
CellFault date_fault(std::string_view cell, const ReadOptions& how);

/// Of a text that is not UTF-8.
CellFault encoding_fault();

}  // namespace tacit
