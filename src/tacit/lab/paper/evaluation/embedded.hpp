// Files built into the program; CMake turns them into text.
#pragma once

#include <string_view>

namespace tacit::embedded {

extern const std::string_view figures_py;
extern const std::string_view libraries_py;

}  // namespace tacit::embedded
