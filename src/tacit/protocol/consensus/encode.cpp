// Converts reals to exact states and back. Refuses values that do not fit.
#include <fmt/format.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/consensus/units.hpp"

namespace tacit {

bool fits_64(const ConsensusPlan& plan) {
  // A state can reach half of the range bound; Divider requires it to be below 2^61.
  return plan.modulus_bits <= 64 && plan.range() <= 0x1p62L;
}

namespace {

// Reveals nothing about the value except the number of bits it needs.
std::string cure(const ConsensusPlan& plan, double value) {
  try {
    return fmt::format("a plan that covers it needs a modulus of {} bits, but this one has {}",
                       required_bits(plan, value), plan.modulus_bits);
  } catch (const InputError&) {
    return "no supported modulus would cover it at this L_z";
  }
}

}  // namespace

template <class Signed>
WipedVector<Signed> encode(const ConsensusPlan& plan, const Values& z) {
  if (z.size() != plan.dimension)
    throw InputError(fmt::format("{} values were given, but the plan is for {}", z.size(), plan.dimension));
  const long double scale =
      std::ldexp(static_cast<long double>(plan.denominator) / plan.lz, static_cast<int>(plan.guard_bits));
  WipedVector<Signed> state(z.size());
  for (std::size_t k = 0; k < z.size(); ++k) {
    if (!std::isfinite(z[k])) throw InputError(fmt::format("value {} is not finite", k));
    if (std::abs(z[k]) > plan.value_bound)
      throw InputError(fmt::format("value {} exceeds the public bound {:.6g}; {}", k, plan.value_bound,
                                   cure(plan, std::abs(z[k]))));
    state[k] = static_cast<Signed>(std::round(z[k] * scale));
  }
  return state;
}

template <class Signed>
Values decode(const ConsensusPlan& plan, const WipedVector<Signed>& state) {
  const long double unit = plan.unit();
  Values z(state.size());
  for (std::size_t k = 0; k < state.size(); ++k) z[k] = in_reals(state[k], unit);
  return z;
}

template WipedVector<std::int64_t> encode(const ConsensusPlan&, const Values&);
template WipedVector<Integer128> encode(const ConsensusPlan&, const Values&);
template Values decode(const ConsensusPlan&, const WipedVector<std::int64_t>&);
template Values decode(const ConsensusPlan&, const WipedVector<Integer128>&);

}  // namespace tacit
