#include "frames.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/table/table_builder.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::vector<std::string> texts(const py::handle& cells) {
  std::vector<std::string> all;
  for (const py::handle& cell : cells) all.push_back(cell.is_none() ? "" : py::cast<std::string>(cell));
  return all;
}

}  // namespace

std::size_t FrameColumn::size() const {
  return std::visit([](const auto& all) { return all.size(); }, cells);
}

Frames::Frames(const py::dict& frames) {
  for (const auto& [name, columns] : frames) {
    std::vector<FrameColumn>& frame = frames_[py::cast<std::string>(name)];
    for (const auto& [column, cells] : py::cast<py::dict>(columns)) {
      FrameColumn& own = frame.emplace_back(FrameColumn{py::cast<std::string>(column), {}});
      if (py::isinstance<py::array>(cells)) {
        const auto numbers = Numbers::ensure(cells);
        if (!numbers || numbers.ndim() != 1)
          throw InputError(fmt::format("column '{}' is not a one-dimensional array of numbers", own.name));
        held_.push_back(numbers);
        own.cells = std::span(numbers.data(), static_cast<std::size_t>(numbers.size()));
      } else {
        own.cells = texts(cells);
      }
      if (own.size() != frame[0].size())
        throw InputError(
            fmt::format("column '{}' has {} rows, but '{}' has {}; all columns need the same number",
                        own.name, own.size(), frame[0].name, frame[0].size()));
    }
  }
}

Table Frames::read(const std::string& name, const TableOptions& columns, const ReadOptions& how) const {
  const std::vector<FrameColumn>& frame = frames_.at(name);
  TableBuilder builder(name, "row", columns, how);
  ColumnNames names;
  for (const FrameColumn& column : frame) names.add(column.name, frame.size(), name);
  builder.set_names(std::move(names));
  const std::size_t rows = frame.empty() ? 0 : frame[0].size();
  builder.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    builder.begin_row(row);
    for (std::size_t place = 0; place < frame.size(); ++place) {
      if (!builder.reads(place)) continue;
      if (const auto* numbers = std::get_if<0>(&frame[place].cells))
        builder.take(place, (*numbers)[row]);
      else
        builder.take(place, std::string_view(std::get<1>(frame[place].cells)[row]));
    }
    builder.end_row();
  }
  return builder.finish();
}

}  // namespace tacit::python
