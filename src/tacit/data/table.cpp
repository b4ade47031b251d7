#include "tacit/data/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tacit/base/error.hpp"
#include "tacit/data/cell.hpp"

namespace tacit {

std::span<const double> Table::numbers(std::string_view column) const {
  const auto& cells = numbers_[names_.place(column, name_)];
  if (!cells.empty()) return cells;
  throw InputError(fmt::format("{}: column {} was not read as numbers; ask for it when reading the table.",
                               name_, shown(column)));
}

const TextColumn& Table::texts(std::string_view column) const {
  const TextColumn& cells = texts_[names_.place(column, name_)];
  if (cells.size() > 0) return cells;
  throw InputError(fmt::format("{}: column {} was not read as text; ask for it when reading the table.",
                               name_, shown(column)));
}

std::span<const std::string> Table::ids(std::string_view column) const {
  return ids_[names_.place(column, name_)];
}

std::vector<double> Table::take_numbers(std::string_view column) {
  numbers(column);
  return std::exchange(numbers_[names_.place(column, name_)], {});
}

void Table::count_from(double day, std::string_view column) {
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
