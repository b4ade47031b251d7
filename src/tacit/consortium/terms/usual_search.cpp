#include "tacit/consortium/terms/usual_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/gp/defaults.hpp"
#include "tacit/gp/fit/initial_prior.hpp"

namespace tacit {

Hyperparameters usual_start(std::size_t inputs, bool standardise) {
  if (!standardise) return {};
  Hyperparameters start =
      hyperparameters_of(initial_prior(se(), standard_scale(std::max<std::size_t>(1, inputs))));
  start.signal = consortium_defaults.signal;
  start.noise = consortium_defaults.noise;
  start.lengthscale = std::stod(fmt::format("{:.3g}", start.lengthscale));
  return start;
}

double usual_noise_floor(bool standardise) {
  return standardise ? consortium_defaults.noise_floor : consortium_defaults.low;
}

double usual_lengthscale_floor(std::size_t inputs, bool standardise, double start) {
  if (!standardise) return consortium_defaults.low;
  return std::min(start, std::round(50 * std::sqrt(static_cast<double>(inputs))) / 100);
}

}  // namespace tacit
