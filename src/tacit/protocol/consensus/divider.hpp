// ⌈·⌋ of (Lz) on integer states: the multiple of L_z nearest to a state in units of L_z L_w.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "tacit/secrecy/ring.hpp"

namespace tacit {

/// nearest(S) = ⌊S/D + 1/2⌋: halves are rounded up, so that Q(z + L_z) = Q(z) + 1 always holds. Division by a
/// number known only at run time would be the slowest instruction in the update, so it is replaced by a
/// multiplication (Granlund and Montgomery): for 0 ≤ u < 2^(w-1) and l = ⌈log2 D⌉, ⌊u/D⌋ = ⌊u m / 2^(w-1+l)⌋
/// with m = ⌊2^(w-1+l)/D⌋ + 1 < 2^w.
template <class Word>
class Divider {
 public:
  using Signed = SignedOf<Word>;
  using Half = std::conditional_t<sizeof(Word) == 8, std::uint32_t, std::uint64_t>;

  /// 1 < D < 2^32.
  explicit Divider(std::uint64_t d)
      : shift_(static_cast<unsigned>(std::bit_width(d - 1)) - 1),
        multiplier_(power_over(shift_, d) + 1),
        offset_((Word{1} << (word_bits<Word> - 2)) / d),
        addend_(offset_ * d + d / 2) {}

  /// Requires |S| < 2^(w-3), where w is the word's number of bits.
  Signed nearest(Signed s) const {
    return static_cast<Signed>(high_product(static_cast<Word>(s) + addend_, multiplier_) >> shift_) -
           static_cast<Signed>(offset_);
  }

  /// The numbers in the formula, for loops that contain it explicitly.
  unsigned shift() const { return shift_; }
  Word multiplier() const { return multiplier_; }
  Word offset() const { return offset_; }
  Word addend() const { return addend_; }

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

  // The upper half of the product, from products of halves: for 64-bit words, vector instructions can compute
  // these.
  static Word high_product(Word a, Word b) {
    constexpr unsigned half = word_bits<Word> / 2;
    const Word a0 = static_cast<Half>(a), a1 = static_cast<Half>(a >> half);
    const Word b0 = static_cast<Half>(b), b1 = static_cast<Half>(b >> half);
    const Word cross = a1 * b0 + ((a0 * b0) >> half);
    const Word other = a0 * b1 + static_cast<Half>(cross);
    return a1 * b1 + (cross >> half) + (other >> half);
  }

  unsigned shift_;  // l - 1
  Word multiplier_;
  Word offset_;  // makes the dividend positive
  Word addend_;
};

}  // namespace tacit
