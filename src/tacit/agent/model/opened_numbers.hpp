// What fits on the same rows have opened together. Fits on other terms, or of other rosters, add up; one that
// opened the same numbers again has opened nothing. One whose end was not written down, as after a crash,
// counts with what it was about to open.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tacit {

struct LedgerLine;

struct OpenedCount {
  std::uint64_t opened = 0;  ///< numbers, by fits with different contents
  std::uint64_t held = 0;    ///< numbers that the rows of all agents hold, by the last fit that was done
};

/// From the lines of a ledger in their order, whatever their charters.
class OpenedCounter {
 public:
  void add(const LedgerLine& line);
  /// By fits on an agent's rows that have this digest.
  OpenedCount on(const std::string& rows) const;
  /// The rows of the last fit; empty when there was none.
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
  std::map<std::string, Begun> begun_;  // by run: those that have not ended
  std::string last_;
};

}  // namespace tacit
