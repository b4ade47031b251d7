#include "tacit/secrecy/discrete_gaussian.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/ring.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {
namespace {

// Bytes of the stream, taken from it a block at a time and wiped at the end.
class RandomBits {
 public:
  explicit RandomBits(Prg& stream) : stream_(stream), block_(512), next_(block_.size()) {}

  std::uint64_t word() {
    if (next_ == block_.size()) {
      stream_.fill(block_);
      next_ = 0;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, &block_[next_], sizeof word);
    next_ += sizeof word;
    return word;
  }

  /// Returns a uniform number below `end`, by rejection.
  Word128 below(Word128 end) {
    const Word128 most = end - 1;
    const auto high = static_cast<std::uint64_t>(most >> 64), low = static_cast<std::uint64_t>(most);
    const std::uint64_t high_mask = high ? ~std::uint64_t{0} >> std::countl_zero(high) : 0;
    const std::uint64_t low_mask = high  ? ~std::uint64_t{0}
                                   : low ? ~std::uint64_t{0} >> std::countl_zero(low)
                                         : 0;
    for (;;) {
      Word128 drawn = word() & low_mask;
      if (high_mask) drawn |= Word128{word() & high_mask} << 64;
      if (drawn < end) return drawn;
    }
  }

 private:
  Prg& stream_;
  WipedVector<std::byte> block_;
  std::size_t next_;
};

// Bernoulli(exp(-a/b)) for a ≤ b: the first lines of algorithm 1. Bernoulli(a/(bk)) is drawn as the product
// of Bernoulli(a/b) and Bernoulli(1/k), so that b·k need not fit.
bool exp_of_fraction(RandomBits& bits, Word128 a, Word128 b) {
  std::uint64_t k = 1;
  while (bits.below(b) < a && bits.below(k) == 0) ++k;
  return k % 2 == 1;
}

// Bernoulli(exp(-a/b)): algorithm 1.
bool exp_of(RandomBits& bits, Word128 a, Word128 b) {
  for (; a > b; a -= b)
    if (!exp_of_fraction(bits, 1, 1)) return false;
  return exp_of_fraction(bits, a, b);
}

// The absolute value of the discrete Laplace distribution of scale t, with its sign: algorithm 2.
struct Signed {
  std::uint64_t size;
  bool negative;
};

std::optional<Signed> discrete_laplace(RandomBits& bits, std::uint64_t t) {
  const auto u = static_cast<std::uint64_t>(bits.below(t));
  if (!exp_of_fraction(bits, u, t)) return std::nullopt;
  std::uint64_t v = 0;
  while (exp_of_fraction(bits, 1, 1)) ++v;
  const std::uint64_t size = u + t * v;
  const bool negative = bits.word() & 1;
  if (negative && size == 0) return std::nullopt;  // so that 0 is not counted twice
  return Signed{size, negative};
}

// ⌊√n⌋.
std::uint64_t floor_root(std::uint64_t n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit; bit >>= 1)
    if ((root + bit) * (root + bit) <= n) root += bit;
  return root;
}

}  // namespace

DiscreteGaussian::DiscreteGaussian(std::uint64_t variance)
    : variance_(variance), scale_(floor_root(variance) + 1) {
  if (variance == 0 || variance > most_variance)
    throw InputError(
        fmt::format("the variance of a discrete Gaussian must be 1 to {}, not {}", most_variance, variance));
}

void DiscreteGaussian::draw(Prg& randomness, std::span<std::int64_t> out) const {
  RandomBits bits(randomness);
  // Algorithm 3 accepts y with probability exp(-(|y| - σ²/t)²/(2σ²)) = exp(-(|y|t - σ²)²/(2σ²t²)). A |y|
  // beyond 2^15 scales, of probability exp(-2^15), is rejected: then all products are below 2^127.
  const Word128 denominator = Word128{2} * variance_ * scale_ * scale_;
  for (std::int64_t& drawn : out) {
    for (;;) {
      const std::optional<Signed> y = discrete_laplace(bits, scale_);
      if (!y || y->size > scale_ << 15) continue;
      const Word128 product = Word128{y->size} * scale_;
      const Word128 distance = product > variance_ ? product - variance_ : variance_ - product;
      if (!exp_of(bits, distance * distance, denominator)) continue;
      drawn = y->negative ? -static_cast<std::int64_t>(y->size) : static_cast<std::int64_t>(y->size);
      break;
    }
  }
}

}  // namespace tacit
