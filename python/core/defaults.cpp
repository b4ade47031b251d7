// The defaults of the library, which the signatures of the package show.
#include "module.hpp"
#include "tacit/gp/fit/fit.hpp"
#include "tacit/lab/study/consortium_model.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

py::dict of_one_party() {
  const FitOptions options;
  py::dict values;
  values["kernel"] = std::string(alone_defaults.kernel);
  values["fusion"] = to_string(options.fusion);
  values["expert_rows"] = options.committee.expert_rows;
  values["expert_split"] = to_string(options.committee.split);
  values["restarts"] = options.restarts;
  values["evaluations"] = options.limits.most_evaluations;
  values["reach"] = options.reach;
  values["prior_width"] = options.prior_width;
  values["seed"] = options.seed;
  return values;
}

py::dict of_a_consortium() {
  const ConsortiumFitOptions options;
  py::dict values;
  values["kernel"] = std::string(consortium_defaults.kernel);
  values["fusion"] = to_string(options.fusion);
  values["expert_rows"] = options.committee.expert_rows;
  values["expert_split"] = to_string(options.committee.split);
  values["restarts"] = options.restarts;
  values["evaluations"] = options.limits.most_evaluations;
  values["shared"] = options.shared;
  values["low"] = options.box_low;
  values["high"] = options.box_high;
  values["noise_floor"] = consortium_defaults.noise_floor;
  values["signal"] = consortium_defaults.signal;
  values["noise"] = consortium_defaults.noise;
  values["seed"] = options.seed;
  return values;
}

}  // namespace

void add_defaults(py::module_& module) {
  module.attr("one_party_defaults") = of_one_party();
  module.attr("consortium_defaults") = of_a_consortium();
}

}  // namespace tacit::python
