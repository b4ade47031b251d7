// The inner loops of packing for processors with AVX2. Each processes as many elements as it can without
// reading or writing beyond the buffers, and returns their number. The portable loops in wire.cpp process the
// rest. Without AVX2 these functions process none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tacit/secrecy/ring.hpp"

namespace tacit::kernels {

/// The most sources that are read in one pass. A pass loads and stores each sum once.
inline constexpr std::size_t most_sources = 4;

/// sum += Σ, sum -= Σ or sum = -Σ.
enum class Into { add, subtract, negate };

/// Applies `into` for each k < n, where Σ is over element k of the `sources` packed vectors. `limit` is the
/// number of readable bytes of each vector.
std::size_t accumulate(Into into, const std::byte* const* source, std::size_t sources, std::size_t limit,
                       std::size_t bytes, std::size_t n, Word64* sum);
std::size_t accumulate(Into into, const std::byte* const* source, std::size_t sources, std::size_t limit,
                       std::size_t bytes, std::size_t n, Word128* sum);

/// Packs weight · x[k] + shift[k], for k < n. weight < 2^32.
std::size_t pack_affine(std::uint64_t weight, const std::int64_t* x, const Word64* shift, std::size_t n,
                        std::size_t bytes, std::byte* out);

}  // namespace tacit::kernels
