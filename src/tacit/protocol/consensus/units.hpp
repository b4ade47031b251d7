// From whole numbers of a unit back to reals.
#pragma once

#include "tacit/secrecy/ring.hpp"

namespace tacit {

/// count · unit, rounded to a double once, at the end. A count may have up to 127 bits; a double holds 53 of
/// them and a long double 64, so multiplying in either would round before that.
double in_reals(Integer128 count, long double unit);

}  // namespace tacit
