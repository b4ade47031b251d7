// Text in troff, the language of man pages.
#pragma once

#include <string>

namespace tacit::cli {

/// Escapes every character that troff would not print unchanged. Valid UTF-8 becomes ASCII.
std::string troff(const std::string& text);
std::string bold(const std::string& text);    ///< of plain text
std::string italic(const std::string& text);  ///< of plain text
std::string upper(std::string text);          ///< ASCII letters

/// A line of escaped text that troff cannot mistake for a request.
std::string line(const std::string& escaped);
/// A section's heading.
std::string section(const std::string& title);
/// A first paragraph, already escaped, and plain text. Blank lines end a paragraph; indented lines are kept
/// unchanged.
std::string paragraphs(const std::string& first, const std::string& text);

}  // namespace tacit::cli
