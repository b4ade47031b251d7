#include "tacit/data/parties.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/base/progress.hpp"
#include "tacit/data/bad_cells.hpp"
#include "tacit/data/cell.hpp"
#include "tacit/data/data_columns.hpp"
#include "tacit/data/dates.hpp"
#include "tacit/data/one_hot.hpp"
#include "tacit/data/pieces.hpp"
#include "tacit/data/read_data.hpp"
#include "tacit/data/read_settings.hpp"
#include "tacit/data/sql.hpp"
#include "tacit/data/streamed_rows.hpp"
#include "tacit/graph/graph.hpp"

namespace tacit {
namespace {

constexpr std::size_t usual_agents = 10;

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// The inputs that were asked for, or all columns of the first file that are neither target nor split column.
std::vector<std::string> input_columns(const PartyOptions& options, const std::vector<std::string>& header) {
  if (!options.inputs.empty()) return options.inputs;
  std::vector<std::string> inputs;
  for (const std::string& column : header)
    if (!contains(options.targets, column) &&
        !(options.split == SplitMode::by_column && column == options.split_column))
      inputs.push_back(column);
  return inputs;
}

void refuse_doubles(std::vector<std::string> columns, std::string_view what) {
  std::sort(columns.begin(), columns.end());
  const auto twice = std::adjacent_find(columns.begin(), columns.end());
  if (twice != columns.end()) throw InputError(fmt::format("column '{}' {}", *twice, what));
}

// Rows that are read in several pieces can be dealt out by their numbers alone.
void check_pieces(const PartyOptions& options) {
  const bool several = options.parts || options.shares > 0 || options.together;
  if (several && (options.split == SplitMode::by_column || options.split == SplitMode::regions))
    throw InputError(
        "--split by and regions look at all rows at once, which --parts, --shares and mpirun read piece by "
        "piece; use --split contiguous or shuffled, or one --data for each agent");
  if (!options.together) return;
  for (const DateColumn& date : options.reading.dates)
    if (date.start.empty())
      throw InputError(
          fmt::format("under mpirun no rank sees all dates; say from when '{}' counts, as in "
                      "--date {}:2020-01-31",
                      date.column, date.column));
  for (const ColumnWords& category : options.reading.categorical)
    if (category.words.empty())
      throw InputError(
          fmt::format("under mpirun no rank sees all levels; name those of '{}', as in "
                      "--categorical '{}:LEVEL|LEVEL'",
                      category.column, category.column));
}

void check(const PartyOptions& options) {
  if (options.data.empty()) throw InputError("no data: name a file with --data");
  if (options.targets.empty()) throw InputError("no target: name the column to predict with --target");
  refuse_doubles(options.targets, "is named twice; name it once");
  refuse_doubles(options.inputs, "is named twice; name it once");
  for (const std::string& input : options.inputs)
    if (contains(options.targets, input))
      throw InputError(
          fmt::format("column '{}' is both an input and a target; take it out of one of them", input));
  for (const ColumnWords& category : options.reading.categorical)
    if (contains(options.targets, category.column))
      throw InputError(fmt::format(
          "column '{}' is a target, which must be numbers; take it out of --categorical", category.column));
  for (const DateColumn& date : options.reading.dates)
    for (const ColumnWords& category : options.reading.categorical)
      if (category.column == date.column)
        throw InputError(fmt::format(
            "column '{}' is both in --date and in --categorical; take it out of one of them", date.column));
  if (options.data.size() > 1 && !options.parts) {
    if (options.split != SplitMode::contiguous)
      throw InputError(
          "--split divides one data file; with one --data for each agent the rows are divided already");
    if (options.agents && *options.agents != options.data.size())
      throw InputError(fmt::format("--agents {} does not go with {} data files; leave it out",
                                   *options.agents, options.data.size()));
  }
  if (options.stream && options.split == SplitMode::regions)
    throw InputError(
        "--split regions looks at all rows at once, which --stream keeps out of memory; leave one of them "
        "out");
  check_pieces(options);
  if (options.split == SplitMode::by_column && contains(options.targets, options.split_column))
    throw InputError(
        fmt::format("column '{}' is the target and cannot split the rows too", options.split_column));
  if (options.agents && *options.agents > Graph::most_agents)
    throw InputError(fmt::format("{} agents are more than the {} supported (--agents)", *options.agents,
                                 Graph::most_agents));
  if (options.agents && *options.agents < 2)
    throw InputError(
        fmt::format("{} agent has nobody to learn with; --agents must be at least 2", *options.agents));
  if (options.y_max && !(*options.y_max > 0 && std::isfinite(*options.y_max)))
    throw InputError(
        fmt::format("the bound on |target| (--y-max) must be a positive number, not {}", *options.y_max));
}

TableOptions wanted_columns(const std::vector<std::string>& only, const std::vector<std::string>& targets) {
  TableOptions wanted;
  wanted.only = only;
  wanted.fixed = targets;
  wanted.chosen_by = "--inputs";
  return wanted;
}

// The first file decides the inputs when none were named.
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
      throw InputError(fmt::format("{} has no column besides the target to learn from", tables[0].name()));
  }
  return tables;
}

// Dates without a start count from the earliest that any file has. `reading` gets the starts, for files that
// are read later.
void settle_dates(const std::vector<std::string>& inputs, std::vector<Table>& tables, ReadOptions& reading,
                  Parties& parties) {
  const auto used = [&](const std::string& name) {
    return contains(inputs, name) || contains(parties.targets, name);
  };
  for (DateColumn& date : reading.dates) {
    for (const std::string& part : date.parts)
      if (const std::string name = part_column(date.column, part); !used(name))
        throw InputError(
            fmt::format("'{}' of --date is no input; add it to --inputs or take it out of --date", name));
    if (!used(date.column) && date.parts.empty())
      throw InputError(fmt::format(
          "column '{}' has dates but is no input; add it to --inputs or take it out of --date", date.column));
    if (used(date.column) && date.start.empty()) {
      double earliest = std::numeric_limits<double>::infinity();
      for (const Table& table : tables)
        table.for_each_number(
            date.column, [&](std::size_t, double day) { earliest = std::min(earliest, std::floor(day)); });
      for (Table& table : tables) table.count_from(earliest, date.column);
      date.start = day_text(earliest);
      parties.earliest.push_back(date.column);
    }
  }
  parties.dates = reading.dates;
}

// The inputs with what they are made of; `categorical` gets the levels that all files have in common.
std::vector<DataColumn> settle_columns(const PartyOptions& options, const std::vector<std::string>& inputs,
                                       const std::vector<Table>& tables,
                                       std::vector<ColumnWords>& categorical) {
  for (const ColumnWords& category : options.reading.categorical) {
    if (!contains(inputs, category.column))
      throw InputError(fmt::format(
          "column '{}' is categorical but no input; add it to --inputs or take it out of --categorical",
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

RowNumbers first_numbers(std::size_t count) {
  RowNumbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// One agent for each value of the split column, also for one whose rows are all in the test: that
// is refused later.
std::vector<RowNumbers> part_by_column(const PartyOptions& options, const Table& table,
                                       const RowNumbers& train, std::vector<std::string>& names) {
  Groups groups = groups_by(table.texts(options.split_column), first_numbers(table.rows()));
  if (options.agents && *options.agents != groups.names.size())
    throw InputError(
        fmt::format("column '{}' has {} values, so there are as many agents; leave --agents {} out",
                    options.split_column, groups.names.size(), *options.agents));
  if (groups.names.size() < 2)
    throw InputError(
        fmt::format("column '{}' has one value only, so there would be one agent; split by another column",
                    options.split_column));
  for (const std::string& word : table.texts(options.split_column).words())
    if (!contains(groups.names, word))
      throw InputError(
          fmt::format("{}: every row of '{}' is missing a cell that is needed, so that agent would have no "
                      "rows; leave columns out (--inputs names those to use) or remove its rows",
                      table.name(), word));
  for (RowNumbers& group : groups.rows)
    std::erase_if(group, [&](std::size_t r) { return !std::binary_search(train.begin(), train.end(), r); });
  names = std::move(groups.names);
  return std::move(groups.rows);
}

// Who holds which of the rows to train on.
std::vector<RowNumbers> part_rows(const PartyOptions& options, const std::vector<Table>& tables,
                                  const std::vector<DataFile>& files, const RowNumbers& train,
                                  std::vector<std::string>& names) {
  if (files.size() > 1 && !options.parts) {
    std::vector<RowNumbers> parts(files.size());
    for (const auto& file : options.data)
      names.push_back(std::filesystem::path(source_name(file)).filename().string());
    std::size_t file = 0, end = files[0].rows;
    for (std::size_t k : train) {  // ascending
      while (k >= end) end += files[++file].rows;
      parts[file].push_back(k);
    }
    return parts;
  }
  if (options.split == SplitMode::by_column) return part_by_column(options, tables[0], train, names);
  RowNumbers order = train;
  if (options.split == SplitMode::shuffled) {
    const RowNumbers shuffle = shuffled_rows(train.size(), options.seed + 1);
    for (std::size_t k = 0; k < train.size(); ++k) order[k] = train[shuffle[k]];
  }
  const std::size_t agents = options.agents.value_or(usual_agents);
  std::vector<RowNumbers> parts = contiguous_blocks(order, agents);
  for (std::size_t i = 0; i < agents; ++i) names.push_back(fmt::format("agent {}", i));
  return parts;
}

// The same rows dealt out anew, so that every agent gets one region.
void deal_regions(std::vector<Samples>& agents) {
  Samples all;
  for (const Samples& agent : agents) {
    all.inputs.conservativeResize(all.inputs.rows() + agent.inputs.rows(), agent.inputs.cols());
    all.outputs.conservativeResize(all.inputs.rows(), agent.outputs.cols());
    all.inputs.bottomRows(agent.inputs.rows()) = agent.inputs;
    all.outputs.bottomRows(agent.inputs.rows()) = agent.outputs;
  }
  const std::vector<std::size_t> along = along_first_axis(all.inputs);
  const std::vector<RowNumbers> parts = contiguous_blocks(along, agents.size());
  for (std::size_t i = 0; i < agents.size(); ++i)
    agents[i] = {all.inputs(parts[i], Eigen::all), all.outputs(parts[i], Eigen::all)};
}

void check_y_max(double y_max, const std::vector<Table>& tables, const std::vector<std::string>& targets) {
  const CellFault fault{fmt::format("is above the public bound --y-max {}", y_max),
                        fmt::format("are above the public bound --y-max {}", y_max)};
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

std::vector<DataColumn> as_columns(const std::vector<std::string>& names) {
  std::vector<DataColumn> columns;
  for (const std::string& name : names) columns.push_back({name, {}});
  return columns;
}

// The query is for the data; a file beside them has none.
ReadOptions reading_of(const std::filesystem::path& beside, const PartyOptions& options) {
  ReadOptions how = options.reading;
  if (!is_database(beside)) how.sql.clear();
  return how;
}

DataFile file_of(const Table& table, bool test) {
  return {table.name(), table.rows(), table.dropped(), test, {table.notes().begin(), table.notes().end()}};
}

// Where rows, counted through all tables and ascending, are in their files.
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
  wanted.optional = parties.targets;
  std::vector<Table> test;
  test.push_back(options.read(*options.test, wanted, reading_of(*options.test, options)));
  parties.files.push_back(file_of(test[0], true));
  std::size_t known = 0;
  for (const std::string& target : parties.targets) known += test[0].has(target);
  parties.test_targets_known = known == parties.targets.size();
  for (const std::string& target : parties.targets)
    if (known > 0 && !test[0].has(target))
      throw InputError(
          fmt::format("{} has some of the targets but not '{}'; add that column, or leave all targets out",
                      test[0].name(), target));
  const std::vector<RowNumbers> all = {first_numbers(test[0].rows())};
  parties.test_lines = lines_of(test, all[0]);
  parties.test.inputs = take_columns(test, columns, all)[0];
  if (parties.test_targets_known)
    parties.test.outputs = take_columns(test, as_columns(parties.targets), all)[0];
}

Matrix read_landmarks(const PartyOptions& options, const std::vector<std::string>& inputs,
                      const std::vector<DataColumn>& columns) {
  ReadOptions how = reading_of(*options.landmarks, options);
  how.missing = Missing::refuse;  // landmarks are public and made by hand
  std::vector<Table> tables;
  tables.push_back(options.read(*options.landmarks, wanted_columns(inputs, options.targets), how));
  const std::vector<RowNumbers> all = {first_numbers(tables[0].rows())};
  return take_columns(tables, columns, all)[0];
}

// Of the parts, the last is the test's.
void take_rows(std::vector<Table>& tables, const std::vector<DataColumn>& columns,
               const std::vector<DataColumn>& targets, const std::vector<RowNumbers>& parts,
               const PartyOptions& options, Parties& parties) {
  std::vector<Matrix> inputs = take_columns(tables, columns, parts);
  std::vector<Matrix> outputs = take_columns(tables, targets, parts);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    parties.agents.push_back({std::move(inputs[i]), std::move(outputs[i])});
  if (!options.test) parties.test = {std::move(inputs.back()), std::move(outputs.back())};
}

// The same, but only rows of the test come into memory.
void stream_rows(const std::shared_ptr<const RowReader>& all, std::vector<RowNumbers> parts,
                 const PartyOptions& options, Parties& parties) {
  const auto rows_of = [&](RowNumbers part) { return some_rows(all, {part.begin(), part.end()}); };
  if (!options.test) parties.test = samples_of(*rows_of(std::move(parts.back())));
  parts.pop_back();
  for (RowNumbers& part : parts) parties.streamed.push_back(rows_of(std::move(part)));
}

// The same where several processes have read the tables.
void share_tables(ReadTogether& together, const std::vector<std::size_t>& first, std::vector<Table>& tables,
                  const std::vector<DataColumn>& columns, const std::vector<DataColumn>& targets,
                  const RowNumbers& test, Parties& parties) {
  const RowNumbers here = first_numbers(first[together.rank() + 1] - first[together.rank()]);
  const std::vector<std::size_t> lines = lines_of(tables, here);
  Samples own{take_columns(tables, columns, {here})[0], take_columns(tables, targets, {here})[0]};
  share_rows(together, first, std::move(own), lines, test, parties);
}

}  // namespace

std::shared_ptr<const RowReader> Parties::rows_of(std::size_t agent) const {
  return agents.empty() ? streamed[agent] : rows_in_memory(agents[agent].inputs, agents[agent].outputs);
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

Parties gather_parties(const PartyOptions& asked) {
  PartyOptions options = asked;
  options.inputs = trimmed_names(asked.inputs);
  options.targets = trimmed_names(asked.targets);
  options.split_column = trimmed(asked.split_column);
  check(options);
  Parties parties;
  parties.targets = options.targets;
  std::vector<std::string> inputs;
  const std::vector<DataPiece> pieces = pieces_of(options);
  std::vector<Table> tables = read_files(options, pieces, inputs);
  settle_dates(inputs, tables, options.reading, parties);
  const std::vector<DataColumn> columns = settle_columns(options, inputs, tables, parties.categorical);
  for (const DataColumn& column : columns)
    for (std::string& name : column.names()) parties.inputs.push_back(std::move(name));
  refuse_doubles(parties.inputs, "is both in the data and a level of a categorical column; rename it");
  std::vector<PieceRead> read;
  std::vector<std::size_t> first{0, 0};  // of this process's rows, then of the next one's
  for (std::size_t k = 0; k < tables.size(); ++k) {
    read.push_back({pieces[k].file, file_of(tables[k], false)});
    first[1] += tables[k].rows();
  }
  if (options.together) first = share_pieces(*options.together, inputs, read);
  const std::vector<DataFile> files = files_of(read);
  parties.files = files;  // to which that of the test may come
  const std::size_t rows = first.back();

  if (options.landmarks) parties.landmarks = read_landmarks(options, inputs, columns);
  RowNumbers train = first_numbers(rows), test;
  if (options.test) {
    read_test(options, inputs, columns, parties);
  } else {
    std::tie(train, test) = hold_out(rows, test_fraction(options, rows), options.seed);
    if (!options.together) parties.test_lines = lines_of(tables, test);
  }
  std::vector<RowNumbers> parts = part_rows(options, tables, files, train, parties.names);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].empty())
      throw InputError(fmt::format("'{}' has no rows left to learn from; hold out fewer rows or leave it out",
                                   parties.names[i]));
  if (options.y_max) check_y_max(*options.y_max, tables, parties.targets);

  train = {};
  const std::vector<DataColumn> targets = as_columns(parties.targets);
  if (options.together) {
    parties.read.emplace().parts = std::move(parts);
    share_tables(*options.together, first, tables, columns, targets, test, parties);
  } else {
    parts.push_back(std::move(test));
    if (options.stream)
      stream_rows(streamed_rows(tables, columns, targets), std::move(parts), options, parties);
    else
      take_rows(tables, columns, targets, parts, options, parties);
  }
  for (std::size_t i = 0; i < parties.count(); ++i)
    for_each_piece(*parties.rows_of(i), [&](const Matrix&, const Matrix& outputs) {
      parties.y_max = std::max(parties.y_max, outputs.cwiseAbs().maxCoeff());
    });
  if (options.split == SplitMode::regions) deal_regions(parties.agents);
  if ((parties.y_max_agreed = options.y_max.has_value())) parties.y_max = *options.y_max;
  if (!(parties.y_max > 0))
    throw InputError(fmt::format(
        "every value of the target '{}' is zero, so no bound follows from the data; give one with --y-max",
        parties.targets[0]));
  return parties;
}

}  // namespace tacit
