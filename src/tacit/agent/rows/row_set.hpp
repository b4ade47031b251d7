// An agent's rows, wherever they are: in this process, or spread over the ranks that work for it
// (rank_rows.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tacit/agent/rows/row_marks.hpp"
#include "tacit/gp/committee/crew.hpp"
#include "tacit/table/row_blocks.hpp"

namespace tacit {

/// A file with some of the rows, in the agent's state folder.
struct RowFile {
  std::string name;
  std::size_t rows = 0;
};

/// They do not change. Safe to call from several threads.
class RowSet {
 public:
  virtual ~RowSet() = default;
  virtual std::size_t rows() const = 0;
  virtual Index inputs() const = 0;   ///< columns
  virtual Index outputs() const = 0;  ///< columns

  /// Calls visit with all numbers, some at a time: column by column, the inputs' first. What digests are made
  /// of.
  using Visit = std::function<void(std::span<const double>)>;
  virtual void visit_columns(const Visit& visit) const = 0;
  /// A mark for each row, sorted.
  virtual RowMarks marks(const RowSalt& salt) const = 0;
  /// The smallest and the largest number of every column, the inputs' first; two rows.
  virtual Matrix ranges() const = 0;
  /// Who computes with them; it must not outlive them.
  virtual std::shared_ptr<const Crew> crew(const CommitteeOptions& committee) const = 0;

  /// The rows themselves; none when they are not all in this process.
  virtual const Samples* here() const { return nullptr; }
  /// Where they are not, keeps them in this folder, in files whose names begin so.
  virtual std::vector<RowFile> save(const std::filesystem::path& folder, const std::string& stem) const = 0;
};

using Rows = std::shared_ptr<const RowSet>;

/// In this process, and computed with by its threads.
Rows rows_here(Samples rows);

/// Writes one. Throws Error.
RowFile save_rows(const std::filesystem::path& folder, const std::string& name, const Samples& rows);
/// Throws InputError when the file is missing or damaged, or has other rows than it should.
Samples read_row_file(const std::filesystem::path& folder, const RowFile& file);

/// Two blocks of rows, one below the other; with nothing above, the other one.
void append(Samples& all, Samples more);

/// ranges() of rows in memory: infinity to minus infinity where there are none.
Matrix ranges_of(const Samples& rows);

}  // namespace tacit
