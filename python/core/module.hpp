// The parts of the module tacit._core.
#pragma once

#include <pybind11/pybind11.h>

namespace tacit::python {

void add_call(pybind11::module_& module);
void add_kernels(pybind11::module_& module);
void add_model(pybind11::module_& module);
void add_consortium(pybind11::module_& module);

/// Throws tacit.Error with this message, and with `result` as an attribute of that name.
[[noreturn]] void throw_with_result(const char* message, const pybind11::object& result);

}  // namespace tacit::python
