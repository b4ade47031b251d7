// tacit agent: runs one agent.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/daemon/daemon.hpp"
#include "tacit/agent/daemon/log.hpp"
#include "tacit/agent/daemon/ports.hpp"
#include "tacit/agent/rows/rank_rows.hpp"
#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/agent/ranks.hpp"
#include "tacit/cli/agent/which_agent.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/page/page_server.hpp"

namespace tacit::cli {
namespace {

void check_only(const AgentConfig& config, RowHome& home) {
  Preflight report = preflight(config, Signing::awaited, home);
  bool starts = report.sound();
  for (const Finding& one : port_findings(config)) {  // without metrics or page, the agent starts
    starts = starts && !(one.kind == Finding::Kind::error && one.text.starts_with("listen:"));
    report.findings.push_back(one);
  }
  std::size_t errors = 0;
  for (const Finding& finding : report.findings) {
    const bool error = finding.kind == Finding::Kind::error;
    errors += error ? 1 : 0;
    fmt::print("{:<9} {}\n",
               error                                    ? "Error"
               : finding.kind == Finding::Kind::warning ? "Warning"
                                                        : "Good",
               in_options(finding.text));
  }
  if (errors > 0)
    throw InputError(fmt::format("the agent would {}; fix the {} above",
                                 starts ? "start, but without some of its functions" : "not start",
                                 plural(errors, "error")));
}

void reload(const std::string& agent) {
  const control::ReloadReply reply = ControlClient(asked_agent(agent).socket).reload();
  for (const std::string& words : reply.words()) fmt::print("{}\n", in_options(words));
  fmt::print("{}\n", reply.load() > 0          ? "The agent now uses the new files."
                     : reply.words_size() == 0 ? "Nothing has changed."
                                               : "The agent continues unchanged.");
}

void add_reload(CLI::App& parent) {
  CLI::App* command = parent.add_subcommand(
      "reload", "Make a running agent reload its files: charter, agent.toml, keys and rows");
  auto agent = std::make_shared<std::string>(usual_agent());
  add_which_agent(*command, *agent);
  command->footer(
      "The agent adopts a charter that follows the present one and that all members have signed. It takes a "
      "new snapshot of\n"
      "its rows once enough rows were added or removed (policy.fewest_new_rows). If there is an error, the "
      "agent continues\n"
      "unchanged, and the command prints the reason.\n\n"
      "Example:\n  tacit agent reload --agent aachen");
  command->callback([agent] { reload(*agent); });
}

// Rank 0 is the agent. Only it has keys and links; the other ranks hold rows and compute for it.
void serve_rank_0(Team& team) {
  const BlasThreads one_each(1);
  serve_agent(team);
}

// A JSON log must contain only JSON, even when a rank ends unexpectedly.
void log_ranks(Team& team, const AgentConfig& config) {
  const LogSink log = make_log(config.json_log, config.log_level, "agent");
  log(LogLevel::info,
      fmt::format("the agent computes on {} ranks; to stop it, send SIGTERM to process {}, which is rank 0",
                  team.size(), ::getpid()));
  if (config.json_log)
    team.when_lost([log](const std::string& words) {
      log(LogLevel::error, words);
      std::_Exit(1);
    });
}

}  // namespace

void add_agent(CLI::App& program) {
  CLI::App* command = program.add_subcommand("agent", "Run an agent");
  struct Words {
    std::string config = "agent.toml";
    bool check = false;
  };
  auto o = std::make_shared<Words>();
  command
      ->add_option("--config", o->config, "The agent's configuration file, or the folder of its agent.toml")
      ->capture_default_str()
      ->type_name("PATH");
  command->add_flag(
      "--check", o->check,
      "Check data, charter, keys, clock, neighbours and ports, print the report and exit. Also works "
      "before all members have signed");
  command->footer(
      "The agent runs until SIGTERM or Ctrl-C; it finishes the current run first. SIGHUP has the effect of "
      "tacit agent\n"
      "reload. Logs go to standard error.\n\n"
      "Example:\n"
      "  tacit agent --config agent.toml");
  command->callback([o, command] {
    if (!command->get_subcommands().empty()) return;
    as_rank([&](Team& team) {
      if (!team.leads()) return serve_rank_0(team);
      std::unique_ptr<RankHome> ranks;
      if (team.size() > 1) ranks = std::make_unique<RankHome>(team, threads_of_rank());
      RowHome& home = ranks ? *ranks : home_here();
      AgentConfig config = read_agent_config(o->config);
      if (o->check) return check_only(config, home);
      if (ranks) log_ranks(team, config);
      run_agent(o->config, std::move(config), page_opener(), home);
    });
  });
  add_reload(*command);
}

}  // namespace tacit::cli
