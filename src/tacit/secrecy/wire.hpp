// Ring elements on the wire: exactly ⌈b/8⌉ bytes each, little-endian, without gaps. Bytes of a uniform stream
// are therefore uniform elements, and shares are drawn directly into messages.
#pragma once

#include <cstddef>
#include <span>

#include "tacit/secrecy/ring.hpp"

namespace tacit {

using ConstBytes = std::span<const std::byte>;
using Bytes = std::span<std::byte>;

/// Returns the size of n packed elements in bytes.
template <class Word>
std::size_t packed_size(const Ring<Word>& ring, std::size_t n) {
  return ring.element_bytes() * n;
}

/// Packs weight · x[k] + shift[k], a masked value of (theta), in one pass. Requires weight < 2^32, x and
/// shift of equal length, and `out` of packed_size() bytes.
template <class Word>
void pack_affine(const Ring<Word>& ring, std::uint64_t weight, std::span<const SignedOf<Word>> x,
                 std::span<const Word> shift, Bytes out);

/// sum[k] += element k of every source. Only the lowest b bits of the words of `sum` are significant. Every
/// source must be packed_size() bytes long.
template <class Word>
void add_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

/// sum[k] -= element k of every source.
template <class Word>
void subtract_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

/// sum[k] = minus the sum over all sources of element k. The previous content of `sum` is ignored.
template <class Word>
void negate_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

}  // namespace tacit
