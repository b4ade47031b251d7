#include "tacit/table/csv/delimiter.hpp"

#include <algorithm>

namespace tacit {

std::optional<char> find_delimiter(std::string_view header) {
  std::optional<char> found;
  bool quoted = false;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    if (quoted || (c != ',' && c != ';' && c != '\t')) continue;
    if (found && *found != c) return std::nullopt;
    found = c;
  }
  return found.value_or(',');
}

std::string_view delimiter_word(char delimiter) {
  return delimiter == ',' ? "comma" : delimiter == ';' ? "semicolon" : "tab";
}

bool ends_in_quotes(std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 == 1; }

}  // namespace tacit
