#include "tacit/lab/rivals/shares/reciprocal.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit::shares {
namespace {

constexpr unsigned factor_bits = 6;
constexpr double enough = 0x1p-27;

unsigned shift_of(const Newton& newton) { return newton.product_bits + factor_bits - fraction; }

}  // namespace

Newton newton(double low, double high, unsigned scale, unsigned bits, std::size_t least_steps) {
  Newton result;
  result.bits = bits;
  result.product_bits = fraction + bits - scale;
  // 2 μ · 2^product_bits must stay below 2^62, and at most 32 bits can be cut off.
  if (!(low > 0 && high >= low) || fraction + bits < scale + 20 || result.product_bits > 58 - factor_bits)
    throw InputError(
        "the noise is too small relative to the signal for the fixed point of two servers; use more noise");
  result.start = encode(std::ldexp(2 / (low + high), -static_cast<int>(scale)), bits);
  double e = (high - low) / (high + low);
  while (e > enough || result.factors.size() < least_steps) {
    // Rounded down: with a factor of 2 instead of slightly less, numbers with d y near 2 would not converge.
    const double factor = std::floor(64 * 2 / (2 - e * e)) / 64;
    e = std::max(factor - 1, std::abs(1 - factor * (1 - e * e)));
    result.factors.push_back(static_cast<Word>(64 * factor));
  }
  result.error = e;
  return result;
}

Task<Masked> reciprocal(Server& server, const Masked& d, const Newton& newton) {
  const std::size_t n = d.size();
  Masked y = server.constant(n, newton.start);
  for (const Word factor : newton.factors) {
    Words rest = server.product(d, y);  // μ (2 − d y)
    const Word two = server.first() ? Word{2} << newton.product_bits : 0;
    for (Word& z : rest) z = factor * (two - z);
    const Masked u = co_await server.truncate(std::move(rest), shift_of(newton));
    y = co_await server.truncate(server.product(y, u), fraction);
  }
  co_return y;
}

DealtMask deal_reciprocal(Dealer& dealer, const DealtMask& d, const Newton& newton) {
  DealtMask y = deal_constant(d.size());
  for (std::size_t step = 0; step < newton.factors.size(); ++step) {
    deal_product(dealer, d, y);
    const DealtMask u = deal_truncate(dealer, d.size(), shift_of(newton));
    deal_product(dealer, y, u);
    y = deal_truncate(dealer, d.size(), fraction);
  }
  return y;
}

}  // namespace tacit::shares
