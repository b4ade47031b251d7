#include "tacit/secrecy/wire.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "tacit/secrecy/wire_kernels.hpp"

namespace tacit {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are read and written as native words");

template <class Word>
Word mask_of(std::size_t bits) {
  return bits >= word_bits<Word> ? ~Word{0} : (Word{1} << bits) - 1;
}

// Elements are read and written as whole words where the rest of the buffer, `room` bytes, is large enough.
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

// The word's upper bytes overwrite the start of the next element, which must therefore be written later.
template <class Word>
void write_element(Word value, std::byte* at, std::size_t bytes, std::size_t room) {
  if (room < sizeof value)
    std::memcpy(at, &value, bytes);
  else
    std::memcpy(at, &value, sizeof value);
}

using kernels::Into;

// sum += Σ, -= Σ or = -Σ over the sources. The sum is divided into pieces that stay in the first-level cache
// while all sources are read.
template <class Word>
void accumulate(const Ring<Word>& ring, Into how, std::span<const ConstBytes> sources, std::span<Word> sum) {
  constexpr std::size_t piece = 1024;
  const std::size_t bytes = ring.element_bytes(), limit = packed_size(ring, sum.size());
  if (sources.empty() && how == Into::negate) std::fill(sum.begin(), sum.end(), Word{0});
  for (std::size_t from = 0; from < sum.size(); from += piece) {
    const std::size_t n = std::min(piece, sum.size() - from);
    Into into = how;
    for (std::size_t first = 0; first < sources.size(); first += kernels::most_sources) {
      const std::byte* at[kernels::most_sources] = {};
      const std::size_t count = std::min(kernels::most_sources, sources.size() - first);
      for (std::size_t s = 0; s < count; ++s) at[s] = sources[first + s].data() + from * bytes;
      Word* part = sum.data() + from;
      std::size_t k = kernels::accumulate(into, at, count, limit - from * bytes, bytes, n, part);
      for (; k < n; ++k) {
        Word total = 0;
        for (std::size_t s = 0; s < count; ++s)
          total += read_element<Word>(at[s] + k * bytes, bytes, limit - (from + k) * bytes);
        part[k] = into == Into::add ? part[k] + total : (into == Into::negate ? 0 : part[k]) - total;
      }
      if (into == Into::negate) into = Into::subtract;  // for the remaining sources
    }
  }
}

}  // namespace

template <class Word>
void pack_affine(const Ring<Word>& ring, std::uint64_t weight, std::span<const SignedOf<Word>> x,
                 std::span<const Word> shift, Bytes out) {
  const std::size_t bytes = ring.element_bytes();
  std::size_t k = 0;
  if constexpr (sizeof(Word) == 8)
    k = kernels::pack_affine(weight, x.data(), shift.data(), x.size(), bytes, out.data());
  for (; k < x.size(); ++k) {
    const Word value = static_cast<Word>(x[k]) * weight + shift[k];
    write_element(value, out.data() + k * bytes, bytes, out.size() - k * bytes);
  }
}

template <class Word>
void add_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum) {
  accumulate(ring, Into::add, sources, sum);
}

template <class Word>
void subtract_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum) {
  accumulate(ring, Into::subtract, sources, sum);
}

template <class Word>
void negate_packed(const Ring<Word>& ring, std::span<const ConstBytes> sources, std::span<Word> sum) {
  accumulate(ring, Into::negate, sources, sum);
}

template void pack_affine(const Ring<Word64>&, std::uint64_t, std::span<const std::int64_t>,
                          std::span<const Word64>, Bytes);
template void pack_affine(const Ring<Word128>&, std::uint64_t, std::span<const Integer128>,
                          std::span<const Word128>, Bytes);
template void add_packed(const Ring<Word64>&, std::span<const ConstBytes>, std::span<Word64>);
template void add_packed(const Ring<Word128>&, std::span<const ConstBytes>, std::span<Word128>);
template void subtract_packed(const Ring<Word64>&, std::span<const ConstBytes>, std::span<Word64>);
template void subtract_packed(const Ring<Word128>&, std::span<const ConstBytes>, std::span<Word128>);
template void negate_packed(const Ring<Word64>&, std::span<const ConstBytes>, std::span<Word64>);
template void negate_packed(const Ring<Word128>&, std::span<const ConstBytes>, std::span<Word128>);

}  // namespace tacit
