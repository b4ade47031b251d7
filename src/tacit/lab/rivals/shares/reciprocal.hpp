// 1/d of shared numbers by Newton's iteration, with two rounds for each step. Part of the rival `shares`, a
// baseline for measurements (shares.hpp).
//
// y ← μ y (2 − d y) with public factors μ. The range of d is known beforehand, so each factor minimises the
// error at the worst d. The first steps then gain two bits each; plain Newton gains one.
#pragma once

#include "tacit/lab/rivals/shares/server.hpp"

namespace tacit::shares {

/// The public numbers of the iteration. With `scale` s, it computes 2^-s / d.
struct Newton {
  Word start = 0;             ///< with `bits` fractional bits, as the result
  std::vector<Word> factors;  ///< μ of each step, in 64ths
  unsigned bits = fraction;
  unsigned product_bits = 2 * fraction;  ///< d y 2^s = 1 is represented by 2^product_bits
  /// The largest |1 − d y 2^s| after the last step, without rounding.
  double error = 0;
};

/// The steps of the reciprocal of a pivot: 16 rounds in our reading of the published count.
inline constexpr std::size_t pivot_steps = 8;

/// Plans at least `least_steps` steps for d from `low` to `high` with 26 fractional bits. Throws InputError
/// if the numbers do not fit.
Newton newton(double low, double high, unsigned scale, unsigned bits, std::size_t least_steps);

/// Takes 2 rounds for each step.
Task<Masked> reciprocal(Server& server, const Masked& d, const Newton& newton);
DealtMask deal_reciprocal(Dealer& dealer, const DealtMask& d, const Newton& newton);

}  // namespace tacit::shares
