#include "tacit/cli/options/commands.hpp"

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/cli/options/spelling.hpp"

namespace tacit::cli {

void add_commands(CLI::App& program, Console& console) {
#ifdef TACIT_LAB
  add_lab_commands(program, console);
#endif
  add_report(program, console);
  add_keygen(program);
  add_charter(program, console);
  add_agent(program);
  add_asking(program, console);
  add_export(program, console);
  add_ledger(program, console);
  add_page(program, console);
  add_up(program);
  add_manual(program);
  add_completion(program);
}

void call(std::vector<std::string> arguments, Console& console) {
  CLI::App program;
  program.name("tacit");
  program.require_subcommand(1);
  add_commands(program, console);
  check_spelling(program, arguments);
  std::ranges::reverse(arguments);  // CLI11 expects the last argument first
  try {
    program.parse(std::move(arguments));
  } catch (const CLI::ParseError& e) {
    throw InputError(e.what());
  }
}

}  // namespace tacit::cli
