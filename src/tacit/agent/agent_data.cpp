#include "tacit/agent/agent_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "tacit/base/error.hpp"
#include "tacit/data/cell.hpp"
#include "tacit/data/read_data.hpp"

namespace tacit {
namespace {

using Columns = std::vector<Column>;

TableOptions wanted(const Columns& inputs, const Columns& targets) {
  TableOptions options;
  for (const Column& column : inputs)
    (column.categorical() ? options.text_columns : options.only).push_back(column.name);
  for (const Column& column : targets) options.only.push_back(column.name);
  // No numeric column at all would mean all of them.
  if (options.only.empty()) options.only = options.text_columns;
  return options;
}

// Told of a cell that is not within what was agreed on: its row, column and value, and what it is instead.
using Problem = std::function<void(std::size_t, const Column&, const std::string&, const std::string&)>;

struct Reader {
  const Table& table;
  const Problem& problem;

  void numbers(const Column& column, Matrix& into, Index at) {
    const auto values = table.numbers(column.name);
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (values[r] < column.low || values[r] > column.high)
        problem(r, column, value_text(column, values[r]),
                "outside the charter's range " + range_text(column));
      into(static_cast<Index>(r), at) = values[r];
    }
  }

  void levels(const Column& column, Matrix& into, Index at) {
    const TextColumn& cells = table.texts(column.name);
    for (std::size_t r = 0; r < cells.size(); ++r) {
      const auto level = std::find(column.levels.begin(), column.levels.end(), cells[r]);
      for (std::size_t k = 0; k < column.levels.size(); ++k)
        into(static_cast<Index>(r), at + static_cast<Index>(k)) = 0;
      if (level != column.levels.end())
        into(static_cast<Index>(r), at + (level - column.levels.begin())) = 1;
      else
        problem(r, column, cells[r], "not among the charter's levels");
    }
  }
};

Samples read(const Table& table, const Columns& inputs, const Columns& targets, const Problem& problem) {
  Samples out;
  const auto rows = static_cast<Index>(table.rows());
  out.inputs.resize(rows, static_cast<Index>(width(inputs)));
  out.outputs.resize(targets.empty() ? 0 : rows, static_cast<Index>(targets.size()));
  Reader reader{table, problem};
  Index at = 0;
  for (const Column& column : inputs) {
    if (column.categorical()) {
      reader.levels(column, out.inputs, at);
      at += static_cast<Index>(column.levels.size());
    } else {
      reader.numbers(column, out.inputs, at++);
    }
  }
  at = 0;
  for (const Column& column : targets) reader.numbers(column, out.outputs, at++);
  return out;
}

// What a charter would need to hold all of a column.
std::string needed(const Table& table, const Column& column) {
  if (!column.categorical()) {
    const auto values = table.numbers(column.name);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return fmt::format("the column goes from {} to {}", value_text(column, *low), value_text(column, *high));
  }
  constexpr std::size_t most = 10;
  std::vector<std::string> other;
  for (const std::string& word : table.texts(column.name).words())
    if (std::find(column.levels.begin(), column.levels.end(), word) == column.levels.end())
      other.push_back(shown(word));
  const bool more = other.size() > most;
  other.resize(std::min(most, other.size()));
  return fmt::format("the column also has {}{}", fmt::join(other, ", "), more ? ", ..." : "");
}

}  // namespace

std::string AgentRows::in_words() const {
  const auto several = [](std::size_t n) { return n == 1 ? "1 row" : fmt::format("{} rows", n); };
  return several(static_cast<std::size_t>(rows.inputs.rows())) +
         ", all within the charter's ranges and levels" +
         (dropped == 0   ? ""
          : dropped == 1 ? "; 1 more is left out for a missing cell"
                         : fmt::format("; {} more are left out for a missing cell", dropped));
}

ReadOptions reading(const Columns& columns, ReadOptions how) {
  const auto dates_of = [&](const std::string& column) -> DateColumn& {
    for (DateColumn& one : how.dates)
      if (one.column == column) return one;
    return how.dates.emplace_back(DateColumn{.column = column});
  };
  how.by_charter = true;
  for (const Column& column : columns) {
    if (column.categorical()) how.categorical.push_back({column.name, column.levels});
    if (column.is_date()) dates_of(column.name).start = column.start;
    if (!column.part_of.empty())
      dates_of(column.part_of).parts.push_back(column.name.substr(column.part_of.size() + 1));
  }
  return how;
}

std::string RowSource::name() const { return source_name(file); }

AgentRows read_rows(const RowSource& source, const Charter& charter, const ReadOptions& settings) {
  ReadOptions how = settings;
  if (!source.sql.empty()) how.sql = source.sql;
  const Table table = read_data(source.file, wanted(charter.inputs, charter.targets),
                                reading(charter.targets, reading(charter.inputs, how)));
  if (table.rows() > charter.protocol.rows)
    throw InputError(fmt::format("{}: there are {} rows, and the charter allows {} (protocol.most_rows)",
                                 source.name(), table.rows(), charter.protocol.rows));
  AgentRows out{.rows = {},
                .bad = BadCells(table.name(), table.row_word()),
                .dropped = table.dropped(),
                .notes = {table.notes().begin(), table.notes().end()}};
  std::map<std::string, std::string> needs;  // by column
  out.rows =
      read(table, charter.inputs, charter.targets,
           [&](std::size_t row, const Column& column, const std::string& value, const std::string& what) {
             std::string& need = needs[column.name];
             if (need.empty()) need = needed(table, column);
             out.bad.add(column.name, table.line_of(row), value,
                         {.one = "is " + what, .many = "are " + what, .seen = need});
           });
  return out;
}

Samples read_points(const std::filesystem::path& file, const Columns& inputs, const Columns& targets,
                    const ReadOptions& how) {
  const ReadOptions as_wanted = reading(inputs, how);
  const Table table = read_data(file, wanted(inputs, {}), as_wanted);
  BadCells bad(table.name(), table.row_word());
  Samples points =
      read(table, inputs, {},
           [&](std::size_t row, const Column& column, const std::string& value, const std::string& what) {
             bad.add(column.name, table.line_of(row), value, {.one = "is " + what, .many = "are " + what});
           });
  bad.refuse_any();
  const bool known = std::all_of(targets.begin(), targets.end(),
                                 [&](const Column& column) { return table.has(column.name); });
  return known ? read(read_data(file, wanted(inputs, targets), reading(targets, as_wanted)), inputs, targets,
                      [](auto&&...) {})
               : std::move(points);
}

}  // namespace tacit
