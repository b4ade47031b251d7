#include "tacit/secrecy/wire.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tacit/base/simd.hpp"

namespace tacit {
namespace {

static_assert(std::endian::native == std::endian::little, "the wire format is read and written as native words");

// Words at any address.
typedef std::uint64_t U64 __attribute__((aligned(1), may_alias));
typedef std::uint32_t U32 __attribute__((aligned(1), may_alias));
typedef std::uint16_t U16 __attribute__((aligned(1), may_alias));
typedef std::uint8_t U8 __attribute__((may_alias));

#define TACIT_INLINE __attribute__((always_inline)) inline

// Element k of the planes that start at `at`, for elements of B ≤ 8 bytes in a vector of n.
template <unsigned B>
TACIT_INLINE std::uint64_t load(const std::byte* at, std::size_t n, std::size_t k) {
  std::uint64_t value = 0;
  if constexpr (B == 8) return reinterpret_cast<const U64*>(at)[k];
  if constexpr (B & 4) value = reinterpret_cast<const U32*>(at)[k];
  if constexpr (B & 2)
    value |= static_cast<std::uint64_t>(reinterpret_cast<const U16*>(at + (B & 4) * n)[k]) << (8 * (B & 4));
  if constexpr (B & 1)
    value |= static_cast<std::uint64_t>(reinterpret_cast<const U8*>(at + (B & 6) * n)[k]) << (8 * (B & 6));
  return value;
}

template <unsigned B>
TACIT_INLINE void store(std::byte* at, std::size_t n, std::size_t k, std::uint64_t value) {
  if constexpr (B == 8) {
    reinterpret_cast<U64*>(at)[k] = value;
  } else {
    if constexpr (B & 4) reinterpret_cast<U32*>(at)[k] = static_cast<std::uint32_t>(value);
    if constexpr (B & 2)
      reinterpret_cast<U16*>(at + (B & 4) * n)[k] = static_cast<std::uint16_t>(value >> (8 * (B & 4)));
    if constexpr (B & 1)
      reinterpret_cast<U8*>(at + (B & 6) * n)[k] = static_cast<std::uint8_t>(value >> (8 * (B & 6)));
  }
}

// Calls loop.run<B>() for the B at hand.
template <class Loop>
TACIT_INLINE void for_bytes(std::size_t bytes, Loop loop) {
  switch (bytes) {
    case 1: return loop.template operator()<1>();
    case 2: return loop.template operator()<2>();
    case 3: return loop.template operator()<3>();
    case 4: return loop.template operator()<4>();
    case 5: return loop.template operator()<5>();
    case 6: return loop.template operator()<6>();
    case 7: return loop.template operator()<7>();
    case 8: return loop.template operator()<8>();
    default: __builtin_unreachable();
  }
}

// Elements worked on at a time, so that the sums stay in the first cache while the sources stream past.
constexpr std::size_t block = 1024;

// `at` is where a source's planes start, n its whole length; [from, to) the elements to add. sign is +1 or -1.
TACIT_SIMD void accumulate(std::size_t bytes, const std::byte* at, std::size_t n, std::size_t from, std::size_t to, bool minus,
                           std::uint64_t* sum) {
  for_bytes(bytes, [=]<unsigned B>() __attribute__((always_inline)) {
    if (minus)
      for (std::size_t k = from; k < to; ++k) sum[k] -= load<B>(at, n, k);
    else
      for (std::size_t k = from; k < to; ++k) sum[k] += load<B>(at, n, k);
  });
}

void accumulate(std::size_t bytes, const std::byte* at, std::size_t n, std::size_t from, std::size_t to, bool minus,
                Word128* sum) {
  // The low 8-byte plane first, then what lies above it.
  const std::size_t low = std::min<std::size_t>(bytes, 8);
  auto add = [=](std::size_t width, const std::byte* plane, unsigned shift) {
    for_bytes(width, [=]<unsigned B>() {
      for (std::size_t k = from; k < to; ++k) {
        const Word128 value = static_cast<Word128>(load<B>(plane, n, k)) << shift;
        sum[k] = minus ? sum[k] - value : sum[k] + value;
      }
    });
  };
  add(low, at, 0);
  if (bytes > 8) add(bytes - 8, at + 8 * n, 64);
}

template <class Word>
void accumulate_all(const Ring<Word>& ring, std::span<const ConstBytes> sources, bool minus, std::span<Word> sum) {
  const std::size_t n = sum.size();
  for (std::size_t from = 0; from < n; from += block)
    for (const ConstBytes& source : sources)
      accumulate(ring.element_bytes(), source.data(), n, from, std::min(n, from + block), minus, sum.data());
}

TACIT_SIMD void pack_words(std::size_t bytes, const std::uint64_t* elements, std::size_t n, std::uint64_t keep,
                           std::byte* out) {
  for_bytes(bytes, [=]<unsigned B>() __attribute__((always_inline)) {
    for (std::size_t k = 0; k < n; ++k) store<B>(out, n, k, elements[k] & keep);
  });
}

// The plane that holds an element's topmost bits: where it starts, its word's width in bytes, the bits it may use.
struct TopPlane {
  std::size_t start, width;
  unsigned bits;
};
TopPlane top_plane(std::size_t bytes, unsigned bits, std::size_t n) {
  const std::size_t width = std::size_t{1} << std::countr_zero(bytes);
  const std::size_t capped = std::min<std::size_t>(width, 8);  // 16 bytes are two planes of 8
  const std::size_t below = bytes - capped;
  return {below * n, capped, bits - 8 * static_cast<unsigned>(below)};
}

TACIT_SIMD void trim(std::byte* plane, std::size_t count, std::uint64_t pattern) {
  const std::size_t whole = count / 8;
  for (std::size_t k = 0; k < whole; ++k) reinterpret_cast<U64*>(plane)[k] &= pattern;
  for (std::size_t k = 8 * whole; k < count; ++k) plane[k] &= static_cast<std::byte>(pattern >> (8 * (k % 8)));
}

// The mask of the allowed bits of one plane word, repeated over 64 bits.
std::uint64_t repeated(const TopPlane& top) {
  std::uint64_t pattern = top.bits >= 64 ? ~0ull : (1ull << top.bits) - 1;
  for (std::size_t width = top.width; width < 8; width *= 2) pattern |= pattern << (8 * width);
  return pattern;
}

}  // namespace

template <class Word>
void pack(const Ring<Word>& ring, std::span<const Word> elements, Bytes out) {
  const std::size_t n = elements.size(), bytes = ring.element_bytes();
  if constexpr (sizeof(Word) == 8) {
    pack_words(bytes, elements.data(), n, ring.reduce(~Word{0}), out.data());
  } else {
    const std::size_t low = std::min<std::size_t>(bytes, 8);
    for_bytes(low, [&]<unsigned B>() {
      for (std::size_t k = 0; k < n; ++k)
        store<B>(out.data(), n, k, static_cast<std::uint64_t>(ring.reduce(elements[k])));
    });
    if (bytes > 8)
      for_bytes(bytes - 8, [&]<unsigned B>() {
        for (std::size_t k = 0; k < n; ++k)
          store<B>(out.data() + 8 * n, n, k, static_cast<std::uint64_t>(ring.reduce(elements[k]) >> 64));
      });
  }
}

template <class Word>
void add_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum) {
  accumulate_all(ring, sources, false, sum);
}

template <class Word>
void subtract_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum) {
  accumulate_all(ring, sources, true, sum);
}

template <class Word>
void fill_uniform(const Ring<Word>& ring, Prg& prg, std::size_t n, Bytes out) {
  prg.fill(out);
  if (ring.bits() % 8 == 0) return;
  const TopPlane top = top_plane(ring.element_bytes(), ring.bits(), n);
  trim(out.data() + top.start, top.width * n, repeated(top));
}

template <class Word>
bool is_packed(const Ring<Word>& ring, std::size_t n, ConstBytes bytes) {
  if (bytes.size() != packed_size(ring, n)) return false;
  if (ring.bits() % 8 == 0) return true;
  const TopPlane top = top_plane(ring.element_bytes(), ring.bits(), n);
  const std::uint64_t pattern = repeated(top);
  const std::byte* plane = bytes.data() + top.start;
  std::uint64_t excess = 0;
  const std::size_t count = top.width * n, whole = count / 8;
  for (std::size_t k = 0; k < whole; ++k) excess |= reinterpret_cast<const U64*>(plane)[k] & ~pattern;
  for (std::size_t k = 8 * whole; k < count; ++k)
    excess |= static_cast<std::uint64_t>(plane[k]) & static_cast<std::uint8_t>(~pattern >> (8 * (k % 8)));
  return excess == 0;
}

template void pack(const Ring<Word64>&, std::span<const Word64>, Bytes);
template void pack(const Ring<Word128>&, std::span<const Word128>, Bytes);
template void add_packed(const Ring<Word64>&, std::span<const ConstBytes>, std::span<Word64>);
template void add_packed(const Ring<Word128>&, std::span<const ConstBytes>, std::span<Word128>);
template void subtract_packed(const Ring<Word64>&, std::span<const ConstBytes>, std::span<Word64>);
template void subtract_packed(const Ring<Word128>&, std::span<const ConstBytes>, std::span<Word128>);
template void fill_uniform(const Ring<Word64>&, Prg&, std::size_t, Bytes);
template void fill_uniform(const Ring<Word128>&, Prg&, std::size_t, Bytes);
template bool is_packed(const Ring<Word64>&, std::size_t, ConstBytes);
template bool is_packed(const Ring<Word128>&, std::size_t, ConstBytes);

}  // namespace tacit
