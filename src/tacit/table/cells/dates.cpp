#include "tacit/table/cells/dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "tacit/table/cells/cell.hpp"

namespace tacit {
namespace {

namespace chrono = std::chrono;

// Takes fields of digits and separators from the front of a text. After the first one that is absent, all
// fail.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  int number(std::size_t fewest, std::size_t most) {
    std::size_t digits = 0;
    while (digits < rest_.size() && digits < most && rest_[digits] >= '0' && rest_[digits] <= '9') ++digits;
    if (digits < fewest) failed_ = true;
    int value = 0;
    if (!failed_) std::from_chars(rest_.data(), rest_.data() + digits, value);
    rest_.remove_prefix(digits);
    return value;
  }
  bool skip(char mark) {
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void need(char mark) { failed_ = !skip(mark) || failed_; }
  bool next_is_digit() const { return !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; }
  bool at_end() const { return rest_.empty(); }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

struct Written {
  char mark = '-';  // between the numbers of the date: - or . or /
  std::array<int, 3> numbers = {};
  double seconds = 0, offset = 0;  // of the day, and of the time zone

  // A year that comes first has four digits, so a shorter one is last.
  bool short_year() const { return mark != '-' && numbers[2] < 100; }
};

// 12:30, 12:30:15, 12:30:15.25, 12:30 PM; then Z, +02, +0200 or +02:00.
void take_time(Fields& fields, Written& out) {
  int hour = fields.number(1, 2);
  fields.need(':');
  const int minute = fields.number(2, 2);
  double second = 0;
  if (fields.skip(':')) {
    second = fields.number(2, 2);
    if (fields.skip('.') || fields.skip(',')) {
      if (!fields.next_is_digit()) fields.fail();
      for (double unit = 0.1; fields.next_is_digit(); unit /= 10) second += unit * fields.number(1, 1);
    }
  }
  fields.skip(' ');
  const bool afternoon = fields.skip('P');
  if (afternoon || fields.skip('A')) {
    fields.need('M');
    if (hour < 1 || hour > 12) fields.fail();
    hour = hour % 12 + (afternoon ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second >= 60) fields.fail();
  out.seconds = 3600 * hour + 60 * minute + second;
  if (fields.skip('Z')) return;
  const bool east = fields.skip('+');
  if (!east && !fields.skip('-')) return;
  const int hours = fields.number(2, 2);
  const int minutes = fields.skip(':') || fields.next_is_digit() ? fields.number(2, 2) : 0;
  if (hours > 18 || minutes > 59) fields.fail();
  out.offset = (east ? 60 : -60) * (60 * hours + minutes);
}

std::optional<Written> written(std::string_view cell) {
  cell = trimmed(cell);
  const std::size_t mark = cell.find_first_not_of("0123456789");
  if (mark == cell.npos || mark == 0) return std::nullopt;
  Written out;
  out.mark = cell[mark];
  const bool year_first = out.mark == '-' || mark == 4;
  if (out.mark != '-' && out.mark != '.' && out.mark != '/') return std::nullopt;
  Fields fields(cell);
  for (std::size_t k = 0; k < 3; ++k) {
    const bool year = k == (year_first ? 0 : 2);
    if (k > 0) fields.need(out.mark);
    out.numbers[k] = year ? fields.number(year_first ? 4 : 2, 4) : fields.number(out.mark == '-' ? 2 : 1, 2);
  }
  if (year_first && out.mark != '-') {
    if (out.mark == '.') return std::nullopt;
    out.mark = '-';  // 2024/03/01 is not ambiguous
  }
  if (!fields.at_end()) {
    if (!fields.skip('T')) fields.need(' ');
    take_time(fields, out);
  }
  const bool three_digits = out.mark != '-' && out.numbers[2] >= 100 && out.numbers[2] < 1000;
  if (fields.failed() || !fields.at_end() || three_digits) return std::nullopt;
  return out;
}

chrono::year_month_day calendar_day(const Written& w, SlashDates slashes) {
  auto [year, month, day] = w.numbers;
  if (w.mark != '-') std::swap(year, day);  // the year comes last
  if (w.mark == '/' && slashes == SlashDates::month_first) std::swap(month, day);
  return chrono::year(year) / chrono::month(static_cast<unsigned>(month)) /
         chrono::day(static_cast<unsigned>(day));
}

double days_of(const chrono::year_month_day& day) {
  return static_cast<double>(chrono::sys_days(day).time_since_epoch().count());
}

}  // namespace

bool is_date_part(std::string_view word) {
  return std::find(date_parts.begin(), date_parts.end(), word) != date_parts.end();
}

double Moment::part(std::string_view name) const {
  if (name == "year") return year;
  if (name == "month") return month;
  if (name == "day") return day;
  if (name == "hour") return hour;
  const chrono::sys_days date = chrono::year(year) / month / day;
  return chrono::weekday(date).iso_encoding();
}

std::optional<Moment> parse_date(std::string_view cell, SlashDates slashes) {
  const auto w = written(cell);
  if (!w || w->short_year() || (w->mark == '/' && slashes == SlashDates::refuse)) return std::nullopt;
  const chrono::year_month_day date = calendar_day(*w, slashes);
  if (!date.ok()) return std::nullopt;
  return Moment{.days = days_of(date) + (w->seconds - w->offset) / 86400,
                .year = static_cast<int>(date.year()),
                .month = static_cast<int>(static_cast<unsigned>(date.month())),
                .day = static_cast<int>(static_cast<unsigned>(date.day())),
                .hour = static_cast<int>(w->seconds / 3600)};
}

std::optional<double> parse_day(std::string_view text) {
  const auto moment =
      text.size() == 10 && text[4] == '-' ? parse_date(text, SlashDates::refuse) : std::nullopt;
  return moment ? std::optional(moment->days) : std::nullopt;
}

std::string day_text(double days) {
  const chrono::year_month_day date{chrono::sys_days(chrono::days(std::llround(std::floor(days))))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

bool looks_like_date(std::string_view cell) { return written(cell).has_value(); }

bool has_short_year(std::string_view cell) {
  const auto w = written(cell);
  return w && w->short_year();
}

std::string part_column(std::string_view column, std::string_view part) {
  return fmt::format("{}.{}", column, part);
}

}  // namespace tacit
