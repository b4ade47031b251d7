// Files that CMake builds into the program as text.
#pragma once

#include <string_view>

namespace tacit::embedded {

extern const std::string_view figures_py;
extern const std::string_view libraries_py;

}  // namespace tacit::embedded
