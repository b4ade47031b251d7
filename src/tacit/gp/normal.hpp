// Standard normal numbers that depend only on the seed, not on the standard library. They are for draws from
// a model and must never be used for secrets.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace tacit {

/// Returns a uniform draw from [0, 1).
inline double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// A generator of independent standard normal numbers.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : random_(seed) {}

  /// Returns the next number, by the Box-Muller method.
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(random_)));
    return radius * std::cos(2 * std::numbers::pi * uniform(random_));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tacit
