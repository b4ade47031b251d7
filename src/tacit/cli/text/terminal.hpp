// Progress on a terminal: one line that is overwritten repeatedly.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit::cli {

/// The text, shortened to one line of a terminal with this many columns; dots mark a cut.
std::string one_line(std::string_view text, std::size_t columns);

/// The width of the terminal on standard error; 80 if unknown.
std::size_t terminal_columns();

/// Overwrites the line on standard error, cut to the terminal's width. An empty text erases the line.
void overwrite_line(std::string_view text);

}  // namespace tacit::cli
