// Two models with different rosters can be subtracted from one another: what does that show, and about whom?
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tacit {

struct LedgerLine;

/// By name, in the charter's order.
using Roster = std::vector<std::string>;

/// The rosters that models were fitted with, from the lines of a ledger in their order.
class FittedRosters {
 public:
  explicit FittedRosters(std::string charter) : charter_(std::move(charter)) {}
  void add(const LedgerLine& line);
  /// Of this charter. Those of fits that never ended count too: they may have opened something.
  std::set<Roster> all() const;
  /// Of charters before it.
  const std::set<Roster>& before() const { return before_; }

 private:
  const std::string charter_;
  std::set<Roster> ended_, before_;
  std::map<std::string, Roster> under_way_;  // by run
};

/// A sentence for each two of the rosters, ten at most.
std::vector<std::string> what_rosters_show(const std::set<Roster>& rosters);

/// The same of this charter's rosters, and one about all who came or went since the charters before.
std::vector<std::string> what_rosters_show(const FittedRosters& fitted);

/// "a, b and c"
std::string listed(const Roster& names);

}  // namespace tacit
