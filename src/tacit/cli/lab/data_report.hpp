// How `tacit simulate` reports the data that it read.
#pragma once

#include <string>

#include "tacit/answers/json.hpp"
#include "tacit/lab/study/parties/parties.hpp"

namespace tacit::cli {

/// Files with the rows used and dropped, the levels of categorical columns, the starts of dates, and notes.
Json data_json(const Parties& parties);

/// One line for each file with dropped rows, each note, each categorical column and each date column.
std::string data_text(const Parties& parties);

}  // namespace tacit::cli
