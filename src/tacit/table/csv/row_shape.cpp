#include "tacit/table/csv/row_shape.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/table/cells/cell.hpp"

namespace tacit {
namespace {

// When pandas reads a column without a name, it calls it "Unnamed: 0".
bool is_nameless(std::string_view name) {
  return trimmed(name).empty() || trimmed(name).starts_with("Unnamed: ");
}

// The number of blank cells at the end of the row, not counting cells before `from`.
std::size_t blanks_behind(const RawRow& row, std::size_t from) {
  std::size_t end = row.ends.size();
  while (end > from && trimmed(row.cell(end - 1)).empty()) --end;
  return row.ends.size() - end;
}

}  // namespace

std::string RowShape::at(std::size_t line) const { return fmt::format("{}, line {}", file_, line); }

ColumnNames RowShape::take_header(const RawRow& row, std::size_t line) {
  const std::size_t all = row.ends.size();
  behind_ = blanks_behind(row, 1);
  while (nameless_ + 1 < all - behind_ && is_nameless(row.cell(nameless_))) ++nameless_;
  columns_ = all - behind_ - nameless_;
  ColumnNames names;
  for (std::size_t column = 0; column < columns_; ++column)
    names.add(row.cell(place(column)), all, at(line), nameless_);
  return names;
}

bool RowShape::take(const RawRow& row, std::size_t line, std::string_view delimiter) {
  if (row.ends.size() != nameless_ + columns_) check_end(row, line, delimiter);
  if (row.ends[0] == 0 && row.ends.size() > 1 && blanks_behind(row, 0) == row.ends.size()) {
    ++blank_rows_;
    return false;
  }
  ++rows_;
  return true;
}

// Blank cells may follow the last column if the header, or otherwise the first row, has equally many.
void RowShape::check_end(const RawRow& row, std::size_t line, std::string_view delimiter) {
  const std::size_t found = row.ends.size(), needed = nameless_ + columns_;
  const bool blank = found > needed && blanks_behind(row, needed) == found - needed;
  if (rows_ == 0 && behind_ == 0 && blank) behind_ = found - needed;
  if (found == needed + behind_) {
    if (blank) return;
    throw InputError(
        fmt::format("{}: there is a cell after the last named column; give its column a name.", at(line)));
  }
  std::string cure = "add the missing cells";
  if (found > needed) cure = fmt::format("put cells that contain {}s in quotes", delimiter);
  if (rows_ == 0 && found == needed + 1)
    cure += "; or, if R wrote row names in front, write the file with row.names = FALSE";
  throw InputError(fmt::format("{}: the row has {} cell{}, but {} {} expected; {}.", at(line), found,
                               found == 1 ? "" : "s", needed, needed == 1 ? "is" : "are", cure));
}

std::vector<std::string> RowShape::notes(std::string_view delimiter) const {
  std::vector<std::string> all;
  if (nameless_ == 1) all.emplace_back("the first column has no name, so it is left out");
  if (nameless_ > 1)
    all.push_back(fmt::format("the first {} columns have no names, so they are left out", nameless_));
  if (behind_ > 0)
    all.push_back(fmt::format(
        "lines end with {}, so the blank cells after the last column are left out",
        behind_ == 1 ? fmt::format("a {}", delimiter) : fmt::format("{} {}s", behind_, delimiter)));
  if (blank_rows_ == 1) all.emplace_back("one line with only blank cells is left out");
  if (blank_rows_ > 1) all.push_back(fmt::format("{} lines with only blank cells are left out", blank_rows_));
  return all;
}

}  // namespace tacit
