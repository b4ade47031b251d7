#include "tacit/secrecy/wire.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "tacit/base/simd.hpp"
#include "tacit/secrecy/wire_kernels.hpp"

namespace tacit {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are read and written as native words");

template <class Word>
Word mask_of(std::size_t bits) {
  return bits >= word_bits<Word> ? ~Word{0} : (Word{1} << bits) - 1;
}

// An element is read and written as a whole word where the buffer has room for one: `room` is what is left of
// it.
template <class Word>
Word read_element(const std::byte* at, std::size_t bytes, std::size_t room) {
  Word value = 0;
  if (room < sizeof value) {
    std::memcpy(&value, at, bytes);
    return value;
  }
  std::memcpy(&value, at, sizeof value);
  return value & mask_of<Word>(8 * bytes);
}

// The word's upper bytes spill into the next element, which must be written later.
template <class Word>
void write_element(Word value, std::byte* at, std::size_t bytes, std::size_t room) {
  if (room < sizeof value)
    std::memcpy(at, &value, bytes);
  else
    std::memcpy(at, &value, sizeof value);
}

// A loop over whole vectors.
TACIT_SIMD void mask_bytes(std::byte* bytes, const std::byte* pattern, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) bytes[k] &= pattern[k];
}

// sum[k] += or -= element k of every source; returns the bits seen in any element. The sums are done in
// pieces that stay in the first cache while the sources stream past.
template <class Word>
Word accumulate(const Ring<Word>& ring, std::span<const ConstBytes> sources, bool minus,
                std::span<Word> sum) {
  constexpr std::size_t piece = 1024;
  const std::size_t bytes = ring.element_bytes(), limit = packed_size(ring, sum.size());
  Word seen = 0;
  for (std::size_t from = 0; from < sum.size(); from += piece) {
    const std::size_t n = std::min(piece, sum.size() - from);
    for (std::size_t first = 0; first < sources.size(); first += kernels::most_sources) {
      const std::byte* at[kernels::most_sources] = {};
      const std::size_t count = std::min(kernels::most_sources, sources.size() - first);
      for (std::size_t s = 0; s < count; ++s) at[s] = sources[first + s].data() + from * bytes;
      const std::size_t done =
          kernels::accumulate(at, count, limit - from * bytes, bytes, n, minus, sum.data() + from, seen);
      for (std::size_t s = 0; s < count; ++s)
        for (std::size_t k = done; k < n; ++k) {
          const Word value = read_element<Word>(at[s] + k * bytes, bytes, limit - (from + k) * bytes);
          seen |= value;
          sum[from + k] = minus ? sum[from + k] - value : sum[from + k] + value;
        }
    }
  }
  return seen;
}

}  // namespace

template <class Word>
void pack_affine(const Ring<Word>& ring, std::uint64_t weight, std::span<const SignedOf<Word>> x,
                 std::span<const Word> shift, Bytes out) {
  const std::size_t bytes = ring.element_bytes();
  std::size_t k = 0;
  if constexpr (sizeof(Word) == 8)
    k = kernels::pack_affine(weight, x.data(), shift.data(), x.size(), bytes, mask_of<Word>(ring.bits()),
                             out.data());
  for (; k < x.size(); ++k) {
    const Word value = ring.reduce(static_cast<Word>(x[k]) * weight + shift[k]);
    write_element(value, out.data() + k * bytes, bytes, out.size() - k * bytes);
  }
}

template <class Word>
bool add_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum) {
  return (accumulate(ring, sources, false, sum) & ~mask_of<Word>(ring.bits())) == 0;
}

template <class Word>
void subtract_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum) {
  accumulate(ring, sources, true, sum);
}

template <class Word>
void fill_uniform(const Ring<Word>& ring, Prg& prg, Bytes out) {
  prg.fill(out);
  if (ring.bits() % 8 == 0) return;
  // Clears the bits above b, with a pattern of many elements at a time.
  constexpr std::size_t many = 64;
  const std::size_t bytes = ring.element_bytes(), period = many * bytes;
  std::byte pattern[many * sizeof(Word)];
  std::fill_n(pattern, period, std::byte{0xff});
  for (std::size_t k = 1; k <= many; ++k)
    pattern[k * bytes - 1] = static_cast<std::byte>(0xff >> (8 - ring.bits() % 8));
  while (!out.empty()) {
    const std::size_t n = std::min(out.size(), period);
    mask_bytes(out.data(), pattern, n);
    out = out.subspan(n);
  }
}

template void pack_affine(const Ring<Word64>&, std::uint64_t, std::span<const std::int64_t>,
                          std::span<const Word64>, Bytes);
template void pack_affine(const Ring<Word128>&, std::uint64_t, std::span<const Integer128>,
                          std::span<const Word128>, Bytes);
template bool add_packed(const Ring<Word64>&, std::span<const ConstBytes>, std::span<Word64>);
template bool add_packed(const Ring<Word128>&, std::span<const ConstBytes>, std::span<Word128>);
template void subtract_packed(const Ring<Word64>&, std::span<const ConstBytes>, std::span<Word64>);
template void subtract_packed(const Ring<Word128>&, std::span<const ConstBytes>, std::span<Word128>);
template void fill_uniform(const Ring<Word64>&, Prg&, Bytes);
template void fill_uniform(const Ring<Word128>&, Prg&, Bytes);

}  // namespace tacit
