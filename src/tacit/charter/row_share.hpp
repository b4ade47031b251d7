// How much one row can contribute to one prediction of its own party.
#pragma once

#include <string>
#include <vector>

#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

/// At the inputs of a row without other rows near it, a party's mean is k/(k + σ²) times that row's target. k
/// is the kernel's variance there, σ the noise.
struct RowShare {
  double most = 0;         ///< with the largest signal and the smallest noise that the charter allows
  double at_start = 0;     ///< with the starting values of tuning, or the fixed values without tuning
  double signal_high = 0;  ///< √k of `most`
  double noise_low = 0;    ///< σ of `most`
};

/// A linear kernel counts with its variance at inputs of size 1. Throws InputError for an unusable kernel.
RowShare row_share(const Terms& terms);

/// What the noise floor means, and a warning if the share is above 90 %.
std::vector<std::string> in_words(const RowShare& share);

}  // namespace tacit
