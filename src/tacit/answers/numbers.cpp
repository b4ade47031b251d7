#include "tacit/answers/numbers.hpp"

#include <fmt/format.h>

namespace tacit {

std::string count(std::uint64_t value) {
  if (value < 1000) return std::to_string(value);
  return fmt::format("{},{:03}", count(value / 1000), value % 1000);
}

std::string size(std::uint64_t bytes) {
  const char* units[] = {"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit < 3; ++unit) value /= 1000;
  return fmt::format("{:.3g} {}", value, units[unit]);
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{} s", count(static_cast<std::uint64_t>(seconds + 0.5)));
}

std::string plural(std::uint64_t n, const std::string& word) {
  return fmt::format("{} {}{}", count(n), word, n == 1 ? "" : "s");
}

}  // namespace tacit
