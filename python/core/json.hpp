// Conversion of JSON to Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include "tacit/cli/lab/result_json.hpp"

namespace tacit::python {

/// Numbers are converted without rounding.
pybind11::object to_python(const cli::Json& json);

}  // namespace tacit::python
