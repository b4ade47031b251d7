// The subcommands. Each one adds its options to the program, and runs if the user chose it.
#pragma once

#include <CLI/CLI.hpp>

namespace tacit::cli {

class Console;

/// Adds all subcommands. The console must outlive the program.
void add_commands(CLI::App& program, Console& console);

/// Runs one command in this process. The arguments are those of the command line, without the program's name.
/// Throws InputError for invalid arguments, and whatever the command throws.
void call(std::vector<std::string> arguments, Console& console);

/// Adds the laboratory's commands: simulate, plan, audit and reproduce. A build with TACIT_LAB=OFF omits
/// them.
void add_lab_commands(CLI::App& program, Console& console);

void add_keygen(CLI::App& program);
void add_charter(CLI::App& program, Console& console);
void add_charter_new(CLI::App& charter);    ///< below tacit charter
void add_charter_amend(CLI::App& charter);  ///< below tacit charter
void add_agent(CLI::App& program);
void add_up(CLI::App& program);
void add_asking(CLI::App& program, Console& console);  ///< fit, predict, evaluate, status
void add_export(CLI::App& program, Console& console);
void add_report(CLI::App& program, Console& console);
void add_ledger(CLI::App& program, Console& console);
void add_page(CLI::App& program, Console& console);
void add_manual(CLI::App& program);
void add_completion(CLI::App& program);

}  // namespace tacit::cli
