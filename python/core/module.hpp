// Functions that add the parts of the module tacit._core.
#pragma once

#include <pybind11/pybind11.h>

namespace tacit::python {

void add_call(pybind11::module_& module);
void add_defaults(pybind11::module_& module);
void add_kernels(pybind11::module_& module);
void add_model(pybind11::module_& module);
void add_consortium(pybind11::module_& module);

/// Throws tacit.Error with this message and with the attribute `result`.
[[noreturn]] void throw_with_result(const char* message, const pybind11::object& result);

}  // namespace tacit::python
