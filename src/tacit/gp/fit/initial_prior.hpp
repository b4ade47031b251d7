// Starting numbers for a search when none are given.
#pragma once

#include "tacit/gp/expert/prior.hpp"

namespace tacit {

/// How far data spread: a standard deviation for each input, and that of the outputs.
struct DataScale {
  Vector inputs;
  double output = 1;
};

/// From medians of distances between pairs of rows, at most a few thousand of them, drawn by the seed; robust
/// against outliers. Constant columns count as 1.
DataScale data_scale_of(const Matrix& inputs, const Matrix& outputs, std::uint64_t seed = 1);

/// True if the kernel has only numbers that parse_kernel fills in where a text gives none.
bool has_no_numbers(const Kernel& kernel);

/// The kernel with usual numbers: length-scales as long as rows are apart, addends of equal variance that add
/// up to that of the outputs, periods of a few spreads.
Kernel initial_kernel(const Kernel& form, const DataScale& scale);

/// The kernel with this length-scale wherever it has one in the unit of the inputs.
Kernel with_lengthscale(const Kernel& kernel, double lengthscale);

/// With a noise of half the outputs' deviation. A kernel that has numbers keeps them.
Prior initial_prior(const Kernel& kernel, const DataScale& scale);

}  // namespace tacit
