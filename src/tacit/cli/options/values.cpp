#include "tacit/cli/options/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "tacit/base/error.hpp"
#include "tacit/table/cells/cell.hpp"

namespace tacit::cli {

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return CLI::Validator(
      [=](std::string& text) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool good =
            error == std::errc() && end == text.data() + text.size() && value >= low && value <= high;
        return good ? std::string() : fmt::format("{} is not a whole number from {} to {}", text, low, high);
      },
      "");
}

double parse_duration(const std::string& option, const std::string& text) {
  const std::pair<const char*, double> units[] = {
      {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"", 1}};
  for (const auto& [unit, seconds] : units) {
    if (!text.ends_with(unit)) continue;
    const auto value =
        parse_number(std::string_view(text).substr(0, text.size() - std::string_view(unit).size()));
    if (value && *value >= 0 && *value * seconds <= 1e6) return *value * seconds;
    break;
  }
  throw InputError(fmt::format(
      "{} {} is not a time; give seconds up to a million, or a number with us, ms or s", option, text));
}

std::pair<double, double> parse_range(const std::string& option, const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos) {
    const auto low = parse_number(text.substr(0, comma)), high = parse_number(text.substr(comma + 1));
    if (low && high && *low < *high) return {*low, *high};
  }
  throw InputError(
      fmt::format("{} {} is not a range; give two numbers LOW,HIGH with LOW below HIGH", option, text));
}

}  // namespace tacit::cli
