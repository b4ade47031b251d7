// Converts whole multiples of a unit to reals.
#pragma once

#include "tacit/secrecy/ring.hpp"

namespace tacit {

/// Returns count · unit, rounded to a double only once, at the end. A count may have up to 127 bits. A double
/// holds 53 bits and a long double 64, so a multiplication in either would also round the count.
double in_reals(Integer128 count, long double unit);

}  // namespace tacit
