// 1/d of shared numbers by Newton's iteration, two rounds a step. Part of the rival `shares`, a baseline for
// measuring (shares.hpp).
//
// y ← μ y (2 − d y) with public factors μ: where d lies is known beforehand, so each factor can be the one
// that leaves the least error at the worst d, which gains two bits a step at first where plain Newton gains
// one.
#pragma once

#include "tacit/lab/rivals/shares/server.hpp"

namespace tacit::shares {

/// The iteration's public numbers. With `scale` s it finds 2^-s / d.
struct Newton {
  Word start = 0;             ///< with `bits` fractional bits, as the result has
  std::vector<Word> factors;  ///< of each step, in 64ths
  unsigned bits = fraction;
  unsigned product_bits = 2 * fraction;  ///< of d y when it is 1
  /// The largest |1 − d y 2^s| at the end, without rounding.
  double error = 0;
};

/// The steps of every reciprocal of a pivot: 16 rounds, as our reading of the published count has it.
inline constexpr std::size_t pivot_steps = 8;

/// For d from `low` to `high` with 26 fractional bits, at least that many steps. Throws InputError if the
/// numbers do not fit.
Newton newton(double low, double high, unsigned scale, unsigned bits, std::size_t least_steps);

/// 2 rounds a step.
Task<Masked> reciprocal(Server& server, const Masked& d, const Newton& newton);
DealtMask deal_reciprocal(Dealer& dealer, const DealtMask& d, const Newton& newton);

}  // namespace tacit::shares
