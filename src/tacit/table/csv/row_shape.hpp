// Which cells of a CSV file's rows are its columns. pandas and R put the numbers or names of rows in front,
// in a column without a name; spreadsheets put blank cells behind, and rows of nothing else. These are left
// out, and noted.
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

  /// The names of the columns. Throws InputError as ColumnNames::add does.
  ColumnNames take_header(const RawRow& row, std::size_t line);

  /// Whether a row has any cell that is not blank. Throws InputError for one that does not fit the header.
  bool take(const RawRow& row, std::size_t line, std::string_view delimiter);

  std::size_t columns() const { return columns_; }
  /// Where in the row a column is.
  std::size_t place(std::size_t column) const { return nameless_ + column; }

  /// What was left out, in sentences.
  std::vector<std::string> notes(std::string_view delimiter) const;

 private:
  std::string at(std::size_t line) const;
  void check_end(const RawRow& row, std::size_t line, std::string_view delimiter);

  std::string file_;
  std::size_t nameless_ = 0, columns_ = 0, behind_ = 0;  // cells in front, columns, cells behind them
  std::size_t rows_ = 0, blank_rows_ = 0;
};

}  // namespace tacit
