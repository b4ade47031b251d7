// tacit ledger: shows the runs that an agent took part in, from the agent's own file.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/daemon/utc.hpp"
#include "tacit/answers/ledger_contents.hpp"
#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/agent/which_agent.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"

namespace tacit::cli {
namespace {

struct LedgerCommand {
  std::string agent, since;
  bool summary = false, verify = false, csv = false, json = false;
};

// Names of agents, kinds and outcomes contain no commas, so no cell needs quotes.
std::string csv_of(const LedgerCommand& o, const LedgerContents& contents) {
  std::string text;
  if (o.summary) {
    text = "month,asker,runs,points,opened\n";
    for (const auto& [key, sum] : contents.sums())
      text += fmt::format("{},{},{},{},{}\n", key.first, key.second, sum.runs, sum.points, sum.opened);
    return text;
  }
  text = "number,time,run,asker,kind,points,roster,charter,model,version,outcome,opened\n";
  for (const LedgerRun& run : contents.runs)
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", run.began.number, run.began.time, run.began.run,
                    run.began.asker, run.began.kind, run.began.points, fmt::join(run.began.roster, " "),
                    run.began.charter, run.model, run.began.version, run.outcome, run.opened);
  return text;
}

void print_table(const LedgerCommand& o, const LedgerContents& contents) {
  if (o.summary) {
    fmt::print("{:<8} {:<16} {:>8} {:>12} {:>14}\n", "month", "asker", "runs", "points", "numbers opened");
    for (const auto& [key, sum] : contents.sums())
      fmt::print("{:<8} {:<16} {:>8} {:>12} {:>14}\n", key.first, key.second, count(sum.runs),
                 count(sum.points), count(sum.opened));
    return;
  }
  fmt::print("{:<24} {:<16} {:<9} {:>8} {:>14}  {:<11} {:<14} {}\n", "time (UTC)", "asker", "kind", "points",
             "numbers opened", "outcome", "model", "roster");
  for (const LedgerRun& run : contents.runs)
    fmt::print("{:<24} {:<16} {:<9} {:>8} {:>14}  {:<11} {:<14} {}\n", run.began.time, run.began.asker,
               run.began.kind, count(run.began.points), count(run.opened), run.outcome,
               run.model.empty() ? "" : fmt::format("{} ({})", run.model.substr(0, 8), run.began.version),
               listed(run.began.roster));
}

// A day, or a time as the ledger writes it.
void check_since(const std::string& since) {
  if (!since.empty() && !parse_utc(since) && !parse_utc(since + "T00:00:00.000Z"))
    throw InputError(fmt::format("--since {}: this is not a date; write it like 2026-11-16", since));
}

void ledger(const LedgerCommand& o, Console& console) {
  check_since(o.since);
  const AgentConfig config = read_agent_config(o.agent);
  const std::filesystem::path file = config.state / "ledger.jsonl";
  const LedgerContents contents = read_contents(file, config.policy.most_opened, o.since);
  if (o.json) {
    console.answer(o.summary ? summary_json(contents) : ledger_json(contents));
  } else if (o.csv) {
    std::cout << csv_of(o, contents);
  } else {
    if (o.verify && contents.state.broken.empty())
      fmt::print("The chain of {} is intact; the hash of the last line is\n{}\n",
                 plural(contents.state.lines, "line"), contents.state.last);
    if (!o.verify || o.summary) print_table(o, contents);
  }
  for (const std::string& note : contents.notes)
    if (o.json || o.csv)
      console.note("Note: " + note);
    else
      fmt::print("Note: {}\n", note);
  std::fflush(stdout);
  if (!contents.state.broken.empty())
    throw Error(
        fmt::format("{}: {}; the lines after it cannot be trusted", file.string(), contents.state.broken));
}

}  // namespace

void add_ledger(CLI::App& program, Console& console) {
  CLI::App* command = program.add_subcommand("ledger", "Show the runs that an agent took part in");
  auto o = std::make_shared<LedgerCommand>();
  o->agent = usual_agent();
  add_which_agent(*command, o->agent, "The agent: its agent.toml, or the folder of that file");
  command->add_flag("--summary", o->summary, "Show runs, points and numbers opened, by month and asker");
  command->add_flag("--verify", o->verify, "Only check that no line was changed or removed");
  command->add_option("--since", o->since, "Show only runs since this day (UTC)")->type_name("DATE");
  auto* csv = command->add_flag("--csv", o->csv, "Print a table for spreadsheets on standard output");
  command->add_flag("--json", o->json, "Print one JSON object on standard output")->excludes(csv);
  command->footer(
      "The command reads the agent's own file; the agent need not be running. The chain reveals changed and "
      "missing lines.\n"
      "To detect lines that are missing at the end, compare with an earlier hash of the last line.\n\n"
      "Example:\n"
      "  tacit ledger --agent hospital-1 --summary");
  command->callback([o, &console] { ledger(*o, console); });
}

}  // namespace tacit::cli
