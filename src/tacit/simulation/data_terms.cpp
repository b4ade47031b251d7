#include "tacit/simulation/data_terms.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "tacit/data/data_columns.hpp"

namespace tacit {
namespace {

std::vector<Column> columns(std::span<const Matrix* const> parts) {
  std::vector<Column> all;
  for (Index c = 0; c < parts[0]->cols(); ++c) {
    Column& column = all.emplace_back(Column{std::to_string(c), INFINITY, -INFINITY, {}});
    for (const Matrix* part : parts) {
      if (part->rows() == 0) continue;
      column.low = std::min(column.low, part->col(c).minCoeff());
      column.high = std::max(column.high, part->col(c).maxCoeff());
    }
  }
  return all;
}

}  // namespace

std::vector<Column> input_columns(const std::vector<Samples>& parties, const Matrix& points) {
  std::vector<const Matrix*> parts;
  for (const Samples& party : parties) parts.push_back(&party.inputs);
  parts.push_back(&points);
  return columns(parts);
}

std::vector<Column> named_input_columns(const Parties& parties, const Matrix& points) {
  const std::vector<Column> numbers = input_columns(parties.agents, points);
  std::vector<Column> columns;
  for (std::size_t c = 0; c < numbers.size();) {
    const auto its = std::ranges::find_if(parties.categorical, [&](const ColumnWords& category) {
      return DataColumn{category.column, category.words}.names()[0] == parties.inputs[c];
    });
    if (its == parties.categorical.end()) {
      columns.push_back(numbers[c]);
      columns.back().name = parties.inputs[c];
      ++c;
    } else {
      columns.push_back({its->column, 0, 0, its->words});
      c += its->words.size();
    }
  }
  return columns;
}

std::vector<Column> target_columns(const std::vector<Samples>& parties) {
  std::vector<const Matrix*> parts;
  for (const Samples& party : parties) parts.push_back(&party.outputs);
  return columns(parts);
}

Vector cells_of(const std::vector<Samples>& parties, const Matrix Samples::*part, Index column) {
  std::vector<double> cells;
  for (const Samples& party : parties)
    cells.insert(cells.end(), (party.*part).col(column).begin(), (party.*part).col(column).end());
  return Eigen::Map<const Vector>(cells.data(), static_cast<Index>(cells.size()));
}

std::vector<Column> named_target_columns(const Parties& parties) {
  std::vector<Column> columns = target_columns(parties.agents);
  for (std::size_t t = 0; t < columns.size(); ++t) {
    columns[t].name = parties.targets[t];
    if (!parties.y_max_agreed) continue;
    columns[t].low = -parties.y_max;
    columns[t].high = parties.y_max;
  }
  return columns;
}

std::size_t most_rows(const std::vector<Samples>& parties) {
  Index most = 0;
  for (const Samples& party : parties) most = std::max(most, party.inputs.rows());
  return static_cast<std::size_t>(most);
}

}  // namespace tacit
