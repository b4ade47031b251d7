// tacit agent: runs one agent.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/daemon/daemon.hpp"
#include "tacit/agent/daemon/log.hpp"
#include "tacit/agent/rows/rank_rows.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/agent/which_agent.hpp"
#include "tacit/cli/lab/ranks.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/text/answer_text.hpp"
#include "tacit/cli/text/numbers.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/page/page_server.hpp"

namespace tacit::cli {
namespace {

void check_only(const AgentConfig& config, RowHome& home) {
  const Preflight report = preflight(config, Signing::awaited, home);
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

void reload(const std::string& agent) {
  const control::ReloadReply reply = ControlClient(socket_of(agent)).reload();
  for (const std::string& words : reply.words()) fmt::print("{}\n", words);
  fmt::print("{}\n", reply.load() > 0          ? "The agent runs with what its files say now."
                     : reply.words_size() == 0 ? "Nothing has changed."
                                               : "The agent goes on as before.");
}

void add_reload(CLI::App& parent) {
  CLI::App* command = parent.add_subcommand(
      "reload", "Have a running agent read its files again: charter, agent.toml, keys and rows");
  auto agent = std::make_shared<std::string>(usual_agent());
  add_which_agent(*command, *agent);
  command->footer(
      "A charter is taken over when it follows the present one and all have signed it. Rows are learnt from "
      "by a new\nsnapshot when enough of them came or went (policy.fewest_new_rows). If anything is wrong, "
      "the "
      "agent goes on as\nbefore, and the command says why.\n\n"
      "Example:\n  tacit agent reload --agent aachen");
  command->callback([agent] { reload(*agent); });
}

// The others hold rows and compute for rank 0, which is the agent, and alone has keys and links.
void help(Team& team) {
  const BlasThreads one_each(1);
  serve_agent(team);
}

// A log in JSON has nothing but JSON in it, also when a rank ends before its time.
void log_ranks(Team& team, const AgentConfig& config) {
  const LogSink log = make_log(config.json_log, config.log_level, "agent");
  log(LogLevel::info,
      fmt::format("the agent computes by {} ranks; SIGTERM to process {}, which is rank 0, stops it",
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
  command->add_option("--config", o->config, "The agent's configuration, or the folder of its agent.toml")
      ->capture_default_str()
      ->type_name("PATH");
  command->add_flag("--check", o->check,
                    "Print the pre-flight report and exit: data, charter, keys, clock, neighbours. "
                    "Possible before all have signed");
  command->footer(
      "Runs until SIGTERM or Ctrl-C, and lets the current run finish first. SIGHUP is tacit agent reload. "
      "Logs "
      "go to\nstandard error.\n\n"
      "Example:\n"
      "  tacit agent --config agent.toml");
  command->callback([o, command] {
    if (!command->get_subcommands().empty()) return;
    as_rank([&](Team& team) {
      if (!team.leads()) return help(team);
      std::unique_ptr<RankHome> ranks;
      if (team.size() > 1) ranks = std::make_unique<RankHome>(team, threads_of_rank());
      RowHome& home = ranks ? *ranks : home_here();
      if (o->check) return check_only(read_agent_config(o->config), home);
      if (ranks) log_ranks(team, read_agent_config(o->config));
      run_agent(o->config, page_beside, home);
    });
  });
  add_reload(*command);
}

}  // namespace tacit::cli
