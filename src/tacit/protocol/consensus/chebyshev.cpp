#include "tacit/protocol/consensus/chebyshev.hpp"

#include <algorithm>
#include <cmath>

namespace tacit {
namespace {

constexpr double grain = 0x1p-30;  // of λ and of ω

// λ as the weights use it: not below the true one, which is known to 1e-12. A larger λ also works, but more
// slowly.
double rounded_up(double lambda) { return std::min(1.0, (std::floor((lambda + 1e-12) / grain) + 1) * grain); }

double rate(double lambda) { return std::acosh(1 / rounded_up(lambda)); }

// ⌊ω x + 1/2⌋ for ω in multiples of 2^-30, in two parts so that only the result must fit.
template <class Word>
Word scaled(Word omega, SignedOf<Word> x) {
  constexpr unsigned bits = ChebyshevWeights::fraction_bits;
  constexpr Word low = (Word{1} << bits) - 1, half = Word{1} << (bits - 1);
  return omega * static_cast<Word>(x >> bits) + ((omega * (static_cast<Word>(x) & low) + half) >> bits);
}

}  // namespace

ChebyshevWeights::ChebyshevWeights(double lambda) {
  const Word128 l = static_cast<Word128>(rounded_up(lambda) / grain);
  square_ = l * l;
}

std::uint64_t ChebyshevWeights::next() {
  constexpr std::uint64_t one = std::uint64_t{1} << 62;
  if (omega_ == 0) {
    omega_ = 2 * one;  // so that the recursion gives ω(1)
    return std::uint64_t{1} << fraction_bits;
  }
  const Word128 rest = ((Word128{1} << 124) - square_ * omega_) >> 61;  // (1 − λ² ω/4) 2^63, at least 2^62
  omega_ = static_cast<std::uint64_t>((Word128{1} << 125) / rest);
  return (omega_ + (std::uint64_t{1} << 31)) >> 32;
}

double chebyshev_transient(double lambda, std::size_t agents, double deviation, std::size_t iterations) {
  return std::sqrt(static_cast<double>(agents)) * deviation /
         std::cosh(static_cast<double>(iterations) * rate(lambda));
}

std::size_t chebyshev_iterations(double lambda, std::size_t agents, double deviation, double target) {
  const double shrink = std::sqrt(static_cast<double>(agents)) * deviation / target;
  if (shrink <= 1) return 1;
  const double rounds = std::ceil(std::acosh(shrink) / rate(lambda));
  return static_cast<std::size_t>(std::clamp(rounds, 1.0, 1e18));
}

unsigned chebyshev_guard_bits(double lambda, std::uint64_t denominator, std::size_t iterations) {
  const double l = rounded_up(lambda);
  const double units = 50 * (static_cast<double>(iterations) + 8) / ((1 - l) * (1 + l));
  return static_cast<unsigned>(std::max(0.0, std::ceil(std::log2(units / static_cast<double>(denominator)))));
}

double chebyshev_state_bound(double lambda, std::size_t agents, double start, double lz,
                             std::size_t iterations) {
  const double l = rounded_up(lambda), rho = l / (1 + std::sqrt((1 - l) * (1 + l)));
  const double t = static_cast<double>(iterations), kappa = 10 * t * t * (grain / 2);
  return std::sqrt(static_cast<double>(agents)) * (start + (4 / (1 - rho) + 1) * lz) / (1 - kappa);
}

template <class Word>
ChebyshevUpdate<Word>::ChebyshevUpdate(const ConsensusPlan& plan, WipedVector<Signed> start)
    : state_(plan, std::move(start)),
      weights_(plan.lambda),
      guard_(plan.guard_bits),
      denominator_(static_cast<Signed>(plan.denominator)),
      previous_(state_.exact) {}

// Computed in words that wrap, not in signed integers: a dishonest neighbour's values must fail the check and
// must not cause signed overflow.
template <class Word>
void ChebyshevUpdate<Word>::move(std::span<const Word> sum, std::uint64_t weight, std::size_t from) {
  const Ring<Word> ring = state_.ring;
  const Divider<Word> divider = state_.divider;
  const Signed limit = state_.limit, most = limit * denominator_;
  Signed *state = state_.exact.data() + from, *quantised = state_.quantised.data() + from,
         *previous = previous_.data() + from;
  bool within = true;
  for (std::size_t k = 0; k < sum.size(); ++k) {
    const Signed moved = ring.balanced(sum[k] - Word{weight} * static_cast<Word>(quantised[k]));
    const Word now = static_cast<Word>(state[k]), before = static_cast<Word>(previous[k]);
    const Word mixed = now + (static_cast<Word>(moved) << guard_);  // W z(t)
    previous[k] = state[k];
    state[k] = static_cast<Signed>(before + scaled<Word>(omega_, static_cast<Signed>(mixed - before)));
    quantised[k] = divider.nearest(state[k] >> guard_);
    within &= moved <= most && moved >= -most && quantised[k] <= limit && quantised[k] >= -limit;
  }
  check_range(within);
}

template class ChebyshevUpdate<Word64>;
template class ChebyshevUpdate<Word128>;

}  // namespace tacit
