// Hyperparameters with descriptive names.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "tacit/gp/expert/prior.hpp"

namespace tacit::python {

/// A list of (words, name, input or None, value), such as
/// ("lengthscale of bmi", "se.lengthscale[2]", 2, 0.7).
pybind11::list numbers_in_words(const Prior& prior, const std::vector<std::string>& inputs);

}  // namespace tacit::python
