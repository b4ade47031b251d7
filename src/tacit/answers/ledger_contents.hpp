// What an agent took part in, run by run, from the lines of its ledger.
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

/// A run: what its lines say.
struct LedgerRun {
  LedgerLine began;
  std::string outcome = "did not end";  ///< it is under way, or the agent crashed in it
  std::string model = {};
  std::uint64_t opened = 0;
};

struct LedgerSum {
  std::uint64_t runs = 0, points = 0, opened = 0;
};

struct LedgerContents {
  LedgerState state;
  OpenedCount together;    ///< by fits on the rows of the last one
  double most_opened = 1;  ///< as the owner's policy has it
  std::vector<LedgerRun> runs;
  std::vector<std::string> notes;

  /// By month and asker.
  std::map<std::pair<std::string, std::string>, LedgerSum> sums() const;
  /// What fits on these rows may open together.
  std::uint64_t limit() const;
};

/// Of the runs that began at `since` or later.
LedgerContents read_contents(const std::filesystem::path& file, double most_opened,
                             const std::string& since = "");

/// With every run.
Json ledger_json(const LedgerContents& contents);
/// With sums by month and asker instead.
Json summary_json(const LedgerContents& contents);

}  // namespace tacit
