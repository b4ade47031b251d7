#include "tacit/protocol/consensus/units.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>

namespace tacit {
namespace {

// A type with enough bits for any product of a count and a unit.
using Wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>>;

Wide wide(Integer128 count) {
  const Wide upper = static_cast<std::int64_t>(count >> 64);
  return ldexp(upper, 64) + Wide(static_cast<std::uint64_t>(count));
}

TEST(Units, CountsBeyondALongDoubleAreRoundedOnce) {
  // Just above the midpoint of two doubles; if rounded to 64 bits first, it would be the midpoint and be
  // rounded down.
  const Integer128 middle = (Integer128{1} << 75) + (Integer128{1} << 22);
  EXPECT_EQ(in_reals(middle + 1, 1), 0x1p75 + 0x1p23);
  EXPECT_EQ(in_reals(middle - 1, 1), 0x1p75);
  EXPECT_EQ(in_reals(-middle - 1, 0x1p-40L), -0x1p35 - 0x1p-17);
}

TEST(Units, GiveTheDoubleNearestToTheProduct) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 20'000; ++k) {
    const auto bits = static_cast<unsigned>(random() % 126);
    Integer128 count = static_cast<Integer128>((Word128{random()} << 64 | random()) >> (127 - bits));
    if (random() % 2) count = -count;
    const double unit =
        std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, static_cast<int>(random() % 200) - 100);
    const double nearest = static_cast<double>(wide(count) * Wide(unit));
    EXPECT_EQ(in_reals(count, unit), nearest) << bits << " bits, unit " << unit;
  }
}

TEST(Units, EndsOfTheRange) {
  EXPECT_EQ(in_reals(0, 3), 0);
  EXPECT_EQ(in_reals(7, 0.5), 3.5);
  EXPECT_EQ(in_reals(Integer128{1} << 100, 0x1p1000L), INFINITY);
}

}  // namespace
}  // namespace tacit
