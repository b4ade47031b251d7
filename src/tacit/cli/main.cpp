// The program. Exit codes: 0 success, 1 the run failed, 2 bad usage or bad input.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/cli/agent/ranks.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/cli/options/spelling.hpp"

namespace {

// An output that was not written, for example to a full disk, must not look like success.
void check_output() {
  std::cout.flush();
  if (!std::cout || std::fflush(stdout) != 0 || std::ferror(stdout))
    throw tacit::Error("cannot write the output; is the disk full?");
}

}  // namespace

int main(int argc, char** argv) {
  const bool prints = tacit::rank_started() == 0;  // all ranks run the same command line
  CLI::App program(
      "Learn one Gaussian-process model from the data of several parties, without sharing the data and "
      "without a server.");
  program.name("tacit");
  program.set_version_flag("--version", "tacit " + tacit::release());
  program.require_subcommand(1);
  program.get_formatter()->column_width(28);
  program.footer("tacit COMMAND --help shows the options of a command, with examples.");
  tacit::cli::Console console;
  console.asked({argv + 1, argv + argc});
  tacit::cli::add_commands(program, console);
  try {
    tacit::cli::check_spelling(program, {argv + 1, argv + argc});
    tacit::cli::check_ranks_for({argv + 1, argv + argc});
    program.parse(argc, argv);
    check_output();
    return 0;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return prints ? program.exit(e) : 0;  // --help and --version
    if (prints) fmt::print(stderr, "error: {}; see tacit {} --help\n", e.what(), argv[1]);
    return 2;
  } catch (const tacit::InputError& e) {
    if (prints) fmt::print(stderr, "error: {}\n", tacit::cli::in_options(e.what()));
    return 2;
  } catch (const tacit::StoppedByAsker& e) {
    fmt::print(stderr, "{}\n", tacit::cli::in_options(e.what()));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory; use fewer rows, test points or agents\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", tacit::cli::in_options(e.what()));
  }
  return 1;
}
