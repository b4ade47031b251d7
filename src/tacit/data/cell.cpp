#include "tacit/data/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace tacit {
namespace {

struct Parsed {
  double value = 0;
  std::errc error = std::errc::invalid_argument;  // or none, or result_out_of_range
};

Parsed parse(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  Parsed parsed;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, parsed.value);
  if (stop == end) parsed.error = error;
  return parsed;
}

std::string with_point(std::string_view cell) {
  std::string text(cell);
  std::replace(text.begin(), text.end(), ',', '.');
  return text;
}

bool same_but_for_case(std::string_view text, std::string_view lower) {
  auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [&](char a, char b) { return low(a) == b; });
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> parse_number(std::string_view cell) {
  const auto [value, error] = parse(cell);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> parse_comma_number(std::string_view cell) {
  if (cell.find('.') != cell.npos) return std::nullopt;
  return parse_number(with_point(cell));
}

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 5> words = {"", "na", "nan", "null", "?"};
  cell = trimmed(cell);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return same_but_for_case(cell, word); });
}

std::string number_problem(std::string_view cell, bool decimal_comma) {
  const auto [value, error] = parse(decimal_comma ? with_point(cell) : std::string(cell));
  std::string_view problem = "is not a number; correct it or leave the column out";
  if (error == std::errc::result_out_of_range) {
    problem = "is too large, or too close to 0, for a 64-bit floating-point number; rescale the column";
  } else if (error == std::errc{} && std::isnan(value)) {
    problem = "is not a number but NaN, a missing value; fill it in or remove the row";
  } else if (error == std::errc{} && std::isinf(value)) {
    problem = "is infinite; write a finite number or remove the row";
  } else if (decimal_comma && cell.find('.') != cell.npos) {
    problem = "has a point where numbers have a decimal comma; remove points, or leave --decimal comma out";
  } else if (!decimal_comma && parse_comma_number(cell)) {
    problem =
        "has a comma; if it is the decimal mark, use --decimal comma; if it separates thousands, remove it";
  }
  return fmt::format("the cell {} {}", shown(cell), problem);
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
