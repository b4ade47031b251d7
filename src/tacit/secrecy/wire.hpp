// Ring elements on the wire: exactly ⌈b/8⌉ bytes each, little-endian, one after the other. The bytes of a
// uniform stream are then uniform elements as they stand, so shares are drawn straight into messages.
#pragma once

#include <cstddef>
#include <span>

#include "tacit/secrecy/ring.hpp"

namespace tacit {

using ConstBytes = std::span<const std::byte>;
using Bytes = std::span<std::byte>;

/// Bytes that n elements take.
template <class Word>
std::size_t packed_size(const Ring<Word>& ring, std::size_t n) {
  return ring.element_bytes() * n;
}

/// Writes weight · x[k] + shift[k]: a masked value of (theta), packed in one pass. weight < 2^32; all lengths
/// agree; `out` must be packed_size() long.
template <class Word>
void pack_affine(const Ring<Word>& ring, std::uint64_t weight, std::span<const SignedOf<Word>> x,
                 std::span<const Word> shift, Bytes out);

/// sum[k] += element k of every source, in words whose lowest b bits count. Every source must be
/// packed_size() long.
template <class Word>
void add_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

/// sum[k] -= element k of every source.
template <class Word>
void subtract_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

/// sum[k] = minus element k of every source, whatever it was before.
template <class Word>
void negate_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

}  // namespace tacit
