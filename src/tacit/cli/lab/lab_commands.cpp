#include "tacit/cli/lab/lab_commands.hpp"

#include "tacit/cli/options/commands.hpp"

namespace tacit::cli {

void add_lab_commands(CLI::App& program, Console& console) {
  add_simulate(program, console);
  add_plan(program, console);
  add_audit(program, console);
  add_reproduce(program, console);
}

}  // namespace tacit::cli
