// Example data built into the program. CMake turns data/diabetes.csv into text.
#pragma once

#include <string_view>

namespace tacit {

extern const std::string_view bundled_diabetes;

}  // namespace tacit
