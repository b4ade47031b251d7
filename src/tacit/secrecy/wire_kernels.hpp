// The inner loops of packing, for processors with AVX2. Each works on as many elements as it can, always
// reading and writing inside the buffers, and returns how many it did; the portable loops in wire.cpp do the
// rest. Without AVX2 they do none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tacit/secrecy/ring.hpp"

namespace tacit::kernels {

/// Sources that are read side by side, so that the sums are loaded and stored once for all of them.
inline constexpr std::size_t most_sources = 4;

/// sum += Σ, sum -= Σ or sum = -Σ.
enum class Into { add, subtract, negate };

/// Does that with Σ over the elements k of `sources` packed vectors, for k < n. Each vector has `limit` bytes
/// left to read.
std::size_t accumulate(Into into, const std::byte* const* source, std::size_t sources, std::size_t limit,
                       std::size_t bytes, std::size_t n, Word64* sum);
std::size_t accumulate(Into into, const std::byte* const* source, std::size_t sources, std::size_t limit,
                       std::size_t bytes, std::size_t n, Word128* sum);

/// Packs weight · x[k] + shift[k], for k < n. weight < 2^32.
std::size_t pack_affine(std::uint64_t weight, const std::int64_t* x, const Word64* shift, std::size_t n,
                        std::size_t bytes, std::byte* out);

}  // namespace tacit::kernels
