// Standard normal numbers, the same from the same seed with every standard library. For draws from a model,
// never for secrets.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace tacit {

/// A uniform draw from [0, 1).
inline double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

class Normal {
 public:
  explicit Normal(std::uint64_t seed) : random_(seed) {}

  /// By Box and Muller.
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform(random_)));
    return radius * std::cos(2 * std::numbers::pi * uniform(random_));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace tacit
