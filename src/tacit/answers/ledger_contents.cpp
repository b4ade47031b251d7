#include "tacit/answers/ledger_contents.hpp"

#include <fmt/format.h>

#include "tacit/answers/numbers.hpp"

namespace tacit {
namespace {

std::string together_text(const LedgerContents& contents) {
  const auto& [opened, held] = contents.together;
  return fmt::format(
      "Fits on this agent's rows have opened {} of the {} numbers that its policy allows; the rows of all "
      "agents hold {}.{}",
      count(opened), count(contents.limit()), count(held),
      opened < contents.limit() ? "" : " No further fit is possible until its rows have changed.");
}

// The common part of both forms.
Json head_json(const LedgerContents& contents) {
  return {
      {"lines", contents.state.lines},
      {"hash", contents.state.last},
      {"chain_holds", contents.state.broken.empty()},
      {"broken", contents.state.broken},
      {"fits_on_these_rows",
       {{"opened", contents.together.opened}, {"limit", contents.limit()}, {"held", contents.together.held}}},
      {"notes", contents.notes}};
}

}  // namespace

std::uint64_t LedgerContents::limit() const {
  return static_cast<std::uint64_t>(most_opened * static_cast<double>(together.held));
}

std::map<std::pair<std::string, std::string>, LedgerSum> LedgerContents::sums() const {
  std::map<std::pair<std::string, std::string>, LedgerSum> all;
  for (const LedgerRun& run : runs) {
    LedgerSum& sum = all[{run.began.time.substr(0, 7), run.began.asker}];
    ++sum.runs;
    sum.points += run.began.points;
    sum.opened += run.opened;
  }
  return all;
}

LedgerContents read_contents(const std::filesystem::path& file, double most_opened,
                             const std::string& since) {
  LedgerContents contents;
  contents.most_opened = most_opened;
  OpenedCounter fits;
  std::map<std::string, std::size_t> places;     // by run
  std::map<std::string, FittedRosters> rosters;  // by charter
  std::vector<LedgerLine> of_fits;
  contents.state = read_ledger(file, [&](const LedgerLine& line) {
    rosters.try_emplace(line.charter, line.charter).first->second.add(line);
    if (line.kind == "fit") of_fits.push_back(line);
    fits.add(line);
    if (line.event == "began" && line.time >= since) {
      places[line.run] = contents.runs.size();
      contents.runs.push_back({.began = line, .model = line.model});
    } else if (line.event == "opens" && places.contains(line.run)) {
      contents.runs[places[line.run]].opened = line.opened;
    } else if (line.event == "ended" && places.contains(line.run)) {
      LedgerRun& run = contents.runs[places[line.run]];
      run.outcome = line.outcome;
      run.model = line.model;
      run.opened = line.opened;
    }
  });
  contents.together = fits.on(fits.last_rows());
  if (contents.together.held > 0) contents.notes.push_back(together_text(contents));
  for (const std::string& words : contents.state.continued) contents.notes.push_back(words);
  if (contents.state.torn)
    contents.notes.push_back("the last line is incomplete: the agent is writing it, or it crashed");
  if (!of_fits.empty()) {
    const std::string now = of_fits.back().charter;
    FittedRosters last(now);  // also compares with earlier charters
    for (const LedgerLine& line : of_fits) last.add(line);
    rosters.erase(now);
    for (const std::string& words : what_rosters_show(last)) contents.notes.push_back(words);
  }
  for (const auto& [charter, used] : rosters)
    for (const std::string& words : what_rosters_show(used.all())) contents.notes.push_back(words);
  return contents;
}

Json ledger_json(const LedgerContents& contents) {
  Json json = head_json(contents);
  json["runs"] = Json::array();
  for (const LedgerRun& run : contents.runs)
    json["runs"].push_back({{"number", run.began.number},
                            {"time", run.began.time},
                            {"run", run.began.run},
                            {"asker", run.began.asker},
                            {"kind", run.began.kind},
                            {"points", run.began.points},
                            {"roster", run.began.roster},
                            {"charter", run.began.charter},
                            {"model", run.model},
                            {"version", run.began.version},
                            {"outcome", run.outcome},
                            {"opened", run.opened}});
  return json;
}

Json summary_json(const LedgerContents& contents) {
  Json json = head_json(contents);
  json["summary"] = Json::array();
  for (const auto& [key, sum] : contents.sums())
    json["summary"].push_back({{"month", key.first},
                               {"asker", key.second},
                               {"runs", sum.runs},
                               {"points", sum.points},
                               {"opened", sum.opened}});
  return json;
}

}  // namespace tacit
