#include "tacit/consortium/protect/row_kernel.hpp"

#include <bit>
#include <cstdint>

namespace tacit {
namespace {

// exp(x) for x ≤ 0, to about one unit in the last place: x = n log 2 + r with |r| ≤ 0.35, and the series of
// exp(r). The sum with `magic` rounds to an integer, which is then in the lowest bits.
inline double plain_exp(double x) {
  constexpr double magic = 0x1.8p52, log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33;
  x = x < -700 ? -700 : x;
  const double shifted = x * 0x1.71547652b82fep0 + magic;
  const double n = shifted - magic;
  const double r = (x - n * log2_high) - n * log2_low;
  double sum = 1.0 / 6227020800;
  sum = sum * r + 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  sum = sum * r + 1;
  sum = sum * r + 1;
  const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return sum * std::bit_cast<double>(power);
}

}  // namespace

void kernel_with_landmarks(const double* landmarks, Index count, Index dimensions, const double* x,
                           double variance, double* __restrict out) {
  for (Index j = 0; j < count; ++j) out[j] = 0;
  for (Index d = 0; d < dimensions; ++d) {
    const double* const at = landmarks + d * count;
    const double here = x[d];
    for (Index j = 0; j < count; ++j) out[j] += (at[j] - here) * (at[j] - here);
  }
  for (Index j = 0; j < count; ++j) out[j] = variance * plain_exp(-0.5 * out[j]);
}

void plain_product(const double* a, Index rows, Index columns, const double* v, double* __restrict out) {
  for (Index i = 0; i < rows; ++i) out[i] = 0;
  Index j = 0;
  for (; j + 4 <= columns; j += 4) {
    const double *const a0 = a + j * rows, *const a1 = a0 + rows, *const a2 = a1 + rows,
                        *const a3 = a2 + rows;
    for (Index i = 0; i < rows; ++i)
      out[i] += (a0[i] * v[j] + a1[i] * v[j + 1]) + (a2[i] * v[j + 2] + a3[i] * v[j + 3]);
  }
  for (; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) out[i] += a[j * rows + i] * v[j];
}

double plain_square(const double* v, Index size) {
  double part[4] = {};
  Index i = 0;
  for (; i + 4 <= size; i += 4)
    for (Index k = 0; k < 4; ++k) part[k] += v[i + k] * v[i + k];
  for (; i < size; ++i) part[0] += v[i] * v[i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace tacit
