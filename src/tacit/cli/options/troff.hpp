// Text as troff, the language of man pages, wants it.
#pragma once

#include <string>

namespace tacit::cli {

/// With everything escaped that troff would not print as it is; valid UTF-8 becomes ASCII.
std::string troff(const std::string& text);
std::string bold(const std::string& text);    ///< of plain text
std::string italic(const std::string& text);  ///< of plain text
std::string upper(std::string text);          ///< ASCII letters

/// A line of text, already escaped, that troff cannot take for a request.
std::string line(const std::string& escaped);
/// A section's heading.
std::string section(const std::string& title);
/// A first paragraph, already escaped, and plain text: blank lines end a paragraph, indented lines stay as
/// they are.
std::string paragraphs(const std::string& first, const std::string& text);

}  // namespace tacit::cli
