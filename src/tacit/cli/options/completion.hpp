// What bash and zsh offer when the tab key is pressed, from the commands and options that there are.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tacit::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);

}  // namespace tacit::cli
