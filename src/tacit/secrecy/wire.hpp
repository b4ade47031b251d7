// Ring elements on the wire: exactly ⌈b/8⌉ bytes each, little-endian, one after the other. The bytes of a
// uniform stream are then uniform elements as they stand, so shares are drawn straight into messages.
#pragma once

#include <cstddef>
#include <span>

#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/ring.hpp"

namespace tacit {

using ConstBytes = std::span<const std::byte>;
using Bytes = std::span<std::byte>;

/// Bytes that n elements take.
template <class Word>
std::size_t packed_size(const Ring<Word>& ring, std::size_t n) {
  return ring.element_bytes() * n;
}

/// Writes weight · x[k] + shift[k] as residues in [0, q): a masked value of (theta), packed in one pass.
/// weight < 2^32; all lengths agree; `out` must be packed_size() long.
template <class Word>
void pack_affine(const Ring<Word>& ring, std::uint64_t weight, std::span<const SignedOf<Word>> x,
                 std::span<const Word> shift, Bytes out);

/// sum[k] += element k of every source, modulo 2^64 or 2^128. Every source must be packed_size() long.
/// Returns false when some element had bits above b, which no sender that is neither broken nor hostile
/// produces.
template <class Word>
[[nodiscard]] bool add_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources,
                              std::span<Word> sum);

/// sum[k] -= element k of every source.
template <class Word>
void subtract_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

/// Fills `out` with elements drawn uniformly from Z_q, straight from the stream.
template <class Word>
void fill_uniform(const Ring<Word>& ring, Prg& prg, Bytes out);

}  // namespace tacit
