#include "tacit/agent/agent_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/data/read_data.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_problems = 10;

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

struct Reader {
  const Table& table;
  AgentRows& out;

  void problem(std::size_t row, const Column& column, std::string value, std::string what) {
    if (out.outside++ < most_problems)
      out.problems.push_back(
          {fmt::format("{}, line {}, column {}", table.name(), table.line_of(row), in_quotes(column.name)),
           std::move(value), std::move(what)});
  }

  void numbers(const Column& column, Matrix& into, Index at) {
    const auto values = table.numbers(column.name);
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (!(values[r] >= column.low && values[r] <= column.high))
        problem(r, column, fmt::format("{}", values[r]),
                fmt::format("outside the charter's range {} to {}", column.low, column.high));
      into(static_cast<Index>(r), at) = values[r];
    }
  }

  void levels(const Column& column, Matrix& into, Index at) {
    const TextColumn& cells = table.texts(column.name);
    for (std::size_t r = 0; r < cells.size(); ++r) {
      const auto level = std::find(column.levels.begin(), column.levels.end(), cells[r]);
      for (std::size_t k = 0; k < column.levels.size(); ++k)
        into(static_cast<Index>(r), at + static_cast<Index>(k)) = 0;
      if (level == column.levels.end())
        problem(r, column, in_quotes(cells[r].substr(0, 40)), "not one of the charter's levels");
      else
        into(static_cast<Index>(r), at + (level - column.levels.begin())) = 1;
    }
  }
};

AgentRows read(const Table& table, const Columns& inputs, const Columns& targets) {
  AgentRows out;
  const auto rows = static_cast<Index>(table.rows());
  out.rows.inputs.resize(rows, static_cast<Index>(width(inputs)));
  out.rows.outputs.resize(targets.empty() ? 0 : rows, static_cast<Index>(targets.size()));
  Reader reader{table, out};
  Index at = 0;
  for (const Column& column : inputs) {
    if (column.categorical()) {
      reader.levels(column, out.rows.inputs, at);
      at += static_cast<Index>(column.levels.size());
    } else {
      reader.numbers(column, out.rows.inputs, at++);
    }
  }
  at = 0;
  for (const Column& column : targets) reader.numbers(column, out.rows.outputs, at++);
  return out;
}

}  // namespace

std::string CellProblem::text() const { return fmt::format("{}: {} is {}", where, value, what); }
std::string CellProblem::quietly() const { return fmt::format("{}: the cell is {}", where, what); }

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
  how.sql = source.sql;
  const Table table = read_data(source.file, wanted(charter.inputs, charter.targets),
                                reading(charter.targets, reading(charter.inputs, how)));
  if (table.rows() > charter.protocol.rows)
    throw InputError(fmt::format("{}: there are {} rows, and the charter allows {} (protocol.most_rows)",
                                 source.name(), table.rows(), charter.protocol.rows));
  AgentRows rows = read(table, charter.inputs, charter.targets);
  rows.dropped = table.dropped();
  return rows;
}

Samples read_points(const std::filesystem::path& file, const Columns& inputs, const Columns& targets,
                    const ReadOptions& how) {
  const ReadOptions as_wanted = reading(inputs, how);
  const Table table = read_data(file, wanted(inputs, {}), as_wanted);
  AgentRows points = read(table, inputs, {});
  if (points.outside > 0)
    throw InputError(points.problems[0].text() + "; the consortium answers within the charter alone");
  const bool known = std::all_of(targets.begin(), targets.end(),
                                 [&](const Column& column) { return table.has(column.name); });
  return known ? read(read_data(file, wanted(inputs, targets), reading(targets, as_wanted)), inputs, targets)
                     .rows
               : std::move(points.rows);
}

}  // namespace tacit
