// Scripts with which bash and zsh complete the program's commands, options and values.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tacit::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);

}  // namespace tacit::cli
