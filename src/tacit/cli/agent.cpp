// tacit agent: runs one agent.
#include <fmt/format.h>

#include <memory>

#include "tacit/agent/daemon.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/commands.hpp"
#include "tacit/cli/numbers.hpp"

namespace tacit::cli {
namespace {

void check_only(const AgentConfig& config) {
  const Preflight report = preflight(config, Signing::awaited);
  std::size_t errors = 0;
  for (const Finding& finding : report.findings) {
    const bool error = finding.kind == Finding::Kind::error;
    errors += error ? 1 : 0;
    fmt::print("{:<9} {}\n",
               error                                    ? "Error"
               : finding.kind == Finding::Kind::warning ? "Warning"
                                                        : "Good",
               finding.text);
  }
  if (errors > 0)
    throw InputError(fmt::format("the agent would not start: {} above", plural(errors, "error")));
}

}  // namespace

void add_agent(CLI::App& program) {
  CLI::App* command = program.add_subcommand("agent", "Run an agent");
  struct Words {
    std::string config = "agent.toml";
    bool check = false;
  };
  auto o = std::make_shared<Words>();
  command->add_option("--config", o->config, "The agent's configuration, or the folder of its agent.toml")
      ->capture_default_str()
      ->type_name("PATH");
  command->add_flag("--check", o->check,
                    "Print the pre-flight report and exit: data, charter, keys, clock, neighbours. "
                    "Possible before all have signed");
  command->footer(
      "Runs until SIGTERM or Ctrl-C, and lets the current run finish first. Logs go to standard error.\n\n"
      "Example:\n"
      "  tacit agent --config agent.toml");
  command->callback([o] {
    const AgentConfig config = read_agent_config(o->config);
    o->check ? check_only(config) : run_agent(config);
  });
}

}  // namespace tacit::cli
