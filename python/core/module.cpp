// The module tacit._core, which the package tacit calls. It contains bindings only.
#include "module.hpp"

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/base/release.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

// Exception types exist until the process ends.
PyObject* error_type = nullptr;
PyObject* input_error_type = nullptr;

void add_errors(py::module_& module) {
  error_type =
      PyErr_NewExceptionWithDoc("tacit.Error", "A valid request failed.", PyExc_RuntimeError, nullptr);
  const py::object bases =
      py::make_tuple(py::reinterpret_borrow<py::object>(error_type), py::handle(PyExc_ValueError));
  input_error_type = PyErr_NewExceptionWithDoc(
      "tacit.InputError", "The request or its data are invalid; the message contains the fix.", bases.ptr(),
      nullptr);
  module.attr("Error") = py::handle(error_type);
  module.attr("InputError") = py::handle(input_error_type);
  py::register_exception_translator([](std::exception_ptr thrown) {  // NOLINT: as pybind11 requires
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& e) {
      PyErr_SetString(input_error_type, e.what());
    } catch (const Error& e) {
      PyErr_SetString(error_type, e.what());
    }
  });
}

}  // namespace

void throw_with_result(const char* message, const py::object& result) {
  const py::object error = py::handle(error_type)(message);
  error.attr("result") = result;
  PyErr_SetObject(error_type, error.ptr());
  throw py::error_already_set();
}

}  // namespace tacit::python

PYBIND11_MODULE(_core, module) {
  using namespace tacit::python;
  module.doc() = "The engine of the package tacit.";
  module.attr("__version__") = tacit::release();
  module.def("default_threads", &tacit::default_threads, "Number of threads of the machine.");
  add_errors(module);
  add_call(module);
  add_kernels(module);
  add_model(module);
  add_consortium(module);
}
