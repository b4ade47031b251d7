// What the table's document says of the rivals, of growth and of other libraries.
#pragma once

#include <string>

#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

/// A cell of seconds: "> 300 s" for what was stopped there, "preparation > 300 s" for what did not get
/// further.
std::string rival_seconds(const TableRow& row, const Spread& seconds);

/// What [11] prepares, network by network; empty where there is none.
std::string preparation_text(const std::vector<TableRow>& rows);

/// Every rival's phases, growth with M and rows, and other libraries; empty where there is nothing to say.
std::string rivals_text(const PaperTable& table);

}  // namespace tacit
