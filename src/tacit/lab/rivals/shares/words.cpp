#include "tacit/lab/rivals/shares/words.hpp"

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/simd.hpp"

namespace tacit::shares {

Word encode(double x, unsigned bits) {
  const double scaled = std::ldexp(x, static_cast<int>(bits));
  if (!(std::abs(scaled) < 0x1p62))
    throw Error("a number is too large for the fixed point of two servers; scale down the data");
  return static_cast<Word>(std::llround(scaled));
}

double decode(Word x, unsigned bits) {
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(x)), -static_cast<int>(bits));
}

TACIT_SIMD_PRODUCTS void add_scaled(std::span<Word> out, const Word* a, Word factor) {
  Word* const to = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) to[i] += a[i] * factor;
}

TACIT_SIMD_PRODUCTS void add_scaled(std::span<Word> out, const Word* a, Word factor_a, const Word* b,
                                    Word factor_b) {
  Word* const to = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) to[i] += a[i] * factor_a + b[i] * factor_b;
}

TACIT_SIMD_PRODUCTS void add_products(std::span<Word> out, const Word* a, const Word* b) {
  Word* const to = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) to[i] += a[i] * b[i];
}

TACIT_SIMD_PRODUCTS void add_products(std::span<Word> out, const Word* a, const Word* b, const Word* c,
                                      const Word* d) {
  Word* const to = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) to[i] += a[i] * b[i] + c[i] * d[i];
}

TACIT_SIMD void add_to(std::span<Word> out, WordsView a) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += a[i];
}

TACIT_SIMD void subtract_from(std::span<Word> out, WordsView a) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= a[i];
}

void add_product(std::span<Word> out, WordsView a, WordsView b, std::size_t k) {
  const std::size_t m = a.size() / k, n = b.size() / k;
  Words transposed(b.size());  // so that loops run over adjacent memory
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t l = 0; l < k; ++l) transposed[l * n + j] = b[j * k + l];
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < k; ++l)
      add_scaled(out.subspan(i * n, n), transposed.data() + l * n, a[i * k + l]);
}

}  // namespace tacit::shares
