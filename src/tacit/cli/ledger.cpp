// tacit ledger: what an agent took part in, from its own file.
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <memory>

#include "tacit/agent/agent_config.hpp"
#include "tacit/agent/ledger.hpp"
#include "tacit/agent/utc.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/commands.hpp"
#include "tacit/cli/console.hpp"
#include "tacit/cli/numbers.hpp"
#include "tacit/cli/which_agent.hpp"

namespace tacit::cli {
namespace {

struct LedgerCommand {
  std::string agent, since;
  bool summary = false, verify = false, csv = false, json = false;
};

// A run: what its lines say.
struct Entry {
  LedgerLine began;
  std::string outcome = "did not end";  // it is under way, or the agent crashed in it
  std::string model;
  std::uint64_t opened = 0;
};

struct Sum {
  std::uint64_t runs = 0, points = 0, opened = 0;
};

struct Contents {
  LedgerState state;
  OpenedTogether together;  // by fits on the rows of the last one
  double most_opened = 1;   // as the owner's policy has it
  std::vector<Entry> entries;
  std::vector<std::string> notes;
};

std::uint64_t limit_of(const Contents& contents) {
  return static_cast<std::uint64_t>(contents.most_opened * static_cast<double>(contents.together.held));
}

std::string together_text(const Contents& contents) {
  const auto& [opened, held] = contents.together;
  return fmt::format(
      "Fits on this agent's rows have opened {} numbers together, of {} that its policy allows; the rows of "
      "all agents hold {}.{}",
      count(opened), count(limit_of(contents)), count(held),
      opened < limit_of(contents) ? "" : " There is no further fit until its rows have changed.");
}

Contents read(const std::filesystem::path& file, const std::string& since, double most_opened) {
  Contents contents;
  contents.most_opened = most_opened;
  OpenedByFits fits;
  std::map<std::string, std::size_t> places;     // by run
  std::map<std::string, FittedRosters> rosters;  // by charter
  std::vector<LedgerLine> of_fits;
  contents.state = read_ledger(file, [&](const LedgerLine& line) {
    rosters.try_emplace(line.charter, line.charter).first->second.add(line);
    if (line.kind == "fit") of_fits.push_back(line);
    fits.add(line);
    if (line.event == "began" && line.time >= since) {
      places[line.run] = contents.entries.size();
      contents.entries.push_back({.began = line, .model = line.model});
    } else if (line.event == "opens" && places.contains(line.run)) {
      contents.entries[places[line.run]].opened = line.opened;
    } else if (line.event == "ended" && places.contains(line.run)) {
      Entry& entry = contents.entries[places[line.run]];
      entry.outcome = line.outcome;
      entry.model = line.model;
      entry.opened = line.opened;
    }
  });
  contents.together = fits.on(fits.last_rows());
  if (contents.together.held > 0) contents.notes.push_back(together_text(contents));
  for (const std::string& words : contents.state.continued) contents.notes.push_back(words);
  if (contents.state.torn)
    contents.notes.push_back("the last line is not complete: the agent is writing it, or has crashed");
  if (!of_fits.empty()) {
    const std::string now = of_fits.back().charter;
    FittedRosters last(now);  // which also compares with what was before
    for (const LedgerLine& line : of_fits) last.add(line);
    rosters.erase(now);
    for (const std::string& words : what_rosters_show(last)) contents.notes.push_back(words);
  }
  for (const auto& [charter, used] : rosters)
    for (const std::string& words : what_rosters_show(used.all())) contents.notes.push_back(words);
  return contents;
}

// By month and asker.
std::map<std::pair<std::string, std::string>, Sum> sums(const Contents& contents) {
  std::map<std::pair<std::string, std::string>, Sum> all;
  for (const Entry& entry : contents.entries) {
    Sum& sum = all[{entry.began.time.substr(0, 7), entry.began.asker}];
    ++sum.runs;
    sum.points += entry.began.points;
    sum.opened += entry.opened;
  }
  return all;
}

Json json_of(const LedgerCommand& o, const Contents& contents) {
  Json json{{"lines", contents.state.lines},
            {"hash", contents.state.last},
            {"chain_holds", contents.state.broken.empty()},
            {"broken", contents.state.broken},
            {"fits_on_these_rows",
             {{"opened", contents.together.opened},
              {"limit", limit_of(contents)},
              {"held", contents.together.held}}},
            {"notes", contents.notes}};
  if (o.summary) {
    json["summary"] = Json::array();
    for (const auto& [key, sum] : sums(contents))
      json["summary"].push_back({{"month", key.first},
                                 {"asker", key.second},
                                 {"runs", sum.runs},
                                 {"points", sum.points},
                                 {"opened", sum.opened}});
    return json;
  }
  json["runs"] = Json::array();
  for (const Entry& entry : contents.entries)
    json["runs"].push_back({{"number", entry.began.number},
                            {"time", entry.began.time},
                            {"run", entry.began.run},
                            {"asker", entry.began.asker},
                            {"kind", entry.began.kind},
                            {"points", entry.began.points},
                            {"roster", entry.began.roster},
                            {"charter", entry.began.charter},
                            {"model", entry.model},
                            {"version", entry.began.version},
                            {"outcome", entry.outcome},
                            {"opened", entry.opened}});
  return json;
}

// Names of agents, kinds and outcomes have no commas.
std::string csv_of(const LedgerCommand& o, const Contents& contents) {
  std::string text;
  if (o.summary) {
    text = "month,asker,runs,points,opened\n";
    for (const auto& [key, sum] : sums(contents))
      text += fmt::format("{},{},{},{},{}\n", key.first, key.second, sum.runs, sum.points, sum.opened);
    return text;
  }
  text = "number,time,run,asker,kind,points,roster,charter,model,version,outcome,opened\n";
  for (const Entry& entry : contents.entries)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", entry.began.number, entry.began.time,
                        entry.began.run, entry.began.asker, entry.began.kind, entry.began.points,
                        fmt::join(entry.began.roster, " "), entry.began.charter, entry.model,
                        entry.began.version, entry.outcome, entry.opened);
  return text;
}

void print_table(const LedgerCommand& o, const Contents& contents) {
  if (o.summary) {
    fmt::print("{:<8} {:<16} {:>8} {:>12} {:>14}\n", "month", "asker", "runs", "points", "numbers opened");
    for (const auto& [key, sum] : sums(contents))
      fmt::print("{:<8} {:<16} {:>8} {:>12} {:>14}\n", key.first, key.second, count(sum.runs),
                 count(sum.points), count(sum.opened));
    return;
  }
  fmt::print("{:<24} {:<16} {:<9} {:>8} {:>14}  {:<11} {:<14} {}\n", "time (UTC)", "asker", "kind", "points",
             "numbers opened", "outcome", "model", "roster");
  for (const Entry& entry : contents.entries)
    fmt::print(
        "{:<24} {:<16} {:<9} {:>8} {:>14}  {:<11} {:<14} {}\n", entry.began.time, entry.began.asker,
        entry.began.kind, count(entry.began.points), count(entry.opened), entry.outcome,
        entry.model.empty() ? "" : fmt::format("{} ({})", entry.model.substr(0, 8), entry.began.version),
        listed(entry.began.roster));
}

// A day, or a whole time as the ledger has it.
void check_since(const std::string& since) {
  if (!since.empty() && !parse_utc(since) && !parse_utc(since + "T00:00:00.000Z"))
    throw InputError(fmt::format("--since {}: this is not a date; write one as 2026-11-16", since));
}

void ledger(const LedgerCommand& o, Console& console) {
  check_since(o.since);
  const AgentConfig config = read_agent_config(o.agent);
  const std::filesystem::path file = config.state / "ledger.jsonl";
  const Contents contents = read(file, o.since, config.policy.most_opened);
  if (o.json) {
    console.answer(json_of(o, contents));
  } else if (o.csv) {
    std::cout << csv_of(o, contents);
  } else {
    if (o.verify && contents.state.broken.empty())
      fmt::print("The chain of {} holds; the hash of the last is\n{}\n", plural(contents.state.lines, "line"),
                 contents.state.last);
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
        fmt::format("{}: {}; what comes after it cannot be trusted", file.string(), contents.state.broken));
}

}  // namespace

void add_ledger(CLI::App& program, Console& console) {
  CLI::App* command = program.add_subcommand("ledger", "Show what an agent has taken part in");
  auto o = std::make_shared<LedgerCommand>();
  o->agent = usual_agent();
  add_which_agent(*command, o->agent, "Whose ledger: its agent.toml or the folder of that file");
  command->add_flag("--summary", o->summary, "Runs, points and numbers opened, by month and asker");
  command->add_flag("--verify", o->verify, "Only check that no line was changed or removed");
  command->add_option("--since", o->since, "Only runs since this day (UTC)")->type_name("DATE");
  auto* csv = command->add_flag("--csv", o->csv, "A table for spreadsheets on standard output");
  command->add_flag("--json", o->json, "One JSON object on standard output")->excludes(csv);
  command->footer(
      "Reads the agent's own file, whether it runs or not. The chain shows changes and gaps. That lines are "
      "missing at\nthe end shows only to whoever has noted an earlier hash of the last line.\n\n"
      "Example:\n"
      "  tacit ledger --agent hospital-1 --summary");
  command->callback([o, &console] { ledger(*o, console); });
}

}  // namespace tacit::cli
