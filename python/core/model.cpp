// Python bindings of the Gaussian process of one party.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "fit_report.hpp"
#include "long_work.hpp"
#include "module.hpp"
#include "priors.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/fit/fit.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

Model fit_model(const MatrixView& inputs, const MatrixView& outputs, const Kernel& kernel,
                std::optional<double> noise, bool learn_noise, bool centre, std::size_t restarts,
                std::uint64_t seed, unsigned threads, double reach, double prior_width,
                std::size_t most_evaluations, std::size_t expert_rows, const std::string& expert_split,
                const std::string& fusion, const py::object& progress) {
  FitOptions options;
  options.noise = noise;
  options.learn_noise = learn_noise;
  options.centre = centre;
  options.restarts = restarts;
  options.seed = seed;
  options.threads = threads;
  options.reach = reach;
  options.prior_width = prior_width;
  options.limits.most_evaluations = most_evaluations;
  options.committee = {expert_rows, parse_row_split(expert_split), seed};
  options.fusion = parse_fusion(fusion);
  return long_work(progress, [&](Progress& told) {
    options.progress = &told;
    return fit(Matrix(inputs), Matrix(outputs), kernel, options);
  });
}

py::dict predict(const Model& model, const MatrixView& points, bool variance, bool covariance,
                 std::size_t samples, std::uint64_t seed) {
  JointPrediction all = long_work(py::none(), [&](Progress&) {
    return covariance || samples ? model.predict_jointly(points, {.samples = samples, .seed = seed})
                                 : JointPrediction{model.predict(points, {.variance = variance}), {}, {}};
  });
  Prediction& p = all.each;
  py::dict result;
  result["mean"] = std::move(p.mean);
  if (variance) {
    result["latent_variance"] = std::move(p.latent_variance);
    result["observed_variance"] = std::move(p.observed_variance);
  }
  if (covariance) result["covariance"] = std::move(all.covariance);
  if (samples) result["samples"] = std::move(all.samples);
  return result;
}

py::dict report(const Model& model) {
  const FitReport& r = model.report();
  py::dict all = search_report(r);
  all["jitter"] = r.jitter;
  return all;
}

}  // namespace

void add_model(py::module_& module) {
  const FitOptions usual;
  py::class_<Model>(module, "Model", "A fitted Gaussian process.")
      .def_static("fit", &fit_model, py::arg("inputs"), py::arg("outputs"), py::arg("kernel"), py::kw_only(),
                  py::arg("noise") = py::none(), py::arg("learn_noise") = usual.learn_noise,
                  py::arg("centre") = usual.centre, py::arg("restarts") = usual.restarts,
                  py::arg("seed") = usual.seed, py::arg("threads") = usual.threads,
                  py::arg("reach") = usual.reach, py::arg("prior_width") = usual.prior_width,
                  py::arg("most_evaluations") = usual.limits.most_evaluations,
                  py::arg("expert_rows") = usual.committee.expert_rows,
                  py::arg("expert_split") = to_string(usual.committee.split),
                  py::arg("fusion") = to_string(usual.fusion), py::arg("progress") = py::none())
      .def("predict", &predict, py::arg("points"), py::kw_only(), py::arg("variance") = true,
           py::arg("covariance") = false, py::arg("samples") = 0, py::arg("seed") = 1)
      .def(
          "add_data",
          [](const Model& model, const Matrix& inputs, const Matrix& outputs) {
            return long_work(py::none(), [&](Progress&) { return model.add_data(inputs, outputs); });
          },
          py::arg("inputs"), py::arg("outputs"))
      .def_property_readonly("kernel", [](const Model& model) { return model.prior().kernel; })
      .def_property_readonly("noise", [](const Model& model) { return model.prior().noise; })
      .def(
          "numbers",
          [](const Model& model, const std::vector<std::string>& inputs) {
            return numbers_in_words(model.prior(), inputs);
          },
          py::arg("inputs"))
      .def_property_readonly("offset", &Model::offset)
      .def_property_readonly("rows", &Model::rows)
      .def_property_readonly("report", &report)
      .def(
          "save", [](const Model& model, const std::string& file) { model.save(file); }, py::arg("file"))
      .def_static(
          "load", [](const std::string& file) { return Model::load(file); }, py::arg("file"))
      .def(py::pickle(
          [](const Model& model) { return py::make_tuple(py::bytes(model.to_file())); },
          [](const py::tuple& state) { return Model::from_file(py::cast<std::string>(state[0])); }));
}

}  // namespace tacit::python
