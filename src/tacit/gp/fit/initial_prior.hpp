// Initial parameters of a search, chosen from the scale of the data if the kernel gives none.
//
// Threads: any number of threads may call these functions.
// Errors: InputError for kernels that cannot be used.
// Stopping: nothing here takes long.
#pragma once

#include "tacit/gp/expert/prior.hpp"

namespace tacit {

/// The scale of data: the standard deviation of each input, and that of the outputs.
struct DataScale {
  Vector inputs;
  double output = 1;
};

/// Returns the scale of these rows, estimated robustly from the medians of distances between pairs of rows.
/// At most a few thousand pairs are drawn, by `seed`. The scale of a constant column is 1.
DataScale data_scale_of(const Matrix& inputs, const Matrix& outputs, std::uint64_t seed = 1);

/// Returns true if the kernel has only the default numbers of parse_kernel.
bool has_no_numbers(const Kernel& kernel);

/// Returns the kernel with initial numbers: length-scales equal to the typical distance between rows, addends
/// of equal variance whose sum is the variance of the outputs, and periods of twice the largest deviation of
/// an input.
Kernel initial_kernel(const Kernel& form, const DataScale& scale);

/// Returns the kernel with this value of every length-scale that is in the unit of the inputs. Those of
/// linear and periodic kernels are not, and stay unchanged.
Kernel with_lengthscale(const Kernel& kernel, double lengthscale);

/// Returns a prior with half of the outputs' deviation as noise. The kernel keeps its numbers if it has any,
/// and has those of initial_kernel otherwise.
Prior initial_prior(const Kernel& kernel, const DataScale& scale);

[[deprecated("call initial_kernel")]] inline Kernel usual_kernel(const Kernel& form, const DataScale& scale) {
  return initial_kernel(form, scale);
}
[[deprecated("call initial_prior")]] inline Prior usual_prior(const Kernel& kernel, const DataScale& scale) {
  return initial_prior(kernel, scale);
}

}  // namespace tacit
