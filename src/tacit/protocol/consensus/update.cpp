#include "tacit/protocol/consensus/update.hpp"

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/simd.hpp"

#if defined(TACIT_X86)
#include <immintrin.h>
#endif

namespace tacit {
namespace {

// Negative if a quantised state exceeds the limit on either side.
template <class Signed>
Signed room(Signed limit, Signed q) {
  return (limit - q) | (limit + q);
}

#if defined(TACIT_X86)

#define TACIT_AVX2 __attribute__((target("avx2")))

TACIT_AVX2 inline __m256i all(Word64 value) { return _mm256_set1_epi64x(static_cast<long long>(value)); }
TACIT_AVX2 inline __m256i upper(__m256i v) { return _mm256_srli_epi64(v, 32); }

// Processes four states at a time, with the formulas of Divider and Ring written explicitly: AVX2 has only
// 32-bit products, and the compiler does not detect that these suffice. Returns the number of states
// processed.
TACIT_AVX2 std::size_t update_avx2(const Ring<Word64>& ring, const Divider<Word64>& divider, Word64 weight,
                                   std::int64_t limit, const Word64* sum, std::int64_t* state,
                                   std::int64_t* quantised, std::size_t n, std::int64_t& worst) {
  const __m256i w = all(weight), keep = all(ring.reduce(~Word64{0})),
                sign = all(Word64{1} << (ring.bits() - 1));
  const __m256i m0 = all(divider.multiplier()), m1 = upper(m0), low = all(0xffffffff);
  const __m256i addend = all(divider.addend()), offset = all(divider.offset());
  const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(divider.shift()));
  const __m256i most = all(static_cast<Word64>(limit));
  __m256i bad = _mm256_setzero_si256();
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    auto* s_at = reinterpret_cast<__m256i*>(state + k);
    auto* q_at = reinterpret_cast<__m256i*>(quantised + k);
    const __m256i q = _mm256_loadu_si256(q_at);
    const __m256i weighted =
        _mm256_add_epi64(_mm256_mul_epu32(q, w), _mm256_slli_epi64(_mm256_mul_epu32(upper(q), w), 32));
    const __m256i total =
        _mm256_sub_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(sum + k)), weighted);
    const __m256i balanced = _mm256_sub_epi64(_mm256_xor_si256(_mm256_and_si256(total, keep), sign), sign);
    const __m256i s = _mm256_add_epi64(_mm256_loadu_si256(s_at), balanced);

    const __m256i u = _mm256_add_epi64(s, addend), u1 = upper(u);
    const __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(u1, m0), upper(_mm256_mul_epu32(u, m0)));
    const __m256i other = _mm256_add_epi64(_mm256_mul_epu32(u, m1), _mm256_and_si256(cross, low));
    const __m256i high =
        _mm256_add_epi64(_mm256_mul_epu32(u1, m1), _mm256_add_epi64(upper(cross), upper(other)));
    const __m256i next = _mm256_sub_epi64(_mm256_srl_epi64(high, shift), offset);

    bad = _mm256_or_si256(bad, _mm256_or_si256(_mm256_sub_epi64(most, next), _mm256_add_epi64(most, next)));
    _mm256_storeu_si256(s_at, s);
    _mm256_storeu_si256(q_at, next);
  }
  std::int64_t lanes[4];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), bad);
  worst |= lanes[0] | lanes[1] | lanes[2] | lanes[3];
  return k;
}

#endif

}  // namespace

template <class Word>
bool update(const Ring<Word>& ring, const Divider<Word>& divider, Word weight, SignedOf<Word> limit,
            const Word* sum, SignedOf<Word>* state, SignedOf<Word>* quantised, std::size_t n) {
  SignedOf<Word> worst = 0;
  std::size_t k = 0;
#if defined(TACIT_X86)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if constexpr (sizeof(Word) == 8)
    if (has_avx2) k = update_avx2(ring, divider, weight, limit, sum, state, quantised, n, worst);
#endif
  for (; k < n; ++k) {
    state[k] += ring.balanced(sum[k] - weight * static_cast<Word>(quantised[k]));
    quantised[k] = divider.nearest(state[k]);
    worst |= room(limit, quantised[k]);
  }
  return worst >= 0;
}

template <class Word>
QuantisedState<Word>::QuantisedState(const ConsensusPlan& plan, WipedVector<Signed> start)
    : ring(plan.modulus_bits),
      divider(plan.denominator),
      limit(static_cast<Signed>(std::floor(plan.state_bound / static_cast<long double>(plan.lz))) + 1),
      exact(std::move(start)),
      quantised(exact.size()) {
  for (std::size_t k = 0; k < exact.size(); ++k) quantised[k] = divider.nearest(exact[k] >> plan.guard_bits);
}

void check_range(bool within) {
  if (!within)
    throw Error(
        "the state left the range that the plan guarantees: an agent used values above the public bound, or "
        "another plan");
}

template <class Word>
void MetropolisUpdate<Word>::move(std::span<const Word> sum, std::uint64_t weight, std::size_t from) {
  check_range(update<Word>(state_.ring, state_.divider, weight, state_.limit, sum.data(),
                           state_.exact.data() + from, state_.quantised.data() + from, sum.size()));
}

template bool update(const Ring<Word64>&, const Divider<Word64>&, Word64, std::int64_t, const Word64*,
                     std::int64_t*, std::int64_t*, std::size_t);
template bool update(const Ring<Word128>&, const Divider<Word128>&, Word128, Integer128, const Word128*,
                     Integer128*, Integer128*, std::size_t);
template struct QuantisedState<Word64>;
template struct QuantisedState<Word128>;
template class MetropolisUpdate<Word64>;
template class MetropolisUpdate<Word128>;

}  // namespace tacit
