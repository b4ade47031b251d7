// Landmarks that a charter lists by hand, with one cell for each input column: [30, "f"].
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

using LandmarkCell = std::variant<double, std::string>;
using LandmarkCells = std::vector<std::vector<LandmarkCell>>;

/// The landmarks as the model's input. Throws InputError, naming landmark and column, for a cell that is not
/// in the column's range or levels.
Matrix landmark_points(const LandmarkCells& cells, const std::vector<Column>& inputs);

/// The reverse, each landmark as TOML: `30.0, "f"`.
std::vector<std::string> landmark_texts(const Matrix& points, const std::vector<Column>& inputs);

}  // namespace tacit
