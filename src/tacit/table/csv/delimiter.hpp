// What separates the cells of a CSV file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacit {

/// The delimiter that a header line shows: the one of comma, semicolon and tab that occurs outside its
/// quotes, or a comma when none does, as there is only one column then. Nothing when several do, as it may be
/// any of them.
std::optional<char> find_delimiter(std::string_view header);

/// "comma", "semicolon" or "tab", of which a plural can be made.
std::string_view delimiter_word(char delimiter);

/// Whether the text ends inside quotes, so that the line goes on after it.
bool ends_in_quotes(std::string_view text);

}  // namespace tacit
