// Landmarks that a charter lists by hand, a cell for each input column: [30, "f"].
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

using LandmarkCell = std::variant<double, std::string>;
using LandmarkCells = std::vector<std::vector<LandmarkCell>>;

/// As the model takes them. Throws InputError, naming landmark and column, for what is not in the columns'
/// ranges or levels.
Matrix landmark_points(const LandmarkCells& cells, const std::vector<Column>& inputs);

/// And back, each as TOML: `30.0, "f"`.
std::vector<std::string> landmark_texts(const Matrix& points, const std::vector<Column>& inputs);

}  // namespace tacit
