// Two models with different rosters can be subtracted. This describes what the difference reveals, about
// whom.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tacit {

struct LedgerLine;

/// Names of agents, in the charter's order.
using Roster = std::vector<std::string>;

/// The rosters of fitted models. Takes the lines of a ledger in order.
class FittedRosters {
 public:
  explicit FittedRosters(std::string charter) : charter_(std::move(charter)) {}
  void add(const LedgerLine& line);
  /// Rosters under this charter, including those of fits that never ended: they may have opened numbers.
  std::set<Roster> all() const;
  /// Rosters under earlier charters.
  const std::set<Roster>& before() const { return before_; }

 private:
  const std::string charter_;
  std::set<Roster> ended_, before_;
  std::map<std::string, Roster> under_way_;  // by run
};

/// One sentence for each pair of rosters, at most ten.
std::vector<std::string> what_rosters_show(const std::set<Roster>& rosters);

/// The same for this charter's rosters, and a sentence about members added or removed since earlier charters.
std::vector<std::string> what_rosters_show(const FittedRosters& fitted);

/// "a, b and c"
std::string listed(const Roster& names);

}  // namespace tacit
