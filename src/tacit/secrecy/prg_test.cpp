#include "tacit/secrecy/prg.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tacit {
namespace {

std::vector<std::byte> take(Prg& prg, std::size_t n) {
  std::vector<std::byte> out(n);
  prg.fill(out);
  return out;
}

TEST(Prg, IsAes256InCounterMode) {
  // AES-256 of the all-zero block under the all-zero key (NIST AESAVS), then of counter 1
  // (openssl enc -aes-256-ctr).
  const std::array<unsigned char, 32> expected = {
      0xdc, 0x95, 0xc0, 0x78, 0xa2, 0x40, 0x89, 0x89, 0xad, 0x48, 0xa2, 0x14, 0x92, 0x84, 0x20, 0x87,
      0x53, 0x0f, 0x8a, 0xfb, 0xc7, 0x45, 0x36, 0xb9, 0xa9, 0x63, 0xb4, 0xf1, 0xc4, 0xcb, 0x73, 0x8b};
  const std::array<std::byte, Prg::key_bytes> key{};
  Prg prg = Prg::from_key(key);
  const auto stream = take(prg, 32);
  for (std::size_t k = 0; k < 32; ++k)
    EXPECT_EQ(std::to_integer<int>(stream[k]), expected[k]) << "byte " << k;
}

TEST(Prg, StreamDoesNotDependOnHowItIsRead) {
  Prg once = Prg::from_seed(7, "test", 0), pieces = Prg::from_seed(7, "test", 0);
  const auto whole = take(once, 100000);
  std::vector<std::byte> joined;
  for (std::size_t n : {1u, 15u, 16u, 17u, 8191u, 8193u, 83567u})
    for (std::byte b : take(pieces, n)) joined.push_back(b);
  EXPECT_EQ(whole, joined);
}

TEST(Prg, LanesAreTheUpperHalfOfTheCounter) {
  Prg prg = Prg::from_seed(7, "test", 0), fresh = Prg::from_seed(7, "test", 0);
  take(prg, 1000);
  prg.go_to(0);
  EXPECT_EQ(take(prg, 100), take(fresh, 100));  // lane 0 is where a stream starts
  prg.go_to(5);
  take(prg, 7);
  prg.go_to(5);
  fresh.go_to(5);
  EXPECT_EQ(take(prg, 100), take(fresh, 100));
  fresh.go_to(5ull << 32);
  EXPECT_NE(take(prg, 100), take(fresh, 100));
  // AES-256 of the block 00..01 00..00 under the all-zero key (openssl enc -aes-256-ecb).
  const std::array<unsigned char, 16> expected = {0xf5, 0x95, 0x6e, 0xdf, 0x02, 0xbd, 0x36, 0xa4,
                                                  0x01, 0xbb, 0xb6, 0xce, 0x77, 0xc3, 0xd3, 0xfb};
  const std::array<std::byte, Prg::key_bytes> key{};
  Prg zero = Prg::from_key(key);
  zero.go_to(1);
  const auto stream = take(zero, 16);
  for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(std::to_integer<int>(stream[k]), expected[k]);
}

TEST(Prg, SeedPurposeAndIndexEachChangeTheStream) {
  Prg a = Prg::from_seed(7, "test", 0), b = Prg::from_seed(8, "test", 0), c = Prg::from_seed(7, "other", 0),
      d = Prg::from_seed(7, "test", 1);
  const auto first = take(a, 32);
  EXPECT_NE(first, take(b, 32));
  EXPECT_NE(first, take(c, 32));
  EXPECT_NE(first, take(d, 32));
}

TEST(Prg, TheOperatingSystemNeverGivesTheSameKeyTwice) {
  Prg a = Prg::from_os(), b = Prg::from_os();
  EXPECT_NE(take(a, 32), take(b, 32));
}

}  // namespace
}  // namespace tacit
