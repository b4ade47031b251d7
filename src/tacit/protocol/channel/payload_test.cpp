#include "tacit/protocol/channel/payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tacit {
namespace {

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

TEST(PayloadPool, WipesABufferWhenItComesBack) {
  PayloadPool pool;
  const std::byte* where = nullptr;
  {
    Payload secret = pool.take(1000);
    std::ranges::fill(secret.bytes(), std::byte{0x5a});
    where = secret.bytes().data();
  }
  const Payload next = pool.take(1000);
  EXPECT_EQ(next.bytes().data(), where) << "buffers should be reused";
  EXPECT_TRUE(all_zero(next.bytes()));
}

TEST(PayloadPool, ASmallMessageDoesNotTakeALargeBuffer) {
  PayloadPool pool;
  const std::byte* where = nullptr;
  {
    const Payload large = pool.take(1 << 20);
    where = large.bytes().data();
  }
  const Payload small = pool.take(10);
  const Payload large = pool.take(1 << 20);
  EXPECT_NE(small.bytes().data(), where);
  EXPECT_EQ(large.bytes().data(), where);
}

TEST(PayloadPool, EverySizeHasRoomAndLittleTooMuch) {
  PayloadPool pool;
  for (std::size_t size = 0; size < 70'000; size = size + 1 + size / 50) {
    const std::size_t before = pool.kept();
    {
      Payload payload = pool.take(size);
      EXPECT_EQ(payload.size(), size);
      std::ranges::fill(payload.bytes(), std::byte{1});  // the address sanitizer detects an overflow
    }
    EXPECT_LE(pool.kept() - before, std::max<std::size_t>(64, size + size / 4));
  }
}

TEST(PayloadPool, KeepsNoMoreThanItsCeiling) {
  PayloadPool pool(1 << 20);
  {
    std::vector<Payload> many;
    for (int k = 0; k < 10; ++k) many.push_back(pool.take(300'000));
    EXPECT_EQ(pool.kept(), 0u);
  }
  EXPECT_LE(pool.kept(), std::size_t{1} << 20);
  EXPECT_GE(pool.kept(), 600'000u);
}

}  // namespace
}  // namespace tacit
