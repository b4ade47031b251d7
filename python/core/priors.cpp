#include "priors.hpp"

#include <pybind11/stl.h>

#include "tacit/gp/expert/prior_names.hpp"

namespace py = pybind11;

namespace tacit::python {

py::list numbers_in_words(const Prior& prior, const std::vector<std::string>& inputs) {
  py::list all;
  for (const PriorName& number : prior_names(prior, inputs))
    all.append(py::make_tuple(number.label, number.name, number.input, number.value));
  return all;
}

}  // namespace tacit::python
