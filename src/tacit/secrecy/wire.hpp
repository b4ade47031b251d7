// Ring elements on the wire: exactly ⌈b/8⌉ bytes each, little-endian, in planes. A vector of n elements of B bytes is
// written as up to four arrays of n words: B = 8a + 4b + 2c + d gives a plane of 8-byte words (a = 1), then of 4-byte,
// 2-byte and 1-byte words, least significant part first. Planes, not one element after the other, so that reading,
// adding and trimming are straight loops over whole words that a compiler turns into vector instructions: this is the
// inner loop of the consensus.
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

/// Writes the residues in [0, q). `out` must be packed_size() long.
template <class Word>
void pack(const Ring<Word>& ring, std::span<const Word> elements, Bytes out);

/// sum[k] += (or -=) element k of every source, modulo 2^64 or 2^128. Every source must be packed_size() long.
template <class Word>
void add_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);
template <class Word>
void subtract_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum);

/// Fills `out` with n elements drawn uniformly from Z_q, straight from the stream.
template <class Word>
void fill_uniform(const Ring<Word>& ring, Prg& prg, std::size_t n, Bytes out);

/// True when `bytes` is a canonical packing of n elements: the right size and no bit set above b. A sender that is
/// neither broken nor hostile always passes.
template <class Word>
bool is_packed(const Ring<Word>& ring, std::size_t n, ConstBytes bytes);

}  // namespace tacit
