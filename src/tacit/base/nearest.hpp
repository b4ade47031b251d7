// Help for those who mistype a name: of a column, an option, a command.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tacit {

/// The name most like the wanted one, whatever the case of letters: the fewest characters to insert, delete
/// or replace, at most a third of them. Null if none is so close. The pointer is into `names`.
const std::string* nearest(std::string_view wanted, std::span<const std::string> names);

}  // namespace tacit
