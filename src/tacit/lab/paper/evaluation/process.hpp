// Other programs, run quietly.
#pragma once

#include <string>
#include <vector>

namespace tacit {

/// The exit code of a program whose output nobody sees, or -1 when it could not be run. The first argument is
/// its name, which is looked for as a shell does.
int run_quietly(std::vector<std::string> arguments);

}  // namespace tacit
