// Numbers that all agents must hold alike to the bit, though functions such as exp may differ in the last
// bit from machine to machine. (Sums, products, quotients and roots do not.)
#pragma once

#include <cmath>

namespace tacit {

/// To 32 significant bits, a relative change of at most 2^-32.
inline double rounded(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 32)), exponent - 32);
}

}  // namespace tacit
