// A table of numbers and texts that was read from a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/table/cells/bad_cells.hpp"
#include "tacit/table/cells/text_column.hpp"
#include "tacit/table/column_names.hpp"
#include "tacit/table/rows/scratch_file.hpp"

namespace tacit {

/// The cells of a table that are stored row by row in a scratch file.
class StreamedCells {
 public:
  StreamedCells(std::shared_ptr<ScratchFile> file, std::size_t places)
      : file_(std::move(file)), first_(file_->size()), slots_(places) {}

  /// Gives the column at this place a slot in every row. The slot contains the number, or the index of the
  /// text in the column's words.
  void add(std::size_t place) {
    slots_[place] = subtracted_.size();
    subtracted_.push_back(0);
  }
  std::size_t width() const { return subtracted_.size(); }
  std::size_t slot(std::size_t place) const { return slots_[place].value(); }
  void subtract(double number, std::size_t place) { subtracted_[slot(place)] += number; }
  ScratchFile& file() const { return *file_; }

  /// Reads `count` rows from this one on, concatenated.
  void read(std::size_t row, std::size_t count, std::vector<double>& into) const;

 private:
  std::shared_ptr<ScratchFile> file_;
  std::uint64_t first_;
  std::vector<std::optional<std::size_t>> slots_;  // by place
  std::vector<double> subtracted_;                 // by slot
};

/// Named columns of equal length, with at least one row. Every number is finite, and every text except an id
/// has a visible character. If bad rows are kept, a bad number is NaN and a bad text is empty.
class Table {
 public:
  /// Returns the path that the table was read from, for messages.
  const std::string& name() const { return name_; }
  /// Returns the word for a place in the file: "line", or "row" in matrices and query results.
  const std::string& row_word() const { return row_word_; }
  std::size_t rows() const { return rows_; }
  /// Returns all names in the header in file order, including skipped columns, then the parts of dates.
  std::span<const std::string> columns() const { return names_.all(); }
  bool has(std::string_view column) const { return names_.has(column); }

  /// Return a column's cells in file order. Throw InputError if the column does not exist, with a list of the
  /// columns, or if it was not read as this type.
  std::span<const double> numbers(std::string_view column) const;
  const TextColumn& texts(std::string_view column) const;
  /// Returns a column that was read as ids. Its cells may be blank.
  std::span<const std::string> ids(std::string_view column) const;

  /// The same for cells that may be in a scratch file: call visit(row, number), or visit(row, index of the
  /// text in the column's words), for all rows in order.
  using VisitNumber = std::function<void(std::size_t, double)>;
  void for_each_number(std::string_view column, const VisitNumber& visit) const;
  using VisitCode = std::function<void(std::size_t, std::uint32_t)>;
  void for_each_code(std::string_view column, const VisitCode& visit) const;
  /// Returns the cells in a scratch file, if there are any.
  const std::optional<StreamedCells>& streamed() const { return streamed_; }
  /// Returns the slot of a column in rows of the scratch file.
  std::size_t slot(std::string_view column) const { return streamed_->slot(names_.place(column, name_)); }

  /// Moves a column of numbers out of the table, so that memory need not hold two copies of it.
  std::vector<double> take_numbers(std::string_view column);

  /// Subtracts `day` from every number of a column of dates, so that days count from it.
  void count_from(double day, std::string_view column);

  /// Returns notes for the user about what was left out of the file: "the first column, ...".
  std::span<const std::string> notes() const { return notes_; }

  /// Returns the number of rows that were left out because a needed cell was missing.
  std::size_t dropped() const { return dropped_; }

  /// Return the rows that were kept although they have bad cells, in order, and these cells.
  std::span<const std::size_t> bad_rows() const { return bad_rows_; }
  const BadCells& bad_cells() const { return bad_cells_; }

  /// Returns the line of the file, from 1, on which a row starts; in a MATLAB file, the row of the matrix.
  /// Throws std::out_of_range past the last row.
  std::size_t line_of(std::size_t row) const;
  /// Returns file, line and column, for the beginning of a message.
  std::string where(std::size_t row, std::string_view column) const;

 private:
  friend class TableBuilder;
  Table() = default;
  void for_each_streamed(std::string_view column, const VisitNumber& visit) const;

  std::string name_;
  std::string row_word_ = "line";
  ColumnNames names_;
  std::vector<std::vector<double>> numbers_;  // by place; empty if a column was not read as numbers
  std::vector<TextColumn> texts_;
  std::vector<std::vector<std::string>> ids_;
  std::optional<StreamedCells> streamed_;
  std::vector<std::string> notes_;
  std::size_t rows_ = 0, dropped_ = 0;
  std::vector<std::size_t> bad_rows_;
  BadCells bad_cells_{""};
  // The line of a row is that of the last jump at or before it, plus one for each row since the jump.
  std::vector<std::pair<std::size_t, std::size_t>> jumps_;  // row, line
};

}  // namespace tacit
