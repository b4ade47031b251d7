// Decides which cells of a CSV file's rows belong to its columns. pandas and R write row numbers or names
// into a first column without a name. Spreadsheets add blank cells at the end of rows, and blank rows. These
// are left out and noted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/table/column_names.hpp"
#include "tacit/table/csv/csv_parser.hpp"

namespace tacit {

class RowShape {
 public:
  explicit RowShape(std::string file) : file_(std::move(file)) {}

  /// Returns the names of the columns. Throws InputError as ColumnNames::add does.
  ColumnNames take_header(const RawRow& row, std::size_t line);

  /// Returns whether a row has a cell that is not blank. Throws InputError if the row does not fit the
  /// header.
  bool take(const RawRow& row, std::size_t line, std::string_view delimiter);

  std::size_t columns() const { return columns_; }
  /// Returns the place of a column's cell in the row.
  std::size_t place(std::size_t column) const { return nameless_ + column; }

  /// Returns notes about what was left out.
  std::vector<std::string> notes(std::string_view delimiter) const;

 private:
  std::string at(std::size_t line) const;
  void check_end(const RawRow& row, std::size_t line, std::string_view delimiter);

  std::string file_;
  std::size_t nameless_ = 0, columns_ = 0,
              behind_ = 0;  // cells before the columns, columns, cells after them
  std::size_t rows_ = 0, blank_rows_ = 0;
};

}  // namespace tacit
