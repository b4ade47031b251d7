// Parses dates and times in cells, and converts them to numbers.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tacit/table/read_options.hpp"

namespace tacit {

/// The parts of a date that can become columns, all whole numbers. weekday is 1 on Mondays and 7 on Sundays;
/// hour is 0 to 23.
constexpr std::array<std::string_view, 5> date_parts = {"year", "month", "day", "weekday", "hour"};
bool is_date_part(std::string_view word);

/// A date, with a time if the cell has one.
struct Moment {
  double days =
      0;  ///< since 1970-01-01, with a fraction for the time; an offset such as +02:00 is subtracted
  int year = 0, month = 0, day = 0, hour = 0;  ///< as written in the cell

  double part(std::string_view name) const;  ///< one of date_parts
};

/// Parses 2024-03-01, 2024-03-01 12:30, 2024-03-01T12:30:15.5Z, 2024-03-01T12:30+02:00, 1.3.2024 12:30, and
/// 1/3/2024 12:30 PM if the order of day and month is known. Returns nothing for any other text and for days
/// that do not exist.
std::optional<Moment> parse_date(std::string_view cell, SlashDates slashes);

/// Parses a day without a time, such as 2024-03-01, into days since 1970-01-01.
std::optional<double> parse_day(std::string_view text);
/// The inverse of parse_day.
std::string day_text(double days);

/// Returns whether a cell has the form of a date, even if it is not valid: 03/01/2024, 1.3.24, 2024-02-30.
bool looks_like_date(std::string_view cell);
/// Returns whether a cell has the form of a date with a two-digit year.
bool has_short_year(std::string_view cell);

/// Returns the name of the column for a part: admitted.weekday.
std::string part_column(std::string_view column, std::string_view part);

}  // namespace tacit
