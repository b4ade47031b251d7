#include "tacit/secrecy/shares.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace tacit {
namespace {

template <class Word>
struct Shared {
  std::vector<std::vector<std::byte>> sent;
  std::vector<Word> kept;
};

template <class Word>
Shared<Word> split(const Ring<Word>& ring, Prg& prg, std::vector<Word> m, std::size_t n) {
  Shared<Word> out{std::vector(n - 1, std::vector<std::byte>(packed_size(ring, m.size()))), std::move(m)};
  std::vector<Bytes> buffers(out.sent.begin(), out.sent.end());
  share<Word>(ring, prg, buffers, out.kept);
  return out;
}

RC_GTEST_PROP(Share, SharesSumToTheMessage, (std::vector<std::uint64_t> message, std::uint64_t seed)) {
  const auto bits = *rc::gen::inRange(1u, 65u);
  const auto n = *rc::gen::inRange<std::size_t>(1, 9);
  const Ring<Word64> ring(bits);
  Prg prg = Prg::from_seed(seed, "share", 0);
  const auto shared = split(ring, prg, message, n);
  auto sum = shared.kept;
  const std::vector<ConstBytes> sources(shared.sent.begin(), shared.sent.end());
  add_packed<Word64>(ring, sources, sum);
  for (std::size_t k = 0; k < message.size(); ++k) RC_ASSERT(ring.reduce(sum[k]) == ring.reduce(message[k]));
}

TEST(Share, ZeroSharesSumToZeroWhateverWasKept) {
  const Ring<Word128> ring(77);
  Prg prg = Prg::from_seed(1, "zero", 0);
  std::vector<Word128> kept(2500, Word128{99});
  std::vector<std::vector<std::byte>> sent(5, std::vector<std::byte>(packed_size(ring, kept.size())));
  const std::vector<Bytes> buffers(sent.begin(), sent.end());
  share_zero<Word128>(ring, prg, buffers, kept);
  const std::vector<ConstBytes> sources(sent.begin(), sent.end());
  add_packed<Word128>(ring, sources, kept);
  for (Word128 k : kept) ASSERT_TRUE(ring.reduce(k) == 0);
}

// Returns the largest chi-square statistic (one degree of freedom) over all b bit positions of the samples.
template <class Word>
double worst_bit(const Ring<Word>& ring, const std::vector<Word>& samples) {
  const double n = static_cast<double>(samples.size());
  double worst = 0;
  for (unsigned bit = 0; bit < ring.bits(); ++bit) {
    const double ones = static_cast<double>(
        std::count_if(samples.begin(), samples.end(), [&](Word s) { return (ring.reduce(s) >> bit) & 1; }));
    worst = std::max(worst, (ones - n / 2) * (ones - n / 2) / (n / 4));
  }
  return worst;
}

// A uniform source exceeds it with probability 1e-9. The streams here are seeded, so the outcome never
// changes.
constexpr double limit = 37.3;
constexpr std::size_t samples = 20000;

template <class Word>
std::vector<Word> unpacked(const Ring<Word>& ring, const std::vector<std::byte>& bytes) {
  std::vector<Word> out(bytes.size() / ring.element_bytes());
  const ConstBytes source = bytes;
  add_packed<Word>(ring, std::span(&source, 1), out);
  return out;
}

template <class Word>
void check_uniform(unsigned bits) {
  const Ring<Word> ring(bits);
  Prg prg = Prg::from_seed(3, "uniformity", bits);
  // All elements of the message are equal. The shares must not reveal that.
  const auto shared = split(ring, prg, std::vector<Word>(samples, Word{5}), 4);
  for (const auto& bytes : shared.sent)
    EXPECT_LT(worst_bit(ring, unpacked(ring, bytes)), limit) << "bits " << bits;
  EXPECT_LT(worst_bit(ring, shared.kept), limit) << "the kept share, bits " << bits;
}

TEST(Share, EveryBitOfEveryShareIsUniform) {
  for (unsigned bits = 1; bits <= 64; ++bits) check_uniform<Word64>(bits);
  for (unsigned bits = 65; bits <= 128; ++bits) check_uniform<Word128>(bits);
}

TEST(Share, ControlUnsharedMessageFailsTheUniformityTest) {
  const Ring<Word64> ring(40);
  Prg prg = Prg::from_seed(3, "control", 0);
  EXPECT_GT(worst_bit(ring, split(ring, prg, std::vector<Word64>(samples, 5), 1).kept), limit);
}

TEST(Share, ControlOneStuckBitFailsTheUniformityTest) {
  // Shares drawn from a ring that is one bit too small: only the highest bit is wrong.
  const Ring<Word64> ring(40), smaller(39);
  Prg prg = Prg::from_seed(3, "control", 1);
  std::vector<std::byte> bytes(packed_size(ring, samples));
  prg.fill(bytes);
  auto values = unpacked(ring, bytes);
  EXPECT_LT(worst_bit(ring, values), limit);
  for (Word64& value : values) value = smaller.reduce(value);
  EXPECT_GT(worst_bit(ring, values), limit);
}

TEST(Share, ControlSlightBiasFailsTheUniformityTest) {
  // One bit that is set with probability 17/32 instead of 1/2.
  const Ring<Word64> ring(16);
  Prg prg = Prg::from_seed(3, "control", 2);
  std::vector<std::byte> bytes(packed_size(ring, samples)), coin(samples);
  prg.fill(bytes);
  prg.fill(coin);
  auto values = unpacked(ring, bytes);
  for (std::size_t k = 0; k < samples; ++k)
    if ((coin[k] & std::byte{0xf}) == std::byte{0}) values[k] |= 1u << 9;
  EXPECT_GT(worst_bit(ring, values), limit);
}

}  // namespace
}  // namespace tacit
