// Tables of numbers read from CSV files.
//
// A file starts with a line of column names; each further line is a row. Cells are separated by commas and
// may be quoted ("" inside quotes is one quote); lines end with LF, CRLF or CR. Spaces around a cell, a
// leading UTF-8 byte order mark and blank lines are skipped. Anything else that is not a finite decimal
// number where one is needed is refused.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

struct TableOptions {
  /// Columns to keep as text, such as the one that says whose a row is.
  std::vector<std::string> text_columns;
  /// Columns to read as numbers; others may then hold anything. None means all but the text columns. A column
  /// that is named here and above can be had both ways.
  std::vector<std::string> only;
};

/// Named columns of equal length, at least one row. Every number is finite, every text has a visible
/// character.
class Table {
 public:
  /// The path the table was read from, for messages.
  const std::string& name() const { return name_; }
  std::size_t rows() const { return lines_.size(); }
  /// All names in the header, in file order, those of skipped columns too.
  std::span<const std::string> columns() const { return columns_; }
  bool has(std::string_view column) const { return places_.find(column) != places_.end(); }

  /// A column's cells in file order. Throws InputError when there is no such column, naming those there are,
  /// or when it was not read that way.
  std::span<const double> numbers(std::string_view column) const;
  std::span<const std::string> texts(std::string_view column) const;

  /// The line of the file, from 1, on which a row starts, for messages. Throws std::out_of_range past the
  /// last row.
  std::size_t line_of(std::size_t row) const { return lines_.at(row); }

 private:
  friend class TableReader;
  Table() = default;
  std::size_t place(std::string_view column) const;

  std::string name_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> places_;  // of a name in columns_
  std::vector<std::vector<double>> numbers_;                // by place; empty where a column was not read so
  std::vector<std::vector<std::string>> texts_;
  std::vector<std::size_t> lines_;
};

/// Reads a CSV file. Throws InputError, with file, line and column where there is one, when the file is
/// missing, unreadable, empty, binary or without rows; when a column name is empty, doubled, or asked for but
/// not there; when quotes are malformed or a row has too few or too many cells; and when a cell that is asked
/// for is empty or, in a numeric column, not a finite number.
Table read_table(const std::filesystem::path& file, const TableOptions& options = {});

/// The same from text at hand; `name` stands for the file in messages.
Table parse_table(std::string name, std::string_view text, const TableOptions& options = {});

/// The finite decimal number a cell holds, as tables read it: spaces around it and a leading '+' are allowed.
/// Nothing when it holds anything else, such as a NaN, an infinity, a hexadecimal number or a number no
/// double can hold.
std::optional<double> parse_number(std::string_view cell);

}  // namespace tacit
