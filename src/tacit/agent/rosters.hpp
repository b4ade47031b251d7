// Two models of one charter with different rosters can be subtracted from one another: what does that show,
// and about whom?
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tacit {

struct LedgerLine;

/// By name, in the charter's order.
using Roster = std::vector<std::string>;

/// The rosters that models of a charter were fitted with, from the lines of a ledger in their order.
class FittedRosters {
 public:
  explicit FittedRosters(std::string charter) : charter_(std::move(charter)) {}
  void add(const LedgerLine& line);
  /// Those of fits that never ended count too: they may have opened something.
  std::set<Roster> all() const;

 private:
  const std::string charter_;
  std::set<Roster> ended_;
  std::map<std::string, Roster> under_way_;  // by run
};

/// A sentence for each two of the rosters, ten at most.
std::vector<std::string> what_rosters_show(const std::set<Roster>& rosters);

/// "a, b and c"
std::string listed(const Roster& names);

}  // namespace tacit
