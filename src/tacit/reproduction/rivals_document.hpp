// What the table's document says of the rivals, of growth and of other libraries.
#pragma once

#include <string>

#include "tacit/reproduction/table.hpp"

namespace tacit {

/// A cell of seconds: "> 300 s" for what was stopped there.
std::string rival_seconds(const TableRow& row, const Spread& seconds);

/// Every rival's phases, growth with M and rows, and other libraries; empty where there is nothing to say.
std::string rivals_text(const PaperTable& table);

}  // namespace tacit
