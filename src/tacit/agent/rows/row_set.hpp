// An agent's rows, independent of their place: in this process, or distributed over the ranks of an MPI job
// (rank_rows.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacit/agent/rows/row_digests.hpp"
#include "tacit/gp/committee/crew.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// A file with some of the rows, in the agent's state folder.
struct RowFile {
  std::string name;
  std::size_t rows = 0;
};

/// Immutable. Safe to call from several threads.
class RowSet {
 public:
  virtual ~RowSet() = default;
  virtual std::size_t rows() const = 0;
  virtual Index inputs() const = 0;   ///< columns
  virtual Index outputs() const = 0;  ///< columns

  /// Calls `visit` with all numbers in blocks: column by column, inputs first. Digests are computed this way.
  using Visit = std::function<void(std::span<const double>)>;
  virtual void visit_columns(const Visit& visit) const = 0;
  /// Returns one digest for each row, sorted.
  virtual RowDigests digests(const RowSalt& salt) const = 0;
  /// Returns two rows: the minimum and the maximum of every column, inputs first.
  virtual Matrix ranges() const = 0;
  /// Returns the crew that computes with these rows. It must not outlive them.
  virtual std::shared_ptr<const Crew> crew(const CommitteeOptions& committee) const = 0;

  /// Returns the rows, or null if not all of them are in this process.
  virtual const Samples* here() const { return nullptr; }
  /// If here() is null, writes the rows to files in this folder; the names start with `stem`.
  virtual std::vector<RowFile> save(const std::filesystem::path& folder, const std::string& stem) const = 0;
};

using Rows = std::shared_ptr<const RowSet>;

/// Rows in this process; its threads compute with them.
Rows rows_here(Samples rows);

/// Writes one file. Throws Error.
RowFile save_rows(const std::filesystem::path& folder, const std::string& name, const Samples& rows);
/// Throws InputError if the file is missing or damaged, or if its number of rows differs.
Samples read_row_file(const std::filesystem::path& folder, const RowFile& file);

/// Appends rows below `all`, which may be empty.
void append(Samples& all, Samples more);

/// RowSet::ranges() of rows in memory: infinity and minus infinity if there are none.
Matrix ranges_of(const Samples& rows);

}  // namespace tacit
