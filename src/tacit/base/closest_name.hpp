// Suggestions for mistyped names: of columns, options and commands.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tacit {

/// Returns the name with the smallest edit distance to `wanted`, ignoring case: the fewest characters to
/// insert, delete or replace. Returns null if every name differs in more than a third of the characters of
/// `wanted`, rounded up. The pointer is into `names`.
const std::string* closest_name(std::string_view wanted, std::span<const std::string> names);

}  // namespace tacit
