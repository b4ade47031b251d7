#include "tacit/identity/encoding.hpp"

#include <fmt/format.h>
#include <sodium.h>

namespace tacit {

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return text;
}

bool from_hex(std::string_view text, std::span<std::byte> out) {
  if (text.size() != 2 * out.size()) return false;
  std::size_t written = 0;
  return sodium_hex2bin(reinterpret_cast<unsigned char*>(out.data()), out.size(), text.data(), text.size(),
                        nullptr, &written, nullptr) == 0 &&
         written == out.size();
}

std::string colons(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes)
    text += fmt::format("{}{:02x}", text.empty() ? "" : ":", std::to_integer<unsigned>(b));
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string real(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

}  // namespace tacit
