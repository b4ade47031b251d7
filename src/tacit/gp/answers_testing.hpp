// Reads the results of independent scripts (known_answers.py, landmark_answers.py).
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tacit/gp/expert/prior.hpp"

namespace tacit::testing {

struct Case {
  std::string name;
  std::map<std::string, std::vector<double>> numbers;

  std::string kernel;  // empty for the paper's

  Index size(std::size_t i) const { return static_cast<Index>(numbers.at("sizes").at(i)); }
  Prior prior() const {
    const auto& p = numbers.at("parameters");
    if (!kernel.empty()) return {parse_kernel(kernel), p.at(0)};
    return Hyperparameters{p.at(0), p.at(1), p.at(2)};
  }
  Matrix matrix(const std::string& label, Index rows, Index columns) const {
    const auto& values = numbers.at(label);
    if (static_cast<Index>(values.size()) != rows * columns) throw std::runtime_error(name + ": " + label);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(values.data(), rows, columns);
  }
  Matrix inputs() const { return matrix("inputs", size(0), size(1)); }
  Matrix outputs() const { return matrix("outputs", size(0), size(2)); }
  Matrix points() const { return matrix("points", size(3), size(1)); }
};

/// Reads a table next to the tests; `name` is its path from this room's folder.
inline std::vector<Case> read_answers(const std::string& name) {
  std::ifstream file(TACIT_SOURCE_DIR "/src/tacit/gp/" + name);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string label;
    std::string field;
    std::getline(fields, label, ',');
    if (label == "case") {
      std::getline(fields, field);
      cases.push_back({field, {}, {}});
    } else if (label == "kernel") {
      const std::string rest = line.substr(label.size() + 1);
      cases.back().kernel = rest.substr(0, rest.rfind(','));
      cases.back().numbers["parameters"] = {std::stod(rest.substr(rest.rfind(',') + 1))};
    } else {
      while (std::getline(fields, field, ',')) cases.back().numbers[label].push_back(std::stod(field));
    }
  }
  return cases;
}

}  // namespace tacit::testing
