#include "tacit/lab/study/data_terms.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "tacit/table/data_columns.hpp"

namespace tacit {
namespace {

using Sources = std::vector<std::shared_ptr<const RowReader>>;

Sources sources_of(const std::vector<Samples>& parties) {
  Sources sources;
  for (const Samples& party : parties) sources.push_back(rows_in_memory(party.inputs, party.outputs));
  return sources;
}

Sources sources_of(const Parties& parties) {
  Sources sources;
  for (std::size_t i = 0; i < parties.count(); ++i) sources.push_back(parties.rows_of(i));
  return sources;
}

std::vector<Column> numbered(Index count) {
  std::vector<Column> all;
  for (Index c = 0; c < count; ++c) all.push_back({std::to_string(c), INFINITY, -INFINITY, {}});
  return all;
}

std::vector<Column> input_columns(const Sources& sources, const Matrix& points) {
  std::vector<Column> columns = numbered(sources[0]->inputs());
  for (const auto& source : sources)
    for_each_piece(*source, [&](const Matrix& inputs, const Matrix&) { include(columns, inputs); });
  include(columns, points);
  return columns;
}

std::vector<Column> target_columns(const Sources& sources) {
  std::vector<Column> columns = numbered(sources[0]->outputs());
  for (const auto& source : sources)
    for_each_piece(*source, [&](const Matrix&, const Matrix& outputs) { include(columns, outputs); });
  return columns;
}

}  // namespace

void include(std::vector<Column>& columns, const Matrix& points) {
  if (points.rows() == 0) return;
  Index at = 0;
  for (Column& column : columns) {
    if (!column.categorical()) {
      column.low = std::min(column.low, points.col(at).minCoeff());
      column.high = std::max(column.high, points.col(at).maxCoeff());
    }
    at += column.categorical() ? static_cast<Index>(column.levels.size()) : 1;
  }
}

std::vector<Column> input_columns(const std::vector<Samples>& parties, const Matrix& points) {
  return input_columns(sources_of(parties), points);
}

std::vector<Column> named_input_columns(const Parties& parties) {
  const std::vector<Column> numbers = input_columns(sources_of(parties), {});
  std::vector<Column> columns;
  for (std::size_t c = 0; c < numbers.size();) {
    const auto its = std::ranges::find_if(parties.columns.categorical, [&](const ColumnWords& category) {
      return DataColumn{category.column, category.words}.names()[0] == parties.columns.inputs[c];
    });
    if (its == parties.columns.categorical.end()) {
      columns.push_back(numbers[c]);
      columns.back().name = parties.columns.inputs[c];
      ++c;
    } else {
      columns.push_back({its->column, 0, 0, its->words});
      c += its->words.size();
    }
  }
  return columns;
}

std::vector<Column> target_columns(const std::vector<Samples>& parties) {
  return target_columns(sources_of(parties));
}

Vector cells_of(const Parties& parties, CellsOf part, Index column) {
  Vector cells(static_cast<Index>(parties.rows()));
  Index at = 0;
  for (const auto& source : sources_of(parties))
    for_each_piece(*source, [&](const Matrix& inputs, const Matrix& outputs) {
      cells.segment(at, inputs.rows()) = (part == CellsOf::inputs ? inputs : outputs).col(column);
      at += inputs.rows();
    });
  return cells;
}

std::vector<Column> named_target_columns(const Parties& parties) {
  const TargetRange& range = parties.target_range;
  std::vector<Column> columns;
  for (std::size_t t = 0; t < parties.columns.targets.size(); ++t) {
    const auto at = static_cast<Index>(t);
    columns.push_back({parties.columns.targets[t],
                       range.agreed ? -*range.agreed : range.low(at),
                       range.agreed ? *range.agreed : range.high(at),
                       {}});
  }
  return columns;
}

std::size_t most_rows(const std::vector<Samples>& parties) {
  Index most = 0;
  for (const Samples& party : parties) most = std::max(most, party.inputs.rows());
  return static_cast<std::size_t>(most);
}

}  // namespace tacit
