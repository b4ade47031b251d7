// The subcommands. Each adds its options to the program and runs when it is the one chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace tacit::cli {

class Console;

/// All of them. The console must outlive the program.
void add_commands(CLI::App& program, Console& console);

/// Runs one of them in this process: arguments are those of the command line, without the program's name.
/// Throws InputError for arguments that it does not take, and as the command does.
void call(std::vector<std::string> arguments, Console& console);

void add_simulate(CLI::App& program, Console& console);
void add_plan(CLI::App& program, Console& console);
void add_reproduce(CLI::App& program, Console& console);
void add_audit(CLI::App& program, Console& console);
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
