// Tables of numbers and texts, as they were read from a file.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/data/bad_cells.hpp"
#include "tacit/data/column_names.hpp"
#include "tacit/data/text_column.hpp"

namespace tacit {

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

  /// The same, moved out of the table: for tables of which memory cannot hold two copies.
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

  std::string name_;
  std::string row_word_ = "line";
  ColumnNames names_;
  std::vector<std::vector<double>> numbers_;  // by place; empty where a column was not read so
  std::vector<TextColumn> texts_;
  std::vector<std::vector<std::string>> ids_;
  std::vector<std::string> notes_;
  std::size_t rows_ = 0, dropped_ = 0;
  std::vector<std::size_t> bad_rows_;
  BadCells bad_cells_{""};
  // The line of a row: that of the last jump at or before it, and one more for each row since.
  std::vector<std::pair<std::size_t, std::size_t>> jumps_;  // row, line
};

}  // namespace tacit
