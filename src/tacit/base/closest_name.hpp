// Help for those who mistype a name, of a column, an option or a command, or a word that an option knows.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tacit {

/// The name most like the wanted one, whatever the case of letters: the fewest characters to insert, delete
/// or replace, at most a third of them. Null if none is so close. The pointer is into `names`.
const std::string* closest_name(std::string_view wanted, std::span<const std::string> names);

/// Throws InputError unless the word that was given for `name`, an option or a field, is one of the known.
void check_choice(std::string_view name, std::string_view word,
                  std::initializer_list<std::string_view> known);

}  // namespace tacit
