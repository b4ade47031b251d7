// The subcommands. Each adds its options to the program and runs when it is the one chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace tacit::cli {

void add_simulate(CLI::App& program);
void add_plan(CLI::App& program);
void add_reproduce(CLI::App& program);
void add_audit(CLI::App& program);
void add_keygen(CLI::App& program);
void add_charter(CLI::App& program);
void add_charter_new(CLI::App& charter);    ///< below tacit charter
void add_charter_amend(CLI::App& charter);  ///< below tacit charter
void add_agent(CLI::App& program);
void add_up(CLI::App& program);
void add_asking(CLI::App& program);  ///< fit, predict, evaluate, status
void add_export(CLI::App& program);
void add_ledger(CLI::App& program);
void add_manual(CLI::App& program);
void add_completion(CLI::App& program);

}  // namespace tacit::cli
