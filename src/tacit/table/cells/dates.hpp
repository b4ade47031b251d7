// Dates and times of day as cells have them, and as numbers.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tacit/table/read_options.hpp"

namespace tacit {

/// What can be asked of a date besides its day, all whole numbers: weekday is 1 on Mondays and 7 on Sundays,
/// hour is 0 to 23.
constexpr std::array<std::string_view, 5> date_parts = {"year", "month", "day", "weekday", "hour"};
bool is_date_part(std::string_view word);

/// A date, with a time where the cell has one.
struct Moment {
  double days = 0;  ///< since 1970-01-01, with a fraction for the time; an offset such as +02:00 is taken off
  int year = 0, month = 0, day = 0, hour = 0;  ///< as the cell has them

  double part(std::string_view name) const;  ///< one of date_parts
};

/// 2024-03-01, 2024-03-01 12:30, 2024-03-01T12:30:15.5Z, 2024-03-01T12:30+02:00, 1.3.2024 12:30, and with
/// slashes if their order is known: 1/3/2024 12:30 PM. Nothing for what is no such date, or not in the
/// calendar.
std::optional<Moment> parse_date(std::string_view cell, SlashDates slashes);

/// A day alone, as 2024-03-01: days since 1970-01-01.
std::optional<double> parse_day(std::string_view text);
/// The other way.
std::string day_text(double days);

/// Whether a cell has the form of a date, also if it cannot be read: 03/01/2024, 1.3.24, 2024-02-30.
bool looks_like_date(std::string_view cell);
/// Whether it does, with a year of two digits.
bool has_short_year(std::string_view cell);

/// What the column of a part is called: admitted.weekday.
std::string part_column(std::string_view column, std::string_view part);

}  // namespace tacit
