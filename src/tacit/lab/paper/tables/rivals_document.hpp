// The parts of the table's document about rivals, growth and other libraries.
#pragma once

#include <string>

#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

/// A cell of seconds: "> 300 s" for a run stopped at the limit, "preparation > 300 s" if this was during the
/// preparation.
std::string rival_seconds(const TableRow& row, const Spread& seconds);

/// The preparation of [11] for each network; empty without one.
std::string preparation_text(const std::vector<TableRow>& rows);

/// The phases of each rival, growth with M and rows, and other libraries; empty without any.
std::string rivals_text(const PaperTable& table);

}  // namespace tacit
