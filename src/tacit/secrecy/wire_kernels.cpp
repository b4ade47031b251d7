#include "tacit/secrecy/wire_kernels.hpp"

#include "tacit/base/simd.hpp"

#if defined(TACIT_X86)

#include <immintrin.h>

#include <array>

// The file is compiled for any x86-64. Only functions marked TACIT_AVX2 use AVX2, after a check for support.
#define TACIT_AVX2 __attribute__((target("avx2")))
#define TACIT_INLINE inline __attribute__((always_inline))

namespace tacit::kernels {
namespace {

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

using Order = std::array<std::uint8_t, 16>;
constexpr std::uint8_t zero = 0x80;  // selects a zero byte in a shuffle

TACIT_AVX2 __m256i both_halves(const Order& order) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(order.data())));
}

// Loads two vectors of 16 bytes into one of 32.
TACIT_AVX2 TACIT_INLINE __m256i load_pair(const std::byte* low, const std::byte* high) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
}

// Four elements of at most 8 bytes at a time: two in each half of a register, spread to 64 bits by a shuffle.
template <std::size_t sources, Into into>
TACIT_AVX2 std::size_t accumulate_64(const std::byte* const* source, std::size_t limit, std::size_t bytes,
                                     std::size_t n, Word64* sum) {
  constexpr bool minus = into != Into::add, fresh = into == Into::negate;
  Order order;
  for (std::size_t k = 0; k < 16; ++k)
    order[k] = static_cast<std::uint8_t>(k % 8 < bytes ? k / 8 * bytes + k % 8 : zero);
  const __m256i spread = both_halves(order);
  std::array<const std::byte*, sources> at;  // a local copy without aliases, so that it stays in registers
  for (std::size_t s = 0; s < sources; ++s) at[s] = source[s];
  std::size_t k = 0;
  for (std::size_t end = 2 * bytes + 16; k + 4 <= n && end <= limit; k += 4, end += 4 * bytes) {
    auto* target = reinterpret_cast<__m256i*>(sum + k);
    __m256i total = fresh ? _mm256_setzero_si256() : _mm256_loadu_si256(target);
    for (std::size_t s = 0; s < sources; ++s) {
      const __m256i value = _mm256_shuffle_epi8(load_pair(at[s], at[s] + 2 * bytes), spread);
      at[s] += 4 * bytes;
      total = minus ? _mm256_sub_epi64(total, value) : _mm256_add_epi64(total, value);
    }
    _mm256_storeu_si256(target, total);
  }
  return k;
}

// Two elements of 9 to 16 bytes at a time. A low half has a carry if the sum is less than the summand.
template <std::size_t sources, Into into>
TACIT_AVX2 std::size_t accumulate_128(const std::byte* const* source, std::size_t limit, std::size_t bytes,
                                      std::size_t n, Word128* sum) {
  constexpr bool minus = into != Into::add, fresh = into == Into::negate;
  Order order;
  for (std::size_t k = 0; k < 16; ++k) order[k] = static_cast<std::uint8_t>(k < bytes ? k : zero);
  const __m256i spread = both_halves(order), top = _mm256_set1_epi64x(static_cast<long long>(1ull << 63));
  std::array<const std::byte*, sources> at;
  for (std::size_t s = 0; s < sources; ++s) at[s] = source[s];
  std::size_t k = 0;
  for (std::size_t end = bytes + 16; k + 2 <= n && end <= limit; k += 2, end += 2 * bytes) {
    auto* target = reinterpret_cast<__m256i*>(sum + k);
    __m256i total = fresh ? _mm256_setzero_si256() : _mm256_loadu_si256(target);
    for (std::size_t s = 0; s < sources; ++s) {
      const __m256i value = _mm256_shuffle_epi8(load_pair(at[s], at[s] + bytes), spread);
      at[s] += 2 * bytes;
      // Unsigned a < b is signed (a ^ top) < (b ^ top). The comparison gives all ones where the low half
      // overflows or underflows; the shift moves them to the high half.
      const __m256i next = minus ? _mm256_sub_epi64(total, value) : _mm256_add_epi64(total, value);
      const __m256i smaller = _mm256_xor_si256(minus ? total : next, top);
      const __m256i carry = _mm256_slli_si256(_mm256_cmpgt_epi64(_mm256_xor_si256(value, top), smaller), 8);
      total = minus ? _mm256_add_epi64(next, carry) : _mm256_sub_epi64(next, carry);
    }
    _mm256_storeu_si256(target, total);
  }
  return k;
}

template <std::size_t sources, Into into, class Word>
std::size_t accumulate_as(const std::byte* const* source, std::size_t limit, std::size_t bytes, std::size_t n,
                          Word* sum) {
  if constexpr (sizeof(Word) == 8)
    return accumulate_64<sources, into>(source, limit, bytes, n, sum);
  else
    return accumulate_128<sources, into>(source, limit, bytes, n, sum);
}

template <std::size_t sources, class Word>
std::size_t accumulate_n(Into into, const std::byte* const* source, std::size_t limit, std::size_t bytes,
                         std::size_t n, Word* sum) {
  switch (into) {
    case Into::add:
      return accumulate_as<sources, Into::add>(source, limit, bytes, n, sum);
    case Into::subtract:
      return accumulate_as<sources, Into::subtract>(source, limit, bytes, n, sum);
    default:
      return accumulate_as<sources, Into::negate>(source, limit, bytes, n, sum);
  }
}

template <class Word>
std::size_t accumulate_any(Into into, const std::byte* const* source, std::size_t sources, std::size_t limit,
                           std::size_t bytes, std::size_t n, Word* sum) {
  switch (has_avx2() ? sources : 0) {
    case 1:
      return accumulate_n<1>(into, source, limit, bytes, n, sum);
    case 2:
      return accumulate_n<2>(into, source, limit, bytes, n, sum);
    case 3:
      return accumulate_n<3>(into, source, limit, bytes, n, sum);
    case 4:
      return accumulate_n<4>(into, source, limit, bytes, n, sum);
    default:
      return 0;
  }
}

TACIT_AVX2 std::size_t pack_affine_avx2(std::uint64_t weight, const std::int64_t* x, const Word64* shift,
                                        std::size_t n, std::size_t bytes, std::byte* out) {
  Order order;
  for (std::size_t k = 0; k < 16; ++k)
    order[k] = static_cast<std::uint8_t>(k < 2 * bytes ? k / bytes * 8 + k % bytes : zero);
  const __m256i gather = both_halves(order), w = _mm256_set1_epi64x(static_cast<long long>(weight));
  std::size_t k = 0;
  for (; k + 4 <= n && (k + 2) * bytes + 16 <= n * bytes; k += 4) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + k));
    // AVX2 has no 64-bit product, but two 32-bit products give one modulo 2^64.
    const __m256i high = _mm256_slli_epi64(_mm256_mul_epu32(_mm256_srli_epi64(v, 32), w), 32);
    const __m256i product = _mm256_add_epi64(_mm256_mul_epu32(v, w), high);
    const __m256i sum =
        _mm256_add_epi64(product, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(shift + k)));
    const __m256i packed = _mm256_shuffle_epi8(sum, gather);
    // Each store writes beyond its two elements; the next store overwrites the excess.
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + k * bytes), _mm256_castsi256_si128(packed));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + (k + 2) * bytes), _mm256_extracti128_si256(packed, 1));
  }
  return k;
}

}  // namespace

std::size_t accumulate(Into into, const std::byte* const* source, std::size_t sources, std::size_t limit,
                       std::size_t bytes, std::size_t n, Word64* sum) {
  return accumulate_any(into, source, sources, limit, bytes, n, sum);
}

std::size_t accumulate(Into into, const std::byte* const* source, std::size_t sources, std::size_t limit,
                       std::size_t bytes, std::size_t n, Word128* sum) {
  return accumulate_any(into, source, sources, limit, bytes, n, sum);
}

std::size_t pack_affine(std::uint64_t weight, const std::int64_t* x, const Word64* shift, std::size_t n,
                        std::size_t bytes, std::byte* out) {
  return has_avx2() ? pack_affine_avx2(weight, x, shift, n, bytes, out) : 0;
}

}  // namespace tacit::kernels

#else

namespace tacit::kernels {

std::size_t accumulate(Into, const std::byte* const*, std::size_t, std::size_t, std::size_t, std::size_t,
                       Word64*) {
  return 0;
}
std::size_t accumulate(Into, const std::byte* const*, std::size_t, std::size_t, std::size_t, std::size_t,
                       Word128*) {
  return 0;
}
std::size_t pack_affine(std::uint64_t, const std::int64_t*, const Word64*, std::size_t, std::size_t,
                        std::byte*) {
  return 0;
}

}  // namespace tacit::kernels

#endif
