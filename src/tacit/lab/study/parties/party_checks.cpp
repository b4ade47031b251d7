#include "tacit/lab/study/parties/party_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/table/cells/bad_cells.hpp"

namespace tacit {

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void refuse_doubles(std::vector<std::string> columns, std::string_view what) {
  std::sort(columns.begin(), columns.end());
  const auto twice = std::adjacent_find(columns.begin(), columns.end());
  if (twice != columns.end()) throw InputError(fmt::format("column '{}' {}", *twice, what));
}

namespace {

// Rows that are read in several pieces can be split only by their numbers.
void check_pieces(const PartyOptions& options) {
  const bool several = options.parts || options.shares > 0 || options.together;
  if (several && (options.split == SplitMode::by_column || options.split == SplitMode::regions))
    throw InputError(
        "`split=by` and `split=regions` need all rows at once, but `parts`, `shares` and mpirun read them in "
        "pieces; "
        "use `split=contiguous` or `split=shuffled`, or one `data` for each agent");
  if (!options.together) return;
  for (const DateColumn& date : options.reading.dates)
    if (date.start.empty())
      throw InputError(
          fmt::format("under mpirun, no rank sees all dates; give the start of '{}', as in "
                      "`date={}:2020-01-31`",
                      date.column, date.column));
  for (const ColumnWords& category : options.reading.categorical)
    if (category.words.empty())
      throw InputError(
          fmt::format("under mpirun, no rank sees all levels; name those of '{}', as in "
                      "`categorical={}:LEVEL|LEVEL`",
                      category.column, category.column));
}

}  // namespace

void check_options(const PartyOptions& options) {
  if (options.data.empty()) throw InputError("no data: name a file with `data`");
  if (options.targets.empty()) throw InputError("no target: name the column to predict with `target`");
  refuse_doubles(options.targets, "is named twice; name it once");
  refuse_doubles(options.inputs, "is named twice; name it once");
  for (const std::string& input : options.inputs)
    if (contains(options.targets, input))
      throw InputError(
          fmt::format("column '{}' is both an input and a target; remove it from one of them", input));
  for (const ColumnWords& category : options.reading.categorical)
    if (contains(options.targets, category.column))
      throw InputError(fmt::format(
          "column '{}' is a target, which must be numeric; remove it from `categorical`", category.column));
  for (const DateColumn& date : options.reading.dates)
    for (const ColumnWords& category : options.reading.categorical)
      if (category.column == date.column)
        throw InputError(fmt::format(
            "column '{}' is both in `date` and in `categorical`; remove it from one of them", date.column));
  if (options.data.size() > 1 && !options.parts) {
    if (options.split != SplitMode::contiguous)
      throw InputError(
          "`split` divides one data file; with one `data` for each agent, the rows are already divided");
    if (options.agents && *options.agents != options.data.size())
      throw InputError(fmt::format("`agents={}` contradicts the {} data files; leave it out", *options.agents,
                                   options.data.size()));
  }
  if (options.stream && options.split == SplitMode::regions)
    throw InputError("`split=regions` needs all rows in memory, which `stream` avoids; use only one of them");
  check_pieces(options);
  if (options.split == SplitMode::by_column && contains(options.targets, options.split_column))
    throw InputError(
        fmt::format("column '{}' is a target and cannot also split the rows; choose another column",
                    options.split_column));
  if (options.agents && *options.agents > Graph::most_agents)
    throw InputError(fmt::format("{} agents are more than the {} supported (`agents`)", *options.agents,
                                 Graph::most_agents));
  if (options.agents && *options.agents < 2)
    throw InputError(
        fmt::format("a consortium needs other agents; `agents` must be at least 2, not {}", *options.agents));
  if (options.y_max && !(*options.y_max > 0 && std::isfinite(*options.y_max)))
    throw InputError(
        fmt::format("the bound on |target| (`y_max`) must be a positive number, not {}", *options.y_max));
}

void check_y_max(double y_max, const std::vector<Table>& tables, const std::vector<std::string>& targets) {
  const CellFault fault{fmt::format("is above the public bound `y_max={}`", y_max),
                        fmt::format("are above the public bound `y_max={}`", y_max)};
  for (const Table& table : tables) {
    BadCells bad(table.name(), table.row_word());
    for (const std::string& target : targets) {
      table.for_each_number(target, [&](std::size_t row, double value) {
        if (std::abs(value) > y_max) bad.add(target, table.line_of(row), fmt::format("{}", value), fault);
      });
    }
    bad.refuse_any();
  }
}

}  // namespace tacit
