// What browsers show, inside of the program: the files that web/ builds.
#pragma once

#include <string_view>

namespace tacit {

/// A file of web/built by its path in there, such as "page/index.html"; empty when there is none, as in a
/// program that was built without them.
std::string_view web_file(std::string_view path);

}  // namespace tacit
