#include "tacit/agent/model/rosters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tacit/agent/work/ledger.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_sentences = 10;

std::string rows_of(const Roster& names) {
  return names.size() == 1 ? names[0] + "'s rows" : fmt::format("the rows of {} together", listed(names));
}

Roster less(Roster a, Roster b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  Roster left;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
  return left;
}

std::string sentence(const Roster& one, const Roster& other) {
  const Roster only_one = less(one, other), only_other = less(other, one);
  if (only_one.empty() || only_other.empty()) {
    const Roster& who = only_one.empty() ? only_other : only_one;
    return fmt::format(
        "Models of this charter were fitted with and without {}. Anyone who has both can subtract them to "
        "get sums over only {}.",
        listed(who), rows_of(who));
  }
  return fmt::format(
      "Models of this charter were fitted with {} and without {}, and vice versa. Anyone who has both can "
      "subtract them to get the difference between sums over {} and over {}.",
      listed(only_one), listed(only_other), rows_of(only_one), rows_of(only_other));
}

}  // namespace

std::string listed(const Roster& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

void FittedRosters::add(const LedgerLine& line) {
  if (line.kind != "fit") return;
  if (line.charter != charter_) {
    if (line.event == "ended" && (line.outcome == "done" || line.opened > 0)) before_.insert(line.roster);
    return;
  }
  if (line.event == "began") {
    under_way_[line.run] = line.roster;
  } else if (line.event == "ended") {
    under_way_.erase(line.run);
    if (line.outcome == "done" || line.opened > 0) ended_.insert(line.roster);
  }
}

std::set<Roster> FittedRosters::all() const {
  std::set<Roster> all = ended_;
  for (const auto& [run, roster] : under_way_) all.insert(roster);
  return all;
}

std::vector<std::string> what_rosters_show(const std::set<Roster>& rosters) {
  std::vector<std::string> sentences;
  for (auto one = rosters.begin(); one != rosters.end(); ++one)
    for (auto other = std::next(one); other != rosters.end() && sentences.size() < most_sentences; ++other)
      sentences.push_back(sentence(*one, *other));
  return sentences;
}

std::vector<std::string> what_rosters_show(const FittedRosters& fitted) {
  const std::set<Roster> rosters = fitted.all();
  std::vector<std::string> sentences = what_rosters_show(rosters);
  if (rosters.empty()) return sentences;
  std::set<std::string> moved;  // in a model of this charter but not in an earlier one, or vice versa
  for (const Roster& roster : fitted.before())
    for (const Roster& now : rosters)
      for (const Roster& part : {less(roster, now), less(now, roster)})
        moved.insert(part.begin(), part.end());
  if (!moved.empty()) {
    const Roster who(moved.begin(), moved.end());
    sentences.push_back(
        fmt::format("Under this charter and earlier ones, models were fitted with and without {}. Anyone who "
                    "has both can subtract them. If the rows of the other members stayed the same, this "
                    "gives sums over the rows of {}.",
                    listed(who), listed(who)));
  }
  return sentences;
}

}  // namespace tacit
