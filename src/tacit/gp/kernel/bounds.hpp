// Bounds on the values and slopes of a kernel, derived from public facts only.
#pragma once

#include <vector>

#include "tacit/gp/kernel/kernel.hpp"

namespace tacit {

/// Bounds that hold for all inputs of a box.
struct KernelBounds {
  double low = 0;              ///< lower bound of k(x, x); 0 for a kernel that can vanish, such as linear
  double high = 0;             ///< upper bound of k(x, x), and therefore of every |k(x, x')|
  std::vector<double> slopes;  ///< upper bound of |dk / d log parameter| for each parameter
};

/// Returns the bounds for inputs with |x_d| ≤ input_max. The values of stationary kernels do not depend on
/// input_max, but the slope of a period does.
KernelBounds kernel_bounds(const Kernel& kernel, Index inputs, double input_max);

}  // namespace tacit
