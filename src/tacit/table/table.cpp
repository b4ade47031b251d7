#include "tacit/table/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tacit/base/error.hpp"
#include "tacit/table/cells/cell.hpp"

namespace tacit {

std::span<const double> Table::numbers(std::string_view column) const {
  const auto& cells = numbers_[names_.place(column, name_)];
  if (!cells.empty() || rows_ == 0) return cells;  // a part of a file may have no rows
  throw InputError(fmt::format("{}: column {} was not read as numbers; request it when reading the table.",
                               name_, shown(column)));
}

const TextColumn& Table::texts(std::string_view column) const {
  const TextColumn& cells = texts_[names_.place(column, name_)];
  if (!cells.words().empty() || rows_ == 0) return cells;
  throw InputError(fmt::format("{}: column {} was not read as text; request it when reading the table.",
                               name_, shown(column)));
}

std::span<const std::string> Table::ids(std::string_view column) const {
  return ids_[names_.place(column, name_)];
}

std::vector<double> Table::take_numbers(std::string_view column) {
  numbers(column);
  return std::exchange(numbers_[names_.place(column, name_)], {});
}

void StreamedCells::read(std::size_t row, std::size_t count, std::vector<double>& into) const {
  into.resize(count * width());
  file_->read(first_ + row * width(), into);
  for (std::size_t slot = 0; slot < width(); ++slot)
    if (subtracted_[slot] != 0)
      for (std::size_t k = 0; k < count; ++k) into[k * width() + slot] -= subtracted_[slot];
}

void Table::for_each_streamed(std::string_view column, const VisitNumber& visit) const {
  constexpr std::size_t rows_at_a_time = 4096;
  std::vector<double> cells;
  for (std::size_t row = 0; row < rows_; row += rows_at_a_time) {
    const std::size_t count = std::min(rows_at_a_time, rows_ - row);
    streamed_->read(row, count, cells);
    for (std::size_t k = 0; k < count; ++k) visit(row + k, cells[k * streamed_->width() + slot(column)]);
  }
}

void Table::for_each_number(std::string_view column, const VisitNumber& visit) const {
  if (streamed_) return for_each_streamed(column, visit);
  const std::span<const double> cells = numbers(column);
  for (std::size_t row = 0; row < cells.size(); ++row) visit(row, cells[row]);
}

void Table::for_each_code(std::string_view column, const VisitCode& visit) const {
  if (streamed_)
    return for_each_streamed(
        column, [&](std::size_t row, double code) { visit(row, static_cast<std::uint32_t>(code)); });
  const std::span<const std::uint32_t> codes = texts(column).codes();
  for (std::size_t row = 0; row < codes.size(); ++row) visit(row, codes[row]);
}

void Table::count_from(double day, std::string_view column) {
  if (streamed_) return streamed_->subtract(day, names_.place(column, name_));
  for (double& number : numbers_[names_.place(column, name_)]) number -= day;
}

std::size_t Table::line_of(std::size_t row) const {
  if (row >= rows_) throw std::out_of_range("a table has no such row");
  const auto after = std::upper_bound(jumps_.begin(), jumps_.end(), row,
                                      [](std::size_t r, const auto& jump) { return r < jump.first; });
  return std::prev(after)->second + (row - std::prev(after)->first);
}

std::string Table::where(std::size_t row, std::string_view column) const {
  return fmt::format("{}, {} {}, column {}", name_, row_word_, line_of(row), shown(column));
}

}  // namespace tacit
