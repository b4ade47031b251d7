#include "tacit/protocol/consensus/hardening.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {

std::string to_string(MaskSource masks) { return masks == MaskSource::seeded ? "seeded" : "shares"; }

std::string to_string(Acceleration acceleration) {
  return acceleration == Acceleration::chebyshev ? "chebyshev" : "none";
}

MaskSource parse_mask_source(std::string_view name) {
  if (name == "seeded") return MaskSource::seeded;
  if (name == "shares") return MaskSource::shares;
  throw InputError(fmt::format("unknown masks \"{}\"; use seeded or shares", name));
}

Acceleration parse_acceleration(std::string_view name) {
  if (name == "chebyshev") return Acceleration::chebyshev;
  if (name == "none") return Acceleration::none;
  throw InputError(fmt::format("unknown acceleration \"{}\"; use chebyshev or none", name));
}

}  // namespace tacit
