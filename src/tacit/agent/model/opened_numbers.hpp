// Counts the numbers that fits on the same rows have opened in total. Fits with other terms or rosters add
// up; a fit that opens the same numbers again adds nothing. A fit without a recorded end, as after a crash,
// counts with the numbers that it was about to open.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tacit {

struct LedgerLine;

struct OpenedCount {
  std::uint64_t opened = 0;  ///< numbers opened by fits with different contents
  std::uint64_t held = 0;    ///< numbers in the rows of all agents, as of the last completed fit
};

/// Takes the lines of a ledger in order, of all charters.
class OpenedCounter {
 public:
  void add(const LedgerLine& line);
  /// The count of the fits on this agent's rows with this digest.
  OpenedCount on(const std::string& rows) const;
  /// The digest of the rows of the last fit; empty if there was none.
  const std::string& last_rows() const { return last_; }

 private:
  struct OnRows {
    std::map<std::string, std::uint64_t> opened;  // by content
    std::uint64_t held = 0;
  };
  struct Begun {
    std::string rows;
    std::uint64_t opens = 0;
  };
  std::map<std::string, OnRows> all_;   // by the digest of the rows
  std::map<std::string, Begun> begun_;  // by run: the fits that have not ended
  std::string last_;
};

}  // namespace tacit
