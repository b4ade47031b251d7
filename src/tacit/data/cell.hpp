// One cell of a table, as text: the number it holds, whether it is missing, how messages show it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacit {

/// Without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// The finite decimal number a cell holds: spaces around it and a leading '+' are allowed. Nothing when it
/// holds anything else, such as a NaN, an infinity, a hexadecimal number or a number no double can hold.
std::optional<double> parse_number(std::string_view cell);

/// The same for files whose numbers have a decimal comma; a point is then refused, as it
/// may separate thousands.
std::optional<double> parse_comma_number(std::string_view cell);

/// Whether a cell says that it has no value: it is blank, or one of the missing words in any case.
bool is_missing(std::string_view cell);
constexpr std::string_view missing_words = "NA, NaN, null and ?";

/// Why a cell cannot be read as a number, and what to do about it.
std::string number_problem(std::string_view cell, bool decimal_comma);

/// A piece of the user's text as messages show it: quoted, escaped, and cut after 40 characters.
std::string shown(std::string_view text);

}  // namespace tacit
