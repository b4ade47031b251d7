#include "tacit/protocol/consensus/units.hpp"

#include <cmath>

namespace tacit {

// Both factors are split into a double and a remainder, and so is the product of the leading parts. The
// relative error is about 2^-104.
double in_reals(Integer128 count, long double unit) {
  const double high = static_cast<double>(count), unit_high = static_cast<double>(unit);
  const double product = high * unit_high;
  if (!std::isfinite(product)) return product;
  const double low = static_cast<double>(count - static_cast<Integer128>(high));
  const double unit_low = static_cast<double>(unit - unit_high);
  return product + (std::fma(high, unit_high, -product) + (low * unit_high + high * unit_low));
}

}  // namespace tacit
