// Arithmetic in Z_q for q = 2^b. Elements are machine words. Sums and products wrap modulo 2^64 or 2^128,
// which q divides, so a reduction is needed only when an element is read. The balanced residue lies in [-q/2,
// q/2), as in the paper's definition of Z_q.
//
// Threads: several threads may use one ring, because it never changes.
// Errors: InputError from the constructor.
// Stopping: no function runs long.
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

/// The ring Z_q for q = 2^b, with elements stored in words of type Word64 or Word128.
template <class Word>
class Ring {
 public:
  using Signed = SignedOf<Word>;

  /// Creates the ring with b = bits. Throws InputError unless 1 ≤ bits ≤ the word's width.
  explicit Ring(unsigned bits);

  unsigned bits() const { return bits_; }

  /// Returns the size of one element on the wire in bytes, ⌈b/8⌉.
  std::size_t element_bytes() const { return (bits_ + 7) / 8; }

  /// Returns the residue in [0, q).
  Word reduce(Word a) const { return a & keep_; }

  /// Returns the residue in [-q/2, q/2), which is a mod q in the paper.
  Signed balanced(Word a) const { return static_cast<Signed>((reduce(a) ^ sign_) - sign_); }

 private:
  unsigned bits_;
  Word keep_;  // the b lowest bits
  Word sign_;  // the highest of them
};

}  // namespace tacit
