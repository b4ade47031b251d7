#include "tacit/protocol/consensus/update.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tacit {
namespace {

// One element at a time through Ring and Divider, which are tested separately.
template <class Word>
void check(unsigned bits, std::uint64_t d, std::uint64_t weight) {
  using Signed = SignedOf<Word>;
  const Ring<Word> ring(bits);
  const Divider<Word> divider(d);
  std::mt19937_64 random(bits + d);
  std::vector<Word> sum(37);
  std::vector<Signed> state(37), quantised(37);
  for (std::size_t k = 0; k < sum.size(); ++k) {
    quantised[k] = static_cast<Signed>(static_cast<std::int64_t>(random()) >> 34);
    state[k] = quantised[k] * static_cast<Signed>(d) + static_cast<Signed>(random() % d) / 2;
    sum[k] = static_cast<Word>(static_cast<std::int64_t>(random()) >> 30) +
             weight * static_cast<Word>(quantised[k]);
  }
  const Signed limit = Signed{1} << 58;
  auto expected_state = state, expected_quantised = quantised;
  for (std::size_t k = 0; k < sum.size(); ++k) {
    expected_state[k] += ring.balanced(sum[k] - weight * static_cast<Word>(quantised[k]));
    expected_quantised[k] = divider.nearest(expected_state[k]);
  }
  EXPECT_TRUE(
      update<Word>(ring, divider, weight, limit, sum.data(), state.data(), quantised.data(), sum.size()));
  EXPECT_TRUE(state == expected_state) << bits << " bits, D = " << d;
  EXPECT_TRUE(quantised == expected_quantised) << bits << " bits, D = " << d;
}

TEST(Update, AgreesWithOneAtATime) {
  for (unsigned bits : {36u, 40u, 49u, 57u, 60u, 64u})
    for (std::uint64_t d : {4ull, 10ull, 40ull, 168ull, 65536ull, 1048574ull}) {
      check<Word64>(bits, d, d * 2 / 5);
      check<Word128>(bits + 60, d, d * 2 / 5);
    }
}

TEST(Update, NoticesEveryStateBeyondTheLimit) {
  const Ring<Word64> ring(40);
  const Divider<Word64> divider(10);
  for (std::size_t at = 0; at < 11; ++at)
    for (std::int64_t sign : {-1, 1}) {
      std::vector<Word64> sum(11);
      std::vector<std::int64_t> state(11), quantised(11);
      state[at] = sign * 1000;
      EXPECT_TRUE(update<Word64>(ring, divider, 4, 100, sum.data(), state.data(), quantised.data(), 11));
      quantised.assign(11, 0);
      EXPECT_FALSE(update<Word64>(ring, divider, 4, 99, sum.data(), state.data(), quantised.data(), 11))
          << at;
    }
}

}  // namespace
}  // namespace tacit
