#include "tacit/table/cells/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tacit {
namespace {

bool same_but_for_case(std::string_view text, std::string_view lower) {
  auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [&](char a, char b) { return low(a) == b; });
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto stays = [](char c) { return c != ' ' && c != '\t' && static_cast<unsigned char>(c) < 0x80; };
  if (!text.empty() && stays(text.front()) && stays(text.back())) return text;    // the usual case
  constexpr std::string_view spaces[] = {" ", "\t", "\xC2\xA0", "\xE2\x80\xAF"};  // also U+00A0, U+202F
  for (std::size_t before = text.size() + 1; text.size() < before;) {
    before = text.size();
    for (const std::string_view space : spaces) {
      if (text.starts_with(space)) text.remove_prefix(space.size());
      if (text.ends_with(space)) text.remove_suffix(space.size());
    }
  }
  return text;
}

ParsedNumber parse_any_number(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  ParsedNumber parsed;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, parsed.value);
  if (stop == end) parsed.error = error;
  return parsed;
}

std::optional<double> parse_number(std::string_view cell) {
  const auto [value, error] = parse_any_number(cell);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string with_point(std::string_view cell) {
  std::string text(cell);
  std::replace(text.begin(), text.end(), ',', '.');
  return text;
}

std::optional<double> parse_comma_number(std::string_view cell) {
  if (cell.find('.') != cell.npos) return std::nullopt;
  return parse_number(with_point(cell));
}

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 9> words = {"",    "na",  "n/a",  "#n/a", "<na>",
                                                     "nan", "nat", "null", "?"};
  cell = trimmed(cell);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return same_but_for_case(cell, word); });
}

bool is_missing_number(std::string_view cell) {
  return is_missing(cell) || same_but_for_case(trimmed(cell), "none");
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40, longest_in_bytes = 4 * longest;
  std::size_t end = 0, characters = 0;
  for (; end < text.size() && end < longest_in_bytes; ++end) {
    const bool starts_character = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (starts_character && ++characters > longest) break;
  }
  return fmt::format("{:?}{}", text.substr(0, end), end < text.size() ? "..." : "");
}

}  // namespace tacit
