// Runs other programs without showing their output.
#pragma once

#include <string>
#include <vector>

namespace tacit {

/// Runs a program and discards its output. Returns its exit code, or -1 if it could not be run. The first
/// argument is its name, which is searched in the path as a shell does.
int run_quietly(std::vector<std::string> arguments);

}  // namespace tacit
