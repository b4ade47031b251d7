// Readable names for the numbers of a prior: "lengthscale of bmi" instead of "se.lengthscale[2]".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/gp/expert/prior.hpp"

namespace tacit {

/// A number of a prior, with its names.
struct PriorName {
  std::string name;       ///< the name in Prior::names()
  std::string label;      ///< "lengthscale of bmi"; with several kernels "linear lengthscale of bmi"
  std::string of_kernel;  ///< the name without an index, "se.lengthscale"
  std::optional<std::size_t> input;  ///< the input to which the number belongs, if any
  double value = 0;

  bool lengthscale() const { return of_kernel.ends_with("lengthscale"); }
  bool signal() const { return of_kernel.ends_with("signal"); }
};

/// Returns the numbers in the order of Prior::names(), the noise last. The prior must be for this number of
/// inputs (Kernel::for_inputs). `inputs` has the names of the inputs.
std::vector<PriorName> prior_names(const Prior& prior, std::span<const std::string> inputs);

}  // namespace tacit
