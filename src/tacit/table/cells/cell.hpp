// One cell of a table as text: the number it contains, whether it is missing, how messages show it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tacit {

/// Removes the spaces and tabs around a text, including the non-breaking spaces that spreadsheets write.
std::string_view trimmed(std::string_view text);

/// The decimal number in a cell, including NaN and infinities, or the reason why there is none.
struct ParsedNumber {
  double value = 0;
  std::errc error = std::errc::invalid_argument;  ///< or result_out_of_range, or none (success)
};
ParsedNumber parse_any_number(std::string_view cell);

/// Returns the finite decimal number in a cell. Spaces around it and a leading '+' are allowed. Returns
/// nothing for any other text, such as NaN, an infinity, a hexadecimal number or a number outside the range
/// of double.
std::optional<double> parse_number(std::string_view cell);

/// The same for files whose numbers have a decimal comma. A cell with a point is refused, because the point
/// may separate thousands.
std::optional<double> parse_comma_number(std::string_view cell);
/// Replaces commas by points.
std::string with_point(std::string_view cell);

/// Returns whether a cell means "no value": it is blank or one of missing_words, in upper or lower case. In
/// columns of numbers and dates the word none also counts as missing; in a text column it may be a level.
bool is_missing(std::string_view cell);
bool is_missing_number(std::string_view cell);
constexpr std::string_view missing_words = "NA, N/A, #N/A, <NA>, NaN, NaT, null or ?";

/// Returns a piece of the user's text for messages: quoted, escaped, and cut after 40 characters.
std::string shown(std::string_view text);

}  // namespace tacit
