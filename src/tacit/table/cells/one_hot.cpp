#include "tacit/table/cells/one_hot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tacit/base/error.hpp"
#include "tacit/base/sanitised_text.hpp"
#include "tacit/table/cells/bad_cells.hpp"
#include "tacit/table/cells/cell.hpp"

namespace tacit {
namespace {

// Only levels that occur in rows: a table may know a text that no row has.
std::vector<std::string> found_levels(const std::string& column, std::span<const Table> tables) {
  std::vector<std::string> levels;
  for (const Table& table : tables) {
    const TextColumn& texts = table.texts(column);
    for (std::size_t word = 0; word < texts.words().size(); ++word)
      if (texts.used(word)) levels.push_back(texts.words()[word]);
  }
  std::sort(levels.begin(), levels.end(), label_before);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

CellFault unknown_level(const std::string& column, std::span<const std::string> levels) {
  std::string list;
  for (const std::string& level : levels.first(std::min<std::size_t>(levels.size(), 20)))
    list += (list.empty() ? "" : ", ") + shown(level);
  if (levels.size() > 20) list += ", ...";
  return {fmt::format("is not one of the levels {}", list), fmt::format("are not among the levels {}", list),
          fmt::format("correct the file, or declare all levels with `categorical={}:LEVEL|LEVEL|...`",
                      sanitised_text(column))};
}

}  // namespace

std::vector<std::string> levels_of(const ColumnWords& category, std::span<const Table> tables) {
  std::vector<std::string> levels =
      category.words.empty() ? found_levels(category.column, tables) : category.words;
  if (levels.size() > most_levels)
    throw InputError(
        fmt::format("column '{}' has {} different values, more than the {} levels allowed for a categorical "
                    "column; remove it from `categorical`",
                    category.column, levels.size(), most_levels));
  for (std::size_t b = 0; b < levels.size(); ++b) {
    if (trimmed(levels[b]).empty())
      throw InputError(
          fmt::format("a level of column '{}' is blank; name it (`categorical`)", category.column));
    for (std::size_t a = 0; a < b; ++a) {
      if (levels[a] == levels[b])
        throw InputError(
            fmt::format("level {} of column '{}' is declared twice; declare it once (`categorical`)",
                        shown(levels[b]), category.column));
      const auto number = parse_number(levels[b]);
      if (number && parse_number(levels[a]) == number)
        throw InputError(
            fmt::format("levels {} and {} of column '{}' are the same number; declare only one of them",
                        shown(levels[a]), shown(levels[b]), category.column));
    }
  }
  return levels;
}

std::string level_column(const std::string& column, const std::string& level) { return column + "=" + level; }

std::vector<std::uint32_t> level_of_words(const Table& table, const std::string& column,
                                          std::span<const std::string> levels) {
  constexpr auto unknown = std::numeric_limits<std::uint32_t>::max();
  const TextColumn& texts = table.texts(column);
  std::vector<std::uint32_t> places(texts.words().size(), unknown);
  bool all_known = true;
  for (std::size_t word = 0; word < places.size(); ++word) {
    const auto level = std::find(levels.begin(), levels.end(), texts.words()[word]);
    if (level != levels.end())
      places[word] = static_cast<std::uint32_t>(level - levels.begin());
    else
      all_known = all_known && !texts.used(word);
  }
  if (all_known) return places;
  const CellFault fault = unknown_level(column, levels);
  BadCells bad(table.name(), table.row_word());
  table.for_each_code(column, [&](std::size_t row, std::uint32_t code) {
    if (places[code] == unknown) bad.add(column, table.line_of(row), texts.words()[code], fault);
  });
  bad.refuse_any();
  return places;
}

std::vector<std::uint32_t> level_places(const Table& table, const std::string& column,
                                        std::span<const std::string> levels) {
  const std::vector<std::uint32_t> of_word = level_of_words(table, column, levels);
  std::vector<std::uint32_t> places(table.rows());
  table.for_each_code(column, [&](std::size_t row, std::uint32_t code) { places[row] = of_word[code]; });
  return places;
}

}  // namespace tacit
