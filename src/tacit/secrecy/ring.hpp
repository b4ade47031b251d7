// Arithmetic in Z_q for q = 2^b. Elements are machine words: sums and products wrap modulo 2^64 or 2^128, of
// which q is a divisor, so only reading an element out needs a reduction. The balanced residue lies in [-q/2,
// q/2), as in the paper's definition of Z_q.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tacit {

__extension__ typedef unsigned __int128 Word128;
__extension__ typedef __int128 Integer128;
using Word64 = std::uint64_t;

template <class Word>
using SignedOf = std::conditional_t<sizeof(Word) == 8, std::int64_t, Integer128>;

template <class Word>
inline constexpr unsigned word_bits = 8 * sizeof(Word);

template <class Word>
class Ring {
 public:
  using Signed = SignedOf<Word>;

  /// Throws InputError unless 1 ≤ bits ≤ the word's width.
  explicit Ring(unsigned bits);

  unsigned bits() const { return bits_; }

  /// Bytes one element takes on the wire: ⌈b/8⌉.
  std::size_t element_bytes() const { return (bits_ + 7) / 8; }

  /// The residue in [0, q).
  Word reduce(Word a) const { return a & keep_; }

  /// The residue in [-q/2, q/2): a mod q of the paper.
  Signed balanced(Word a) const { return static_cast<Signed>((reduce(a) ^ sign_) - sign_); }

 private:
  unsigned bits_;
  Word keep_;  // the b lowest bits
  Word sign_;  // the topmost of them
};

}  // namespace tacit
