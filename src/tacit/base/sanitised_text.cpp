#include "tacit/base/sanitised_text.hpp"

#include <cstdint>

namespace tacit {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<std::uint8_t>(text[k]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0u) != 0x80u) return {};
    code = code << 6 | (byte(k) & 0x3fu);
  }
  const bool shortest = bytes == 2 || code >= (bytes == 3 ? 0x800u : 0x10000u);
  if (!shortest || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes, true};
}

bool harmless(std::uint32_t code) {
  const auto within = [&](std::uint32_t low, std::uint32_t high) { return low <= code && code <= high; };
  return code >= 0x20 && !within(0x7f, 0x9f)                    // control characters
         && !within(0x200b, 0x200f) && !within(0x2028, 0x202e)  // invisible, line ends, directions
         && !within(0x2060, 0x206f) && code != 0xfeff;
}

}  // namespace

std::string sanitised_text(std::string_view text, std::size_t most) {
  std::string shown;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most) return shown + "...";
    const Character next = first_of(text);
    if (next.valid && harmless(next.code))
      shown += text.substr(0, next.bytes);
    else
      shown += '?';
    text.remove_prefix(next.bytes);
  }
  return shown;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_of(text);
    if (!next.valid) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

}  // namespace tacit
