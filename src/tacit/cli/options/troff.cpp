#include "tacit/cli/options/troff.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <sstream>

namespace tacit::cli {
namespace {

// The character that starts at `at`. Moves `at` to its last byte.
std::uint32_t code_point(const std::string& text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  std::uint32_t code = first & (0x3Fu >> more);
  for (int k = 0; k < more && at + 1 < text.size(); ++k)
    code = (code << 6) | (static_cast<unsigned char>(text[++at]) & 0x3Fu);
  return code;
}

}  // namespace

std::string troff(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= 0x80)
      out += fmt::format("\\[u{:04X}]", code_point(text, at));
    else if (c == '\\')
      out += "\\(rs";
    else if (c == '-')
      out += "\\-";  // a plain one prints as a hyphen, which a shell does not accept
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '"')
      out += "\\(dq";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else
      out += c;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + troff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + troff(text) + "\\fR"; }

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string line(const std::string& escaped) {
  // A line that starts with a quote would also be a request, but quotes are always escaped.
  return (escaped.starts_with('.') ? "\\&" : "") + escaped + "\n";
}

std::string section(const std::string& title) { return ".SH " + title + "\n"; }

std::string paragraphs(const std::string& first, const std::string& text) {
  std::string out = first.empty() ? "" : line(first);
  bool as_is = false, fresh = !first.empty();
  std::istringstream in(text);
  for (std::string one; std::getline(in, one);) {
    if (one.find_first_not_of(' ') == std::string::npos) {
      fresh = true;
      continue;
    }
    const bool indented = one.starts_with("  ");
    if (as_is && !indented) out += ".fi\n.RE\n";
    if (fresh || as_is != indented) out += ".PP\n";
    if (indented && !as_is) out += ".RS 4\n.nf\n";
    out += line(troff(indented ? one.substr(2) : one));
    as_is = indented;
    fresh = false;
  }
  return out + (as_is ? ".fi\n.RE\n" : "");
}

}  // namespace tacit::cli
