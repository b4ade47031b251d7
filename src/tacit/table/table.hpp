// Tables of numbers and texts, as they were read from a file.
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
#include "tacit/table/scratch_file.hpp"

namespace tacit {

/// Cells of a table that are in a scratch file, row by row.
class StreamedCells {
 public:
  StreamedCells(std::shared_ptr<ScratchFile> file, std::size_t places)
      : file_(std::move(file)), first_(file_->size()), slots_(places) {}

  /// Gives the column at this place a slot in every row: its number, or the place of its text among the
  /// words of its column.
  void add(std::size_t place) {
    slots_[place] = subtracted_.size();
    subtracted_.push_back(0);
  }
  std::size_t width() const { return subtracted_.size(); }
  std::size_t slot(std::size_t place) const { return slots_[place].value(); }
  void subtract(double number, std::size_t place) { subtracted_[slot(place)] += number; }
  ScratchFile& file() const { return *file_; }

  /// So many rows from this one on, one after the other.
  void read(std::size_t row, std::size_t count, std::vector<double>& into) const;

 private:
  std::shared_ptr<ScratchFile> file_;
  std::uint64_t first_;
  std::vector<std::optional<std::size_t>> slots_;  // by place
  std::vector<double> subtracted_;                 // by slot
};

/// Named columns of equal length, at least one row. Every number is finite, every text but an id has
/// a visible character; where bad rows are kept, a bad number is NaN, and a bad text empty.
class Table {
 public:
  /// The path the table was read from, for messages.
  const std::string& name() const { return name_; }
  /// What a place in it is called: "line", or "row" of a matrix.
  const std::string& row_word() const { return row_word_; }
  std::size_t rows() const { return rows_; }
  /// All names in the header, in file order, those of skipped columns too; then parts of dates.
  std::span<const std::string> columns() const { return names_.all(); }
  bool has(std::string_view column) const { return names_.has(column); }

  /// A column's cells in file order. Throws InputError when there is no such column, naming those there are,
  /// or when it was not read that way.
  std::span<const double> numbers(std::string_view column) const;
  const TextColumn& texts(std::string_view column) const;
  /// A column that was read as ids, whose cells may be blank.
  std::span<const std::string> ids(std::string_view column) const;

  /// The same where cells may be in a scratch file: calls visit(row, number), or visit(row, place of the text
  /// among its column's words), for all rows in order.
  using VisitNumber = std::function<void(std::size_t, double)>;
  void for_each_number(std::string_view column, const VisitNumber& visit) const;
  using VisitCode = std::function<void(std::size_t, std::uint32_t)>;
  void for_each_code(std::string_view column, const VisitCode& visit) const;
  /// Cells in a scratch file, if that is where they went.
  const std::optional<StreamedCells>& streamed() const { return streamed_; }
  /// Where a column's cells are in rows of these.
  std::size_t slot(std::string_view column) const { return streamed_->slot(names_.place(column, name_)); }

  /// Numbers that are in memory, moved out of the table: for tables of which memory cannot hold two copies.
  std::vector<double> take_numbers(std::string_view column);

  /// Takes `day` off every number of a column of dates, so that days count from there.
  void count_from(double day, std::string_view column);

  /// What was passed over in the file, for people: "the first column, ...".
  std::span<const std::string> notes() const { return notes_; }

  /// Rows that were left out because a needed cell was missing.
  std::size_t dropped() const { return dropped_; }

  /// Rows that were kept although they have bad cells, in order; and these cells.
  std::span<const std::size_t> bad_rows() const { return bad_rows_; }
  const BadCells& bad_cells() const { return bad_cells_; }

  /// The line of the file, from 1, on which a row starts. Throws std::out_of_range past the last row. In a
  /// MATLAB file, the row of the matrix.
  std::size_t line_of(std::size_t row) const;
  /// File, line and column, as messages begin.
  std::string where(std::size_t row, std::string_view column) const;

 private:
  friend class TableBuilder;
  Table() = default;
  void for_each_streamed(std::string_view column, const VisitNumber& visit) const;

  std::string name_;
  std::string row_word_ = "line";
  ColumnNames names_;
  std::vector<std::vector<double>> numbers_;  // by place; empty where a column was not read so
  std::vector<TextColumn> texts_;
  std::vector<std::vector<std::string>> ids_;
  std::optional<StreamedCells> streamed_;
  std::vector<std::string> notes_;
  std::size_t rows_ = 0, dropped_ = 0;
  std::vector<std::size_t> bad_rows_;
  BadCells bad_cells_{""};
  // The line of a row: that of the last jump at or before it, and one more for each row since.
  std::vector<std::pair<std::size_t, std::size_t>> jumps_;  // row, line
};

}  // namespace tacit
