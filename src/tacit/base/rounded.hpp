// Rounding for numbers that must be identical to the bit at all agents. Functions such as exp may differ in
// the last bit between machines; sums, products, quotients and roots do not.
#pragma once

#include <cmath>

namespace tacit {

/// Returns the value rounded to 32 significant bits, a relative change of at most 2^-32.
inline double rounded(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 32)), exponent - 32);
}

}  // namespace tacit
