#include "tacit/protocol/consensus/divider.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tacit {
namespace {

Integer128 nearest_by_long_division(Integer128 s, Integer128 d) {
  const Integer128 doubled = 2 * s + d;
  Integer128 q = doubled / (2 * d);
  if (q * 2 * d > doubled) --q;
  return q;
}

template <class Word>
void check(std::uint64_t d, std::mt19937_64& random) {
  using Signed = SignedOf<Word>;
  const Divider<Word> divider(d);
  auto agrees = [&](Signed s) {
    return divider.nearest(s) == nearest_by_long_division(s, static_cast<Integer128>(d));
  };
  const Signed most = (Signed{1} << (word_bits<Word> - 3)) - 1;
  for (int k = 0; k < 20000; ++k) {
    const Signed full = static_cast<Signed>((static_cast<Word128>(random()) << 64) | random());
    ASSERT_TRUE(agrees(full >> (3 + random() % (word_bits<Word> - 4)))) << "D = " << d;
  }
  for (Signed s : {Signed{0}, most, -most}) ASSERT_TRUE(agrees(s)) << "D = " << d;
  for (int q = -50; q <= 50; ++q)  // around the halves, where rounding changes
    for (int e = -1; e <= 1; ++e) {
      const Signed s = q * static_cast<Signed>(d) + static_cast<Signed>(d / 2) + e;
      ASSERT_TRUE(agrees(s) && (s > most / 2 || agrees(most / 2 - s))) << "D = " << d;
    }
}

TEST(Divider, AgreesWithLongDivision) {
  std::mt19937_64 random(1);
  for (std::uint64_t d :
       {2ull, 3ull, 4ull, 6ull, 10ull, 40ull, 12ull * 14, 65536ull, 65535ull, 1048574ull, 4294967295ull}) {
    check<Word64>(d, random);
    check<Word128>(d, random);
  }
}

TEST(Divider, HalvesGoUp) {
  const Divider<Word64> divider(10);
  EXPECT_EQ(divider.nearest(std::int64_t{5}), 1);
  EXPECT_EQ(divider.nearest(std::int64_t{-5}), 0);
  EXPECT_EQ(divider.nearest(std::int64_t{-15}), -1);
  EXPECT_EQ(divider.nearest(std::int64_t{4}), 0);
  EXPECT_EQ(divider.nearest(std::int64_t{-6}), -1);
}

}  // namespace
}  // namespace tacit
