#include "tacit/agent/daemon/utc.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace tacit {
namespace {

// The value of a field of digits; nullopt if it has another character.
std::optional<int> digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace

UtcTime utc_now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string to_text(UtcTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (time - seconds).count());
}

std::optional<UtcTime> parse_utc(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
  if (text.size() != form.size()) return std::nullopt;
  for (std::size_t k = 0; k < form.size(); ++k)
    if (form[k] != '0' && text[k] != form[k]) return std::nullopt;
  const auto year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)),
             day = digits(text.substr(8, 2)), hour = digits(text.substr(11, 2)),
             minute = digits(text.substr(14, 2)), second = digits(text.substr(17, 2)),
             rest = digits(text.substr(20, 3));
  if (!year || !month || !day || !hour || !minute || !second || !rest) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second) + std::chrono::milliseconds(*rest);
}

}  // namespace tacit
