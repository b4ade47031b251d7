// ⌈·⌋ of (Lz) on integer states: the nearest multiple of L_z of a state counted in units of L_z L_w.
#pragma once

#include <bit>
#include <cstdint>

#include "tacit/secrecy/ring.hpp"

namespace tacit {

/// nearest(S) = ⌊S/D + 1/2⌋: halves go up, so that Q(z + L_z) = Q(z) + 1 without exception. Division by a
/// number known only at run time is the slowest instruction in the update, so it is done by a multiplication
/// (Granlund and Montgomery): for 0 ≤ u < 2^(w-1) and l = ⌈log2 D⌉, ⌊u/D⌋ = ⌊u m / 2^(w-1+l)⌋ with m =
/// ⌊2^(w-1+l)/D⌋ + 1 < 2^w.
template <class Word>
class Divider {
 public:
  using Signed = SignedOf<Word>;

  /// 1 < D < 2^32.
  explicit Divider(std::uint64_t d)
      : shift_(static_cast<unsigned>(std::bit_width(d - 1)) - 1),
        multiplier_(power_over(shift_, d) + 1),
        offset_((Word{1} << (word_bits<Word> - 2)) / d),
        addend_(offset_ * d + d / 2) {}

  /// |S| < 2^(w-3), w the word's bits.
  Signed nearest(Signed s) const {
    return static_cast<Signed>(high_product(static_cast<Word>(s) + addend_, multiplier_) >> shift_) -
           static_cast<Signed>(offset_);
  }

 private:
  // ⌊2^(w+shift)/d⌋, by long division.
  static Word power_over(unsigned shift, std::uint64_t d) {
    Word quotient = 0;
    std::uint64_t rest = std::uint64_t{1} << shift;  // < d
    for (unsigned k = 0; k < word_bits<Word>; ++k) {
      rest *= 2;
      quotient = 2 * quotient + (rest >= d);
      if (rest >= d) rest -= d;
    }
    return quotient;
  }

  // The upper half of the product.
  static Word64 high_product(Word64 a, Word64 b) {
    return static_cast<Word64>((static_cast<Word128>(a) * b) >> 64);
  }
  static Word128 high_product(Word128 a, Word128 b) {
    const Word64 a0 = static_cast<Word64>(a), a1 = static_cast<Word64>(a >> 64), b0 = static_cast<Word64>(b),
                 b1 = static_cast<Word64>(b >> 64);
    const Word128 cross = static_cast<Word128>(a1) * b0 + high_product(a0, b0);
    const Word128 other = static_cast<Word128>(a0) * b1 + static_cast<Word64>(cross);
    return static_cast<Word128>(a1) * b1 + (cross >> 64) + (other >> 64);
  }

  unsigned shift_;  // l - 1
  Word multiplier_;
  Word offset_;  // makes the dividend positive
  Word addend_;
};

}  // namespace tacit
