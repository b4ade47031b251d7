// Upper bounds on a kernel's values and slopes, from public facts alone.
#pragma once

#include <vector>

#include "tacit/gp/kernel/kernel.hpp"

namespace tacit {

struct KernelBounds {
  double low = 0;              ///< k(x, x) ≥ this; 0 for a kernel that can vanish, such as linear alone
  double high = 0;             ///< k(x, x), and so every |k(x, x')|, ≤ this
  std::vector<double> slopes;  ///< |dk / d log parameter| ≤ this, parameter by parameter
};

/// For inputs with |x_d| ≤ input_max. Stationary kernels do not depend on it, but a period's slope does.
KernelBounds kernel_bounds(const Kernel& kernel, Index inputs, double input_max);

}  // namespace tacit
