// The model of several parties, in one process.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "fit_report.hpp"
#include "long_work.hpp"
#include "module.hpp"
#include "priors.hpp"
#include "study_settings.hpp"
#include "tacit/lab/study/consortium_model.hpp"
#include "tacit/table/data_columns.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

using Columns = std::vector<std::pair<std::string, std::vector<std::string>>>;  // names with levels, if any

Parties parties_of(const std::vector<std::pair<Matrix, Matrix>>& rows, const std::vector<std::string>& names,
                   const Columns& inputs, const std::vector<std::string>& targets) {
  Parties parties;
  parties.columns.targets = targets;
  parties.names = names;
  for (const auto& [name, levels] : inputs) {
    for (std::string& one : DataColumn{name, levels}.names())
      parties.columns.inputs.push_back(std::move(one));
    if (!levels.empty()) parties.columns.categorical.push_back({name, levels});
  }
  for (const auto& [x, y] : rows) parties.agents.push_back({x, y});
  parties.measure_targets();
  return parties;
}

// Takes model settings of `simulate` and sets defaults for these parties, as that function does.
StudyOptions study_of(const py::dict& settings, const Parties& parties) {
  cli::SimulateOptions options;
  options.take_in(set_fields(options, simulate_fields(), settings));
  options.settle_for(parties);
  return options.study;
}

ConsortiumModel fit_consortium(const std::vector<std::pair<Matrix, Matrix>>& rows,
                               const std::vector<std::string>& names, const Columns& inputs,
                               const std::vector<std::string>& targets, const py::dict& settings,
                               const py::object& progress) {
  const Parties parties = parties_of(rows, names, inputs, targets);
  const StudyOptions options = study_of(settings, parties);
  return long_work(progress, [&](Progress& told) { return tacit::fit_consortium(parties, options, &told); });
}

py::tuple predict(const ConsortiumModel& model, const Matrix& points, std::optional<std::size_t> party) {
  Prediction p = long_work(py::none(), [&](Progress&) {
    return party ? model.predict_at_home(*party, points) : model.predict(points);
  });
  return py::make_tuple(std::move(p.mean), std::move(p.latent_variance), std::move(p.observed_variance));
}

py::dict report(const ConsortiumModel& model) {
  const ConsortiumReport& r = model.report();
  py::dict all = search_report(r);
  all["landmarks"] = r.landmarks;
  all["opened"] = r.opened;
  return all;
}

}  // namespace

void add_consortium(py::module_& module) {
  py::class_<ConsortiumModel>(module, "ConsortiumModel", "A model that several parties have fitted together.")
      .def_static("fit", &fit_consortium, py::arg("parties"), py::arg("names"), py::arg("inputs"),
                  py::arg("targets"), py::arg("settings"), py::arg("progress") = py::none())
      .def("predict", &predict, py::arg("points"), py::arg("party") = py::none())
      .def(
          "numbers",
          [](const ConsortiumModel& model, std::size_t target, const std::vector<std::string>& inputs) {
            return numbers_in_words(model.priors().at(target), inputs);
          },
          py::arg("target"), py::arg("inputs"))
      .def(
          "kernel",
          [](const ConsortiumModel& model, std::size_t target) { return model.priors().at(target).kernel; },
          py::arg("target"))
      .def_property_readonly(
          "noise", [](const ConsortiumModel& model) -> Vector { return model.noise_variance().cwiseSqrt(); })
      .def_property_readonly("report", &report)
      .def(py::pickle([](const ConsortiumModel& model) { return py::make_tuple(py::bytes(model.to_file())); },
                      [](const py::tuple& state) {
                        return ConsortiumModel::from_file(py::cast<std::string>(state[0]));
                      }));
}

}  // namespace tacit::python
