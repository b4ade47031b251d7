// The normal distribution function and its inverse.
//
// Threads: plain functions.
// Errors: none.
// Stopping: nothing here takes long.
#pragma once

#include <cmath>
#include <numbers>

namespace tacit {

/// Returns the probability that a standard normal number is below z.
inline double normal_share(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// Returns the z with normal_share(z) = share, for a share in (0, 1): bisection, then Newton's steps.
inline double normal_score(double share) {
  if (share > 0.5) return -normal_score(1 - share);
  double low = -9, high = 0;
  for (int step = 0; step < 12; ++step) {
    const double middle = (low + high) / 2;
    (normal_share(middle) < share ? low : high) = middle;
  }
  double z = (low + high) / 2;
  for (int step = 0; step < 4; ++step) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    if (!(density > 0)) break;
    z = std::min(0.0, std::max(-9.0, z - (normal_share(z) - share) / density));
  }
  return z;
}

}  // namespace tacit
