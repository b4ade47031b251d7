// Where a search over standardised columns starts, and the floors that it keeps, unless the parties agree on
// other values. The other defaults are in gp/defaults.hpp.
#pragma once

#include <cstddef>

#include "tacit/gp/expert/prior.hpp"

namespace tacit {

/// The start for this many inputs. Values have three digits, for people who read a charter.
Hyperparameters usual_start(std::size_t inputs, bool standardise);

/// The floor of the noise. Less lets a prediction follow single rows. No floor for columns in other units.
double usual_noise_floor(bool standardise);

/// The floor of length-scales: about half the distance between rows, at most the start. No floor for columns
/// in other units.
double usual_lengthscale_floor(std::size_t inputs, bool standardise, double start);

}  // namespace tacit
