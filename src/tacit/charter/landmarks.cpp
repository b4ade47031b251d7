#include "tacit/charter/landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {

Matrix landmark_points(const LandmarkCells& cells, const std::vector<Column>& inputs) {
  Matrix points = Matrix::Zero(static_cast<Index>(cells.size()), static_cast<Index>(width(inputs)));
  for (std::size_t r = 0; r < cells.size(); ++r) {
    const auto wrong = [&](const std::string& what) {
      return InputError(fmt::format("landmark {}: {}", r + 1, what));
    };
    if (cells[r].size() != inputs.size())
      throw wrong(
          fmt::format("it has {} values, but there are {} input columns; give one value for each column, in "
                      "order",
                      cells[r].size(), inputs.size()));
    Index at = 0;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const Column& column = inputs[k];
      const auto row = static_cast<Index>(r);
      if (!column.categorical()) {
        const double* value = std::get_if<double>(&cells[r][k]);
        if (!value || !(*value >= column.low && *value <= column.high))
          throw wrong(fmt::format("column {} must be a number{} from {} to {}", in_quotes(column.name),
                                  column.is_date() ? " of days since " + column.start + "," : "", column.low,
                                  column.high));
        points(row, at++) = *value;
        continue;
      }
      const auto* level = std::get_if<std::string>(&cells[r][k]);
      const auto found =
          level ? std::find(column.levels.begin(), column.levels.end(), *level) : column.levels.end();
      if (found == column.levels.end())
        throw wrong(fmt::format("column {} must be one of its levels, in quotes", in_quotes(column.name)));
      points(row, at + (found - column.levels.begin())) = 1;
      at += static_cast<Index>(column.levels.size());
    }
  }
  return points;
}

std::vector<std::string> landmark_texts(const Matrix& points, const std::vector<Column>& inputs) {
  std::vector<std::string> texts;
  for (Index r = 0; r < points.rows(); ++r) {
    std::string text;
    Index at = 0;
    for (const Column& column : inputs) {
      text += text.empty() ? "" : ", ";
      if (!column.categorical()) {
        text += real(points(r, at++));
        continue;
      }
      for (const std::string& level : column.levels)
        if (points(r, at++) == 1) text += in_quotes(level);
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace tacit
