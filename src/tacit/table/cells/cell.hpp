// One cell of a table, as text: the number it holds, whether it is missing, how messages show it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tacit {

/// Without the spaces and tabs around it, also those that do not break lines, as spreadsheets write them.
std::string_view trimmed(std::string_view text);

/// The decimal number a cell holds, NaN and infinities too, and why there is none.
struct ParsedNumber {
  double value = 0;
  std::errc error = std::errc::invalid_argument;  ///< or none, or result_out_of_range
};
ParsedNumber parse_any_number(std::string_view cell);

/// The finite decimal number a cell holds: spaces around it and a leading '+' are allowed. Nothing when it
/// holds anything else, such as a NaN, an infinity, a hexadecimal number or a number no double can hold.
std::optional<double> parse_number(std::string_view cell);

/// The same for files whose numbers have a decimal comma; a point is then refused, as it
/// may separate thousands.
std::optional<double> parse_comma_number(std::string_view cell);
/// With points for commas.
std::string with_point(std::string_view cell);

/// Whether a cell says that it has no value: it is blank, or one of the missing words in any case. None is
/// such a word where a number or a date is needed; among texts it is as likely a level.
bool is_missing(std::string_view cell);
bool is_missing_number(std::string_view cell);
constexpr std::string_view missing_words = "NA, N/A, #N/A, <NA>, NaN, NaT, null or ?";

/// A piece of the user's text as messages show it: quoted, escaped, and cut after 40 characters.
std::string shown(std::string_view text);

}  // namespace tacit
