// The runs that an agent took part in, from the lines of its ledger.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tacit/agent/work/ledger.hpp"
#include "tacit/answers/json.hpp"

namespace tacit {

/// A run, from all its lines.
struct LedgerRun {
  LedgerLine began;
  std::string outcome = "did not end";  ///< the run is in progress, or the agent crashed in it
  std::string model = {};
  std::uint64_t opened = 0;
};

struct LedgerSum {
  std::uint64_t runs = 0, points = 0, opened = 0;
};

struct LedgerContents {
  LedgerState state;
  OpenedCount together;    ///< numbers opened by all fits on the rows of the last fit
  double most_opened = 1;  ///< from the owner's policy
  std::vector<LedgerRun> runs;
  std::vector<std::string> notes;

  /// Sums by month and asker.
  std::map<std::pair<std::string, std::string>, LedgerSum> sums() const;
  /// How many numbers fits on these rows may open in total.
  std::uint64_t limit() const;
};

/// Reads the runs that began at `since` or later.
LedgerContents read_contents(const std::filesystem::path& file, double most_opened,
                             const std::string& since = "");

/// The contents with all runs.
Json ledger_json(const LedgerContents& contents);
/// The contents with sums by month and asker instead of runs.
Json summary_json(const LedgerContents& contents);

}  // namespace tacit
