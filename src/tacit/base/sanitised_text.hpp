// Makes untrusted text safe to print in logs, errors and terminals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

/// Returns the text with a question mark in place of everything that could control a terminal or hide text:
/// control characters, direction marks, invisible characters and bytes that are not UTF-8. Longer texts are
/// cut to `most` characters, followed by "...".
std::string sanitised_text(std::string_view text, std::size_t most = 200);

/// Returns whether the text is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace tacit
