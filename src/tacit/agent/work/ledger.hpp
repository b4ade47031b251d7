// An agent's own record of every run it took part in: who asked, what, over which roster, how many numbers
// were opened. Lines are only ever added, and each holds the hash of the one before it. No data, no points
// and no results are in it.
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

/// What a line says. Agents are given by name.
struct LedgerLine {
  std::uint64_t number = 0;  ///< from 1, without gaps
  std::string time;          ///< UTC
  std::string event;         ///< "began", "opens", "ended", or "continued" after a ledger that was put aside
  std::string run;           ///< its name, hexadecimal
  std::string asker, kind;
  std::uint64_t points = 0;
  std::vector<std::string> roster;
  std::string charter;        ///< hash
  std::string model;          ///< digest; empty while a fit has none yet
  std::uint64_t version = 0;  ///< of that model
  std::string outcome;        ///< of "ended": "done" or "failed"
  /// Of "ended": numbers that everybody got to see. Of "opens": how many that will be at least, should the
  /// agent not live to see the end.
  std::uint64_t opened = 0;
  std::string rows;  ///< of a fit: salted digest of the rows that this agent learns from
  // Of a fit that ended:
  std::string content;     ///< digest of the opened numbers
  std::uint64_t held = 0;  ///< numbers that the rows of all agents hold; 0 unless it was done
  std::string words;       ///< of "continued": what happened
};

/// What reading a ledger found besides its lines.
struct LedgerState {
  std::uint64_t lines = 0;
  std::string last;    ///< hash of the last line
  std::string broken;  ///< why the chain does not hold, naming the line; empty when it does
  bool torn = false;   ///< the last line is not complete: the agent crashed, or is writing it just now
  std::vector<std::string> continued;  ///< what "continued" lines say
};

/// Reads a ledger line by line up to its end or to the first line that does not hold. No file is an empty
/// ledger. Works while an agent writes to it. Throws NewerFormat for one of a later release.
LedgerState read_ledger(const std::filesystem::path& file,
                        const std::function<void(const LedgerLine&)>& line);

/// Safe to call from several threads.
class Ledger {
 public:
  /// A line that a crash has torn is put aside. So is a whole ledger whose chain does not hold; a new one
  /// begins with a line that says so. `charter` is the hash of the one that holds now.
  Ledger(std::filesystem::path file, std::string charter, LogSink log);
  ~Ledger();
  Ledger(const Ledger&) = delete;

  /// Adds a line; number, time and charter are filled in. Throws Error. It is on disk when this returns,
  /// except for "ended": should a crash lose that, the lines before it say enough.
  void add(LedgerLine line);

  LedgerState state() const;
  std::vector<std::string> what_rosters_show() const;
  /// By fits on rows of this digest.
  OpenedCount opened_on(const std::string& rows) const;

 private:
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

/// One run in the ledger: "began" when it is made, "ended" at its end, "failed" unless done() was called; and
/// "opens" before a fit's sum over landmarks.
class LedgerEntry {
 public:
  using AtEnd = std::function<void(LedgerLine&)>;
  /// `at_end` fills in what was opened. Throws Error when the line cannot be written.
  LedgerEntry(Ledger& ledger, LedgerLine began, AtEnd at_end, LogSink log);
  ~LedgerEntry();
  LedgerEntry(const LedgerEntry&) = delete;

  /// Before the sum that opens the most. Throws Error when the line cannot be written.
  void opens(std::uint64_t numbers);
  /// The model that the run gave.
  void gave(const std::string& model) { line_.model = model; }
  /// How many numbers the rows of all agents hold.
  void held(std::uint64_t numbers) { line_.held = numbers; }
  void done() { line_.outcome = "done"; }

 private:
  Ledger& ledger_;
  LedgerLine line_;
  const AtEnd at_end_;
  const LogSink log_;
};

}  // namespace tacit
