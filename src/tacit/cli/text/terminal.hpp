// Progress on a terminal: one line that is written over and over.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit::cli {

/// The text as it fits in one line of a terminal that is this wide, with dots where it was cut.
std::string one_line(std::string_view text, std::size_t columns);

/// How wide the terminal on standard error is; 80 when it does not say.
std::size_t terminal_columns();

/// Writes over the line on standard error, as wide as the terminal is now; wipes it for an empty text.
void overwrite_line(std::string_view text);

}  // namespace tacit::cli
