// Conversion of data frames to the tables that commands read.
#pragma once

#include <pybind11/numpy.h>

#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tacit/table/read_data.hpp"

namespace tacit::python {

/// One column: numbers, where NaN is missing, or text, where a blank is missing.
struct FrameColumn {
  std::string name;
  std::variant<std::span<const double>, std::vector<std::string>> cells;
  std::size_t size() const;
};

class Frames {
 public:
  /// From {name: {column: array of float64 or list of str}}. Keeps references to the arrays.
  explicit Frames(const pybind11::dict& frames);

  bool has(const std::string& name) const { return frames_.contains(name); }
  /// Reads like read_data, with rows counted from 0. May be called without the GIL.
  Table read(const std::string& name, const TableOptions& columns, const ReadOptions& how) const;

 private:
  std::map<std::string, std::vector<FrameColumn>> frames_;
  std::vector<pybind11::object> held_;
};

}  // namespace tacit::python
