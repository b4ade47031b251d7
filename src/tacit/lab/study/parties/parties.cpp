#include "tacit/lab/study/parties/parties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "tacit/base/error.hpp"
#include "tacit/base/progress.hpp"
#include "tacit/lab/study/parties/party_checks.hpp"
#include "tacit/lab/study/parties/party_pieces.hpp"
#include "tacit/lab/study/parties/party_split.hpp"
#include "tacit/lab/study/parties/row_groups.hpp"
#include "tacit/lab/study/parties/streamed_rows.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/cells/dates.hpp"
#include "tacit/table/cells/one_hot.hpp"
#include "tacit/table/data_columns.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/read_settings.hpp"
#include "tacit/table/rows/pieces.hpp"
#include "tacit/table/sql/sql.hpp"

namespace tacit {
namespace {

// The given inputs, or all columns of the first file that are neither target nor split column.
std::vector<std::string> input_columns(const PartyOptions& options, const std::vector<std::string>& header) {
  if (!options.inputs.empty()) return options.inputs;
  std::vector<std::string> inputs;
  for (const std::string& column : header)
    if (!contains(options.targets, column) &&
        !(options.split == SplitMode::by_column && column == options.split_column))
      inputs.push_back(column);
  return inputs;
}

TableOptions wanted_columns(const std::vector<std::string>& only, const std::vector<std::string>& targets) {
  TableOptions wanted;
  wanted.only = only;
  wanted.fixed = targets;
  wanted.chosen_by = "`inputs`";
  return wanted;
}

// If no inputs are given, the first file determines them.
std::vector<Table> read_files(const PartyOptions& options, const std::vector<DataPiece>& pieces,
                              std::vector<std::string>& inputs) {
  std::vector<Table> tables;
  const auto scratch = options.stream ? std::make_shared<ScratchFile>(options.scratch) : nullptr;
  if (options.progress) options.progress->begin("reading", 0);
  for (const DataPiece& piece : pieces) {
    TableOptions wanted = wanted_columns(tables.empty() ? options.inputs : inputs, options.targets);
    wanted.required = options.targets;
    wanted.scratch = scratch;
    wanted.progress = options.progress;
    for (const ColumnWords& also : options.reading.missing_values) wanted.required.push_back(also.column);
    if (options.split == SplitMode::by_column) wanted.text_columns = {options.split_column};
    if (!wanted.only.empty())
      wanted.only.insert(wanted.only.end(), options.targets.begin(), options.targets.end());
    tables.push_back(options.read(piece.source, wanted, piece.how));
    if (tables.size() > 1) continue;
    const auto header = tables[0].columns();
    inputs = input_columns(options, {header.begin(), header.end()});
    if (inputs.empty())
      throw InputError(fmt::format("{} has no input column besides the target", tables[0].name()));
  }
  return tables;
}

// Dates without a start count from the earliest date in all files. The starts are stored in `reading` for
// files that are read later.
void settle_dates(const std::vector<std::string>& inputs, std::vector<Table>& tables, ReadOptions& reading,
                  Parties& parties) {
  const auto used = [&](const std::string& name) {
    return contains(inputs, name) || contains(parties.columns.targets, name);
  };
  for (DateColumn& date : reading.dates) {
    for (const std::string& part : date.parts)
      if (const std::string name = part_column(date.column, part); !used(name))
        throw InputError(
            fmt::format("'{}' of `date` is not an input; add it to `inputs` or remove it from `date`", name));
    if (!used(date.column) && date.parts.empty())
      throw InputError(fmt::format(
          "column '{}' has dates but is not an input; add it to `inputs` or remove it from `date`",
          date.column));
    if (used(date.column) && date.start.empty()) {
      double earliest = std::numeric_limits<double>::infinity();
      for (const Table& table : tables)
        table.for_each_number(
            date.column, [&](std::size_t, double day) { earliest = std::min(earliest, std::floor(day)); });
      for (Table& table : tables) table.count_from(earliest, date.column);
      date.start = day_text(earliest);
      parties.columns.earliest.push_back(date.column);
    }
  }
  parties.columns.dates = reading.dates;
}

// The inputs with their levels. Stores the levels of all files in `categorical`.
std::vector<DataColumn> settle_columns(const PartyOptions& options, const std::vector<std::string>& inputs,
                                       const std::vector<Table>& tables,
                                       std::vector<ColumnWords>& categorical) {
  for (const ColumnWords& category : options.reading.categorical) {
    if (!contains(inputs, category.column))
      throw InputError(fmt::format(
          "column '{}' is categorical but not an input; add it to `inputs` or remove it from `categorical`",
          category.column));
    categorical.push_back({category.column, levels_of(category, tables)});
  }
  std::vector<DataColumn> columns;
  for (const std::string& input : inputs) {
    DataColumn& column = columns.emplace_back(DataColumn{input, {}});
    for (const ColumnWords& category : categorical)
      if (category.column == input) column.levels = category.words;
  }
  return columns;
}

double test_fraction(const PartyOptions& options, std::size_t rows) {
  return options.test_fraction.value_or(
      std::min(usual_test_fraction, usual_test_rows / static_cast<double>(rows)));
}

std::vector<DataColumn> as_columns(const std::vector<std::string>& names) {
  std::vector<DataColumn> columns;
  for (const std::string& name : names) columns.push_back({name, {}});
  return columns;
}

// How to read a file besides the data. The query applies only to databases.
ReadOptions reading_of(const std::filesystem::path& beside, const PartyOptions& options) {
  ReadOptions how = options.reading;
  if (!is_database(beside)) how.sql.clear();
  return how;
}

DataFile file_of(const Table& table, bool test) {
  return {table.name(), table.rows(), table.dropped(), test, {table.notes().begin(), table.notes().end()}};
}

// The lines of rows in their files. Rows are numbered through all tables and ascending.
std::vector<std::size_t> lines_of(const std::vector<Table>& tables, const RowNumbers& rows) {
  std::vector<std::size_t> lines;
  std::size_t table = 0, before = 0;
  for (const std::size_t row : rows) {
    while (row >= before + tables[table].rows()) before += tables[table++].rows();
    lines.push_back(tables[table].line_of(row - before));
  }
  return lines;
}

void read_test(const PartyOptions& options, const std::vector<std::string>& inputs,
               const std::vector<DataColumn>& columns, Parties& parties) {
  TableOptions wanted = wanted_columns(inputs, options.targets);
  wanted.optional = parties.columns.targets;
  std::vector<Table> test;
  test.push_back(options.read(*options.test, wanted, reading_of(*options.test, options)));
  parties.files.push_back(file_of(test[0], true));
  std::size_t known = 0;
  for (const std::string& target : parties.columns.targets) known += test[0].has(target);
  parties.test.targets_known = known == parties.columns.targets.size();
  for (const std::string& target : parties.columns.targets)
    if (known > 0 && !test[0].has(target))
      throw InputError(
          fmt::format("{} has some of the targets but not '{}'; add this column or leave out all targets",
                      test[0].name(), target));
  const std::vector<RowNumbers> all = {first_numbers(test[0].rows())};
  parties.test.lines = lines_of(test, all[0]);
  parties.test.inputs = take_columns(test, columns, all)[0];
  if (parties.test.targets_known)
    parties.test.outputs = take_columns(test, as_columns(parties.columns.targets), all)[0];
}

Matrix read_landmarks(const PartyOptions& options, const std::vector<std::string>& inputs,
                      const std::vector<DataColumn>& columns) {
  ReadOptions how = reading_of(*options.landmarks, options);
  how.missing = Missing::refuse;  // landmarks are public and written by hand
  std::vector<Table> tables;
  tables.push_back(options.read(*options.landmarks, wanted_columns(inputs, options.targets), how));
  const std::vector<RowNumbers> all = {first_numbers(tables[0].rows())};
  return take_columns(tables, columns, all)[0];
}

// The last part is that of the test.
void take_rows(std::vector<Table>& tables, const std::vector<DataColumn>& columns,
               const std::vector<DataColumn>& targets, const std::vector<RowNumbers>& parts,
               const PartyOptions& options, Parties& parties) {
  std::vector<Matrix> inputs = take_columns(tables, columns, parts);
  std::vector<Matrix> outputs = take_columns(tables, targets, parts);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    parties.agents.push_back({std::move(inputs[i]), std::move(outputs[i])});
  if (options.test) return;
  parties.test.inputs = std::move(inputs.back());
  parties.test.outputs = std::move(outputs.back());
}

// The same, but reads only the test rows into memory.
void stream_rows(const std::shared_ptr<const RowReader>& all, std::vector<RowNumbers> parts,
                 const PartyOptions& options, Parties& parties) {
  const auto rows_of = [&](RowNumbers part) { return some_rows(all, {part.begin(), part.end()}); };
  if (!options.test) read_all(*rows_of(std::move(parts.back())), parties.test.inputs, parties.test.outputs);
  parts.pop_back();
  for (RowNumbers& part : parts) parties.elsewhere.readers.push_back(rows_of(std::move(part)));
}

// The same if several processes have read the tables.
void share_tables(ReaderGroup& together, const std::vector<std::size_t>& first, std::vector<Table>& tables,
                  const std::vector<DataColumn>& columns, const std::vector<DataColumn>& targets,
                  const RowNumbers& test, Parties& parties) {
  const RowNumbers here = first_numbers(first[together.rank() + 1] - first[together.rank()]);
  const std::vector<std::size_t> lines = lines_of(tables, here);
  Samples own{take_columns(tables, columns, {here})[0], take_columns(tables, targets, {here})[0]};
  share_rows(together, first, std::move(own), lines, test, parties);
}

}  // namespace

std::shared_ptr<const RowReader> Parties::rows_of(std::size_t agent) const {
  return agents.empty() ? elsewhere.readers[agent]
                        : rows_in_memory(agents[agent].inputs, agents[agent].outputs);
}

std::size_t Parties::rows() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count(); ++i) sum += rows_of(i)->rows();
  return sum;
}

std::size_t Parties::most_rows() const {
  std::size_t most = 0;
  for (std::size_t i = 0; i < count(); ++i) most = std::max(most, rows_of(i)->rows());
  return most;
}

void TargetRange::include(const Matrix& outputs) {
  if (outputs.size() == 0) return;
  const Vector least = outputs.colwise().minCoeff().transpose(),
               most = outputs.colwise().maxCoeff().transpose();
  low = low.size() == 0 ? least : low.cwiseMin(least).eval();
  high = high.size() == 0 ? most : high.cwiseMax(most).eval();
}

double TargetRange::most() const {
  if (agreed) return *agreed;
  return low.size() == 0 ? 0 : std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
}

void Parties::measure_targets() {
  target_range.low = target_range.high = Vector();
  for (std::size_t i = 0; i < count(); ++i)
    for_each_piece(*rows_of(i), [&](const Matrix&, const Matrix& outputs) { target_range.include(outputs); });
}

namespace {

// What was read, before the rows are divided.
struct TablesRead {
  std::vector<std::string> inputs;
  std::vector<DataColumn> columns;  // the inputs with their levels
  std::vector<Table> tables;
  std::vector<std::size_t> first;  // the number of the first row of each process, and then of all rows
};

PartyOptions trimmed_options(PartyOptions options) {
  options.inputs = trimmed_names(options.inputs);
  options.targets = trimmed_names(options.targets);
  options.split_column = std::string(trimmed(options.split_column));
  return options;
}

TablesRead read_tables(PartyOptions& options, Parties& parties) {
  TablesRead read;
  const std::vector<DataPiece> pieces =
      pieces_of({options.data, options.shares, options.reading, options.together});
  read.tables = read_files(options, pieces, read.inputs);
  settle_dates(read.inputs, read.tables, options.reading, parties);
  read.columns = settle_columns(options, read.inputs, read.tables, parties.columns.categorical);
  for (const DataColumn& column : read.columns)
    for (std::string& name : column.names()) parties.columns.inputs.push_back(std::move(name));
  refuse_doubles(parties.columns.inputs,
                 "is both in the data and a level of a categorical column; rename it");
  std::vector<PieceRead> found;
  read.first = {0, 0};
  for (std::size_t k = 0; k < read.tables.size(); ++k) {
    found.push_back({pieces[k].file, file_of(read.tables[k], false)});
    read.first[1] += read.tables[k].rows();
  }
  if (options.together) read.first = share_pieces(*options.together, read.inputs, found);
  parties.files = files_of(found);
  return read;
}

// The rows of each agent, and last those of the test, which are none if the test has its own file.
std::vector<RowNumbers> divide_rows(const PartyOptions& options, const TablesRead& read, Parties& parties) {
  const std::size_t rows = read.first.back();
  const std::vector<DataFile> files = parties.files;  // read_test() adds the test file
  RowNumbers train, test;
  if (options.test) {
    train = first_numbers(rows);
    read_test(options, read.inputs, read.columns, parties);
  } else {
    std::tie(train, test) = hold_out(rows, test_fraction(options, rows), options.seed);
    if (!options.together) parties.test.lines = lines_of(read.tables, test);
  }
  std::vector<RowNumbers> parts = part_rows(options, read.tables, files, std::move(train), parties.names);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].empty())
      throw InputError(
          fmt::format("'{}' has no rows left for training; hold out fewer rows or leave out this agent",
                      parties.names[i]));
  parts.push_back(std::move(test));
  return parts;
}

void settle_target_range(const PartyOptions& options, Parties& parties) {
  if (!options.together) parties.measure_targets();
  parties.target_range.agreed = options.y_max;
  if (!(parties.target_range.most() > 0))
    throw InputError(fmt::format(
        "all values of the target '{}' are zero, so the data give no bound; give one with `y_max`",
        parties.columns.targets[0]));
}

}  // namespace

Parties gather_parties(const PartyOptions& asked) {
  PartyOptions options = trimmed_options(asked);
  check_options(options);
  Parties parties;
  parties.columns.targets = options.targets;
  TablesRead read = read_tables(options, parties);
  if (options.landmarks) parties.landmarks = read_landmarks(options, read.inputs, read.columns);
  std::vector<RowNumbers> parts = divide_rows(options, read, parties);
  if (options.y_max) check_y_max(*options.y_max, read.tables, parties.columns.targets);
  const std::vector<DataColumn> targets = as_columns(parties.columns.targets);
  if (options.together) {
    const RowNumbers test = std::move(parts.back());
    parts.pop_back();
    parties.elsewhere.read.emplace().parts = std::move(parts);
    share_tables(*options.together, read.first, read.tables, read.columns, targets, test, parties);
  } else if (options.stream) {
    stream_rows(streamed_rows(read.tables, read.columns, targets), std::move(parts), options, parties);
  } else {
    take_rows(read.tables, read.columns, targets, parts, options, parties);
  }
  if (options.split == SplitMode::regions) deal_regions(parties.agents);
  settle_target_range(options, parties);
  return parties;
}

}  // namespace tacit
