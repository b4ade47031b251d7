// How much one row can count in one prediction of its own party.
#pragma once

#include <string>
#include <vector>

#include "tacit/charter/charter.hpp"

namespace tacit {

/// At the inputs of a row that has no other row near it, a party's mean is k/(k + σ²) times that row's
/// target: k is the variance that the kernel gives there, σ the noise.
struct RowShare {
  double most = 0;         ///< with the largest signal and the smallest noise that the charter allows
  double at_start = 0;     ///< with the numbers that tuning starts from, or that are used without it
  double signal_high = 0;  ///< √k in the first case
  double noise_low = 0;    ///< σ likewise
};

/// A linear part counts as at inputs of size 1. Throws InputError for a kernel that cannot be used.
RowShare row_share(const Charter& charter);

/// What the noise floor means, a sentence each; a warning where the share is above nine tenths.
std::vector<std::string> in_words(const RowShare& share);

}  // namespace tacit
