// The laboratory's subcommands. Each one adds its options to the program, and runs if the user chose it.
#pragma once

#include <CLI/CLI.hpp>

namespace tacit::cli {

class Console;

void add_simulate(CLI::App& program, Console& console);
void add_plan(CLI::App& program, Console& console);
void add_audit(CLI::App& program, Console& console);
void add_reproduce(CLI::App& program, Console& console);

}  // namespace tacit::cli
