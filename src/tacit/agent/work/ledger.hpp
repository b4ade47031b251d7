// An agent's own record of every run that it took part in: asker, kind, roster, and how many numbers were
// opened. Lines are only appended, and each contains the hash of the line before. It holds no data, points or
// results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tacit/agent/model/opened_numbers.hpp"
#include "tacit/agent/model/rosters.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// The content of a line. Agents are listed by name.
struct LedgerLine {
  std::uint64_t number = 0;  ///< from 1, without gaps
  std::string time;          ///< UTC
  std::string event;         ///< "began", "opens", "ended"; "continued" if an earlier ledger was set aside
  std::string run;           ///< the run's name, hexadecimal
  std::string asker, kind;
  std::uint64_t points = 0;
  std::vector<std::string> roster;
  std::string charter;        ///< hash
  std::string model;          ///< digest; empty while a fit has no model yet
  std::uint64_t version = 0;  ///< of that model
  std::string outcome;        ///< of "ended": "done" or "failed"
  /// For "ended": the numbers that all agents received. For "opens": a lower bound of these, in case the
  /// agent ends before the run does.
  std::uint64_t opened = 0;
  std::string rows;  ///< for a fit: salted digest of this agent's rows
  // For a fit that ended:
  std::string content;     ///< digest of the opened numbers
  std::uint64_t held = 0;  ///< numbers in the rows of all agents; 0 unless the outcome is "done"
  std::string words;       ///< for "continued": what happened
};

/// The result of reading a ledger, besides its lines.
struct LedgerState {
  std::uint64_t lines = 0;
  std::string last;    ///< hash of the last line
  std::string broken;  ///< the line where the hash chain breaks, and why; empty if it is intact
  /// Why it cannot be read or written at all; empty if it can. Its content is then unknown, and the file is
  /// not changed.
  std::string unusable;
  bool torn = false;                   ///< the last line is incomplete: the agent crashed, or is writing it
  std::vector<std::string> continued;  ///< the words of the "continued" lines
};

/// Reads a ledger line by line, up to its end or to the first invalid line. A missing file is an empty
/// ledger. An agent may write to it at the same time. Throws Error if the file cannot be read, and
/// NewerFormat for a ledger of a later release.
LedgerState read_ledger(const std::filesystem::path& file,
                        const std::function<void(const LedgerLine&)>& line);

/// Safe to call from several threads.
class Ledger {
 public:
  /// Moves an incomplete last line to a separate file. Renames a ledger with a broken chain; the new ledger
  /// begins with a line that reports this. A file that cannot be read or opened is not changed; `unusable`
  /// of state() then states the reason, and add() throws. `charter` is the hash of the current charter.
  Ledger(std::filesystem::path file, std::string charter, LogSink log);
  ~Ledger();
  Ledger(const Ledger&) = delete;

  /// Adds a line, with number, time and charter filled in. Throws Error. The line is on disk when this
  /// returns, except for "ended": if a crash loses that line, the earlier lines are sufficient.
  void add(LedgerLine line);

  LedgerState state() const;
  std::vector<std::string> what_rosters_show() const;
  /// The numbers opened by fits on the rows with this digest.
  OpenedCount opened_on(const std::string& rows) const;

 private:
  void start_writing(std::uintmax_t whole);  // bytes of valid lines in the file
  void open();

  const std::filesystem::path file_;
  const std::string charter_;
  const LogSink log_;
  mutable std::mutex guard_;
  int handle_ = -1;
  LedgerState state_;
  FittedRosters rosters_;
  OpenedCounter fits_;
};

/// One run in the ledger. The constructor writes "began"; the destructor writes "ended", with outcome
/// "failed" unless done() was called. A fit also writes "opens" before its sum over landmarks.
class LedgerEntry {
 public:
  using AtEnd = std::function<void(LedgerLine&)>;
  /// `at_end` fills in what was opened. Throws Error if the line cannot be written.
  LedgerEntry(Ledger& ledger, LedgerLine began, AtEnd at_end, LogSink log);
  ~LedgerEntry();
  LedgerEntry(const LedgerEntry&) = delete;

  /// Call it before the sum that opens the most. Throws Error if the line cannot be written.
  void opens(std::uint64_t numbers);
  /// Sets the digest of the resulting model.
  void gave(const std::string& model) { line_.model = model; }
  /// Sets how many numbers the rows of all agents hold.
  void held(std::uint64_t numbers) { line_.held = numbers; }
  void done() { line_.outcome = "done"; }

 private:
  Ledger& ledger_;
  LedgerLine line_;
  const AtEnd at_end_;
  const LogSink log_;
};

}  // namespace tacit
