// Suggestions for mistyped names: of columns, options, commands, and the values of an option.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tacit {

/// Returns the name with the smallest edit distance to `wanted`, ignoring case: the fewest characters to
/// insert, delete or replace. Returns null if every name differs in more than a third of the characters of
/// `wanted`, rounded up. The pointer is into `names`.
const std::string* closest_name(std::string_view wanted, std::span<const std::string> names);

/// Throws InputError unless `value`, given for the option or field `name`, is one of the known values.
void check_choice(std::string_view name, std::string_view value,
                  std::initializer_list<std::string_view> known);

}  // namespace tacit
