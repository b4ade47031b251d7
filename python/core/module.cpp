// The module tacit._core, which the package tacit calls. It contains bindings only.
#include "module.hpp"
#include "setting_words.hpp"

#include "tacit/base/error.hpp"
#include "tacit/base/settings.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/cli/options/setting_words.hpp"

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
      PyErr_SetString(input_error_type, in_keywords(e.what()).c_str());
    } catch (const Error& e) {
      PyErr_SetString(error_type, in_keywords(e.what()).c_str());
    }
  });
}

}  // namespace

void throw_with_result(const char* message, const py::object& result) {
  const py::object error = py::handle(error_type)(in_keywords(message));
  error.attr("result") = result;
  PyErr_SetObject(error_type, error.ptr());
  throw py::error_already_set();
}

}  // namespace tacit::python

PYBIND11_MODULE(_core, module) {
  using namespace tacit::python;
  module.doc() = "The engine of the package tacit.";
  module.attr("__version__") = tacit::release();
  module.def(
      "setting_words",
      [] {
        py::dict words;
        for (const tacit::Setting& setting : tacit::all_settings)
          words[py::cast(std::string(setting.id))] =
              py::make_tuple(keyword_of(setting.id), tacit::cli::option_of(setting.id));
        return words;
      },
      "The keyword and the option for each setting that messages name.");
  module.def("default_threads", &tacit::default_threads, "Number of threads of the machine.");
  add_errors(module);
  add_call(module);
  add_defaults(module);
  add_kernels(module);
  add_model(module);
  add_consortium(module);
}
