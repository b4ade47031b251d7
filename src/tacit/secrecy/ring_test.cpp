#include "tacit/secrecy/ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// The paper's definition: a mod q = a − ⌊(a + q/2)/q⌋ q, computed directly on small numbers.
std::int64_t paper_mod(std::int64_t a, std::int64_t q) {
  const std::int64_t shifted = a + q / 2;
  const std::int64_t floor = shifted >= 0 ? shifted / q : -((-shifted + q - 1) / q);
  return a - floor * q;
}

RC_GTEST_PROP(Ring, BalancedIsThePapersModulo, (std::int32_t value)) {
  const auto bits = *rc::gen::inRange(1u, 31u);
  RC_ASSERT(Ring<Word64>(bits).balanced(static_cast<Word64>(std::int64_t{value})) ==
            paper_mod(value, 1ll << bits));
  RC_ASSERT(Ring<Word128>(bits).balanced(static_cast<Word128>(Integer128{value})) ==
            paper_mod(value, 1ll << bits));
}

RC_GTEST_PROP(Ring, SumsAndProductsReduceTheSame, (std::uint64_t a, std::uint64_t b)) {
  const auto bits = *rc::gen::inRange(1u, 65u);
  const Ring<Word64> ring(bits);
  RC_ASSERT(ring.reduce(a + b) == ring.reduce(ring.reduce(a) + ring.reduce(b)));
  RC_ASSERT(ring.reduce(a * b) == ring.reduce(ring.reduce(a) * ring.reduce(b)));
  RC_ASSERT(ring.reduce(static_cast<Word64>(ring.balanced(a))) == ring.reduce(a));
}

TEST(Ring, EdgesOfTheBalancedRange) {
  const Ring<Word64> byte(8);
  EXPECT_EQ(byte.balanced(127), 127);
  EXPECT_EQ(byte.balanced(128), -128);
  EXPECT_EQ(byte.balanced(255), -1);
  const Ring<Word64> full(64);
  EXPECT_EQ(full.balanced(~0ull), -1);
  EXPECT_EQ(full.balanced(1ull << 63), INT64_MIN);
  const Ring<Word128> wide(128);
  EXPECT_TRUE(wide.balanced(~Word128{0}) == -1);
  const Ring<Word128> odd(97);
  EXPECT_TRUE(odd.balanced(Word128{1} << 96) == -(Integer128{1} << 96));
}

TEST(Ring, TakesTheFewestWholeBytes) {
  EXPECT_EQ(Ring<Word64>(1).element_bytes(), 1u);
  EXPECT_EQ(Ring<Word64>(8).element_bytes(), 1u);
  EXPECT_EQ(Ring<Word64>(9).element_bytes(), 2u);
  EXPECT_EQ(Ring<Word64>(40).element_bytes(), 5u);
  EXPECT_EQ(Ring<Word128>(128).element_bytes(), 16u);
}

TEST(Ring, RefusesAModulusThatDoesNotFit) {
  EXPECT_THROW(Ring<Word64>(0), InputError);
  EXPECT_THROW(Ring<Word64>(65), InputError);
  EXPECT_THROW(Ring<Word128>(129), InputError);
}

}  // namespace
}  // namespace tacit
