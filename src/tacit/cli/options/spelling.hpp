// Suggests the closest name for a command or option that does not exist.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tacit::cli {

/// Throws InputError for the first word that is neither a command nor an option of the command before it.
void check_spelling(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace tacit::cli
