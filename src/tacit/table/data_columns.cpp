#include "tacit/table/data_columns.hpp"

#include <algorithm>
#include <cstdint>

#include "tacit/table/cells/one_hot.hpp"

namespace tacit {
namespace {

// Concatenates the parts of all tables.
template <class T, class PartOf>
std::vector<T> end_to_end(std::vector<Table>& tables, const PartOf& part_of) {
  std::vector<T> all = part_of(tables[0]);
  for (std::size_t f = 1; f < tables.size(); ++f) {
    const std::vector<T> part = part_of(tables[f]);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

std::vector<std::string> DataColumn::names() const {
  if (levels.empty()) return {name};
  std::vector<std::string> all;
  for (const std::string& level : levels) all.push_back(level_column(name, level));
  return all;
}

std::vector<Matrix> take_columns(std::vector<Table>& tables, const std::vector<DataColumn>& columns,
                                 const std::vector<RowNumbers>& parts) {
  Index width = 0;
  for (const DataColumn& column : columns)
    width += static_cast<Index>(std::max<std::size_t>(1, column.levels.size()));
  std::vector<Matrix> matrices;
  for (const RowNumbers& part : parts) matrices.emplace_back(static_cast<Index>(part.size()), width);

  Index at = 0;
  auto fill = [&](const auto& value_of) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t k = 0; k < parts[p].size(); ++k)
        matrices[p](static_cast<Index>(k), at) = value_of(parts[p][k]);
    ++at;
  };
  for (const DataColumn& column : columns) {
    if (column.levels.empty()) {
      const auto values =
          end_to_end<double>(tables, [&](Table& table) { return table.take_numbers(column.name); });
      fill([&](std::size_t row) { return values[row]; });
      continue;
    }
    const auto places = end_to_end<std::uint32_t>(
        tables, [&](const Table& table) { return level_places(table, column.name, column.levels); });
    for (std::uint32_t level = 0; level < column.levels.size(); ++level)
      fill([&](std::size_t row) { return places[row] == level ? 1.0 : 0.0; });
  }
  return matrices;
}

}  // namespace tacit
