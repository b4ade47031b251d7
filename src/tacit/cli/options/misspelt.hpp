// Commands and options that do not exist are answered with the nearest that does.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tacit::cli {

/// Throws InputError for the first word that is no command, or no option of the command at hand.
void check_spelling(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace tacit::cli
