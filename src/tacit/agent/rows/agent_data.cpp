#include "tacit/agent/rows/agent_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "tacit/agent/rows/row_set.hpp"
#include "tacit/base/error.hpp"
#include "tacit/table/cells/bad_cells.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/rows/pieces.hpp"

namespace tacit {
namespace {

using Columns = std::vector<Column>;

TableOptions wanted(const Columns& inputs, const Columns& targets) {
  TableOptions options;
  for (const Column& column : inputs)
    (column.categorical() ? options.text_columns : options.only).push_back(column.name);
  for (const Column& column : targets) options.only.push_back(column.name);
  // An empty list would select all numeric columns.
  if (options.only.empty()) options.only = options.text_columns;
  return options;
}

// Called for each cell that the charter does not allow, with row, column, value and the reason.
using Problem = std::function<void(std::size_t, const Column&, const std::string&, const std::string&)>;

struct Reader {
  const Table& table;
  const Problem& problem;

  // An unreadable number is NaN and an unreadable text is empty; Table::bad_rows() lists these rows.
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
      else if (!cells[r].empty())
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

// The range or levels that a charter needs for all of a column.
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

std::string in_words(std::size_t rows, std::size_t dropped) {
  const auto several = [](std::size_t n) { return n == 1 ? "1 row" : fmt::format("{} rows", n); };
  return several(rows) + ", all within the charter's ranges and levels" +
         (dropped == 0   ? ""
          : dropped == 1 ? "; 1 more was skipped because of a missing cell"
                         : fmt::format("; {} more were skipped because of a missing cell", dropped));
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

std::string RowSource::name() const {
  return source_name(file) + (more.empty()       ? ""
                              : more.size() == 1 ? " and 1 more file"
                                                 : fmt::format(" and {} more files", more.size()));
}

void check_row_count(const RowSource& source, std::size_t rows, const Charter& charter) {
  if (rows > charter.protocol.rows)
    throw InputError(fmt::format("{}: the data have {} rows, but the charter allows {} (protocol.most_rows)",
                                 source.name(), rows, charter.protocol.rows));
}

namespace {

// Appends one piece of the source.
void read_piece(const DataPiece& piece, const Charter& charter, AgentRows& out) {
  const Table table = read_data(piece.source, wanted(charter.inputs, charter.targets), piece.how);
  BadCells bad(table.name(), table.row_word());
  std::map<std::string, std::string> needs;  // by column
  append(out.rows,
         read(table, charter.inputs, charter.targets,
              [&](std::size_t row, const Column& column, const std::string& value, const std::string& what) {
                std::string& need = needs[column.name];
                if (need.empty()) need = needed(table, column);
                bad.add(column.name, table.line_of(row), value,
                        {.one = "is " + what, .many = "are " + what, .seen = need});
              }));
  const auto shown = bad.sentences(true), quietly = bad.sentences(false);
  for (std::size_t k = 0; k < shown.size(); ++k) out.bad.push_back({shown[k], quietly[k]});
  out.dropped += table.dropped();
  for (const std::string& note : table.notes())
    if (std::ranges::find(out.notes, note) == out.notes.end()) out.notes.push_back(note);
}

}  // namespace

AgentRows read_rows(const RowSource& source, const Charter& charter, const ReadOptions& settings,
                    ReaderGroup* together) {
  PieceRequest all;
  all.data = {source.file};
  all.data.insert(all.data.end(), source.more.begin(), source.more.end());
  all.shares = source.shares;
  all.reading = reading(charter.targets, reading(charter.inputs, settings));
  if (!source.sql.empty()) all.reading.sql = source.sql;
  all.together = together;
  AgentRows out;
  for (const DataPiece& piece : pieces_of(all)) read_piece(piece, charter, out);
  check_row_count(source, static_cast<std::size_t>(out.rows.inputs.rows()), charter);
  return out;
}

Points read_points(const std::filesystem::path& file, const Columns& inputs, Columns targets,
                   const PointOptions& options, ReadOptions how, const ReadTable& reader) {
  for (auto id = options.ids.begin(); id != options.ids.end(); ++id)
    if (std::find(options.ids.begin(), id, *id) != id)
      throw InputError(fmt::format("`id` names column '{}' twice; name it once", *id));
  for (Column& target : targets) {  // predictions are compared with any observed value
    target.low = -std::numeric_limits<double>::infinity();
    target.high = std::numeric_limits<double>::infinity();
  }
  how.missing = Missing::keep;
  TableOptions columns = wanted(inputs, targets);
  columns.ids = options.ids;
  const Table table = reader(file, columns, reading(targets, reading(inputs, how)));

  BadCells bad = table.bad_cells();
  std::vector<bool> is_bad(table.rows());
  for (const std::size_t row : table.bad_rows()) is_bad[row] = true;
  const Samples all =
      read(table, inputs, targets,
           [&](std::size_t row, const Column& column, const std::string& value, const std::string& what) {
             bad.add(column.name, table.line_of(row), value, {.one = "is " + what, .many = "are " + what});
             is_bad[row] = true;
           });

  Points out;
  out.count = table.rows();
  out.notes = {table.notes().begin(), table.notes().end()};
  for (std::size_t row = 0; row < is_bad.size(); ++row)
    if (!is_bad[row]) out.rows_of_file.push_back(row);
  out.why_skipped = bad.empty() ? "" : bad.text();
  const char* const then = out.why_skipped.find('\n') == std::string::npos ? " " : "\n";
  if (!bad.empty() && !options.skip_bad)
    throw InputError(fmt::format("{}{}Correct the file, or skip these rows{}.", out.why_skipped, then,
                                 options.how_to_skip));
  if (out.rows_of_file.empty())
    throw InputError(out.why_skipped + then + "No valid row is left; correct the file.");
  out.rows.inputs = all.inputs(out.rows_of_file, Eigen::all);
  if (!targets.empty()) out.rows.outputs = all.outputs(out.rows_of_file, Eigen::all);
  for (const std::string& id : options.ids) {
    const auto cells = table.ids(id);
    out.ids.push_back({id, {cells.begin(), cells.end()}});
  }
  return out;
}

}  // namespace tacit
