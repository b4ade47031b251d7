// Texts that somebody else wrote, made fit for logs, errors and terminals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

/// The text with a question mark for everything that could steer a terminal or hide text (control characters,
/// marks that turn the direction of writing, bytes that are no UTF-8), cut to `most` characters.
std::string sanitised_text(std::string_view text, std::size_t most = 200);

bool is_utf8(std::string_view text);

}  // namespace tacit
