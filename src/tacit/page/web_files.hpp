// The files that web/ builds, compiled into the program.
#pragma once

#include <string_view>

namespace tacit {

/// A file of web/built by its relative path, such as "page/index.html". Empty if there is no such file, or if
/// the program was built without web/built.
std::string_view web_file(std::string_view path);

}  // namespace tacit
