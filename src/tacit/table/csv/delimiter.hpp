// Finds the delimiter of a CSV file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacit {

/// Returns the delimiter that a header shows: comma, semicolon or tab, whichever occurs outside quotes. If
/// none does, there is one column and the result is a comma. Returns nothing if more than one occurs.
std::optional<char> find_delimiter(std::string_view header);

/// Returns "comma", "semicolon" or "tab"; the plural is formed with an s.
std::string_view delimiter_word(char delimiter);

/// Returns whether the text ends inside quotes, so that the row continues.
bool ends_in_quotes(std::string_view text);

}  // namespace tacit
