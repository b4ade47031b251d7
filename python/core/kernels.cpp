// Python bindings of kernels. Kernels compose with + and *.
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <variant>

#include "module.hpp"
#include "tacit/base/error.hpp"
#include "tacit/gp/fit/initial_prior.hpp"
#include "tacit/gp/kernel/kernel.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

// Not limited to most_kernel_text: the text of a fitted model may be longer if there are many inputs.
Kernel parse(const std::string& text) { return parse_kernel(text, std::max(text.size(), most_kernel_text)); }

Lengthscale lengthscale_of(const std::variant<double, std::vector<double>>& lengthscale, bool one_each) {
  if (const auto* each = std::get_if<std::vector<double>>(&lengthscale)) return *each;
  const double all = std::get<double>(lengthscale);
  if (one_each && all != 1)
    throw InputError("with ard=True, pass one length-scale for each input, or none to start from the data");
  if (one_each) return ard;
  return all;
}

}  // namespace

void add_kernels(py::module_& module) {
  py::enum_<Shape>(module, "Shape")
      .value("constant", Shape::constant)
      .value("linear", Shape::linear)
      .value("se", Shape::se)
      .value("matern12", Shape::matern12)
      .value("matern32", Shape::matern32)
      .value("matern52", Shape::matern52)
      .value("rational_quadratic", Shape::rational_quadratic)
      .value("periodic", Shape::periodic);
  py::class_<Kernel>(module, "Kernel",
                     "Assumptions of a Gaussian process about a function before it sees data.")
      .def(py::init(&parse), py::arg("text"))
      .def(py::init([](Shape shape, const std::variant<double, std::vector<double>>& lengthscale,
                       bool one_each, double extra, double signal) {
             return Kernel(shape, lengthscale_of(lengthscale, one_each), extra, signal);
           }),
           py::arg("shape"), py::arg("lengthscale") = 1., py::arg("ard") = false, py::arg("extra") = 1.,
           py::arg("signal") = 1.)
      .def(py::init([](const py::args&, const py::kwargs&) -> Kernel {
        throw InputError(
            "a kernel is created from text, such as Kernel('se-ard + linear'), or by a function such as "
            "SE()");
      }))
      .def(py::self + py::self)
      .def(py::self * py::self)
      .def(
          "__eq__", [](const Kernel& a, const Kernel& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const Kernel& kernel) { return py::hash(py::str(kernel.text())); })
      .def("__str__",
           [](const Kernel& kernel) { return has_no_numbers(kernel) ? kernel.form() : kernel.text(); })
      .def("__repr__",
           [](const Kernel& kernel) {
             return "Kernel('" + (has_no_numbers(kernel) ? kernel.form() : kernel.text()) + "')";
           })
      .def_property_readonly("text", &Kernel::text)
      .def_property_readonly("form", &Kernel::form)
      .def_property_readonly("has_numbers", [](const Kernel& kernel) { return !has_no_numbers(kernel); })
      .def(py::pickle([](const Kernel& kernel) { return py::make_tuple(kernel.text()); },
                      [](const py::tuple& state) { return parse(py::cast<std::string>(state[0])); }));
}

}  // namespace tacit::python
