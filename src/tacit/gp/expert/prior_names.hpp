// A prior's numbers as people call them: "lengthscale of bmi" instead of "se.lengthscale[2]".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/gp/expert/prior.hpp"

namespace tacit {

struct PriorName {
  std::string name;       ///< as Prior::names() has it
  std::string label;      ///< "lengthscale of bmi"; with several kernels "linear lengthscale of bmi"
  std::string of_kernel;  ///< the name without its place, "se.lengthscale"
  std::optional<std::size_t> input;  ///< the input that it belongs to, if it belongs to one
  double value = 0;

  bool lengthscale() const { return of_kernel.ends_with("lengthscale"); }
  bool signal() const { return of_kernel.ends_with("signal"); }
};

/// In the order of Prior::names(), the noise last. The prior is for as many inputs as there are names.
std::vector<PriorName> prior_names(const Prior& prior, std::span<const std::string> inputs);

}  // namespace tacit
