// The command line. Exit codes: 0 done, 1 the run failed, 2 bad usage or bad input.
#include <fmt/format.h>

#include <exception>
#include <new>

#include "tacit/base/error.hpp"
#include "tacit/cli/commands.hpp"

int main(int argc, char** argv) {
  CLI::App program(
      "Learn one Gaussian-process model together: no data leaves home, no server in the middle.");
  program.name("tacit");
  program.set_version_flag("--version", "tacit " TACIT_VERSION);
  program.require_subcommand(1);
  program.get_formatter()->column_width(28);
  program.footer("tacit COMMAND --help tells more, with examples.");
  tacit::cli::add_simulate(program);
  tacit::cli::add_plan(program);
  try {
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return program.exit(e);  // --help and --version
    fmt::print(stderr, "error: {}; see tacit --help\n", e.what());
    return 2;
  } catch (const tacit::InputError& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory; use fewer rows, test points or agents\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
  }
  return 1;
}
