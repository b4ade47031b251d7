#include "tacit/secrecy/signature.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace tacit {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Identity, SignaturesBindSignerAndMessage) {
  Prg prg = Prg::from_seed(1, "identity", 0);
  const Identity a(prg), b(prg);
  const Signature signature = a.sign(bytes("I take part"));
  EXPECT_TRUE(verify(a.public_key(), bytes("I take part"), signature));
  EXPECT_FALSE(verify(b.public_key(), bytes("I take part"), signature));
  EXPECT_FALSE(verify(a.public_key(), bytes("I take parts"), signature));
  Signature bent = signature;
  bent[40] ^= std::byte{1};
  EXPECT_FALSE(verify(a.public_key(), bytes("I take part"), bent));
}

// The first test vector of RFC 8032, section 7.1: an empty message.
TEST(Identity, ASeedGivesItsKnownIdentity) {
  const unsigned char seed[32] = {0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a,
                                  0xf4, 0x92, 0xec, 0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32,
                                  0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60};
  const Identity known{Identity::Seed(std::as_bytes(std::span(seed)))};
  EXPECT_EQ(known.public_key()[0], std::byte{0xd7});
  EXPECT_EQ(known.public_key()[31], std::byte{0x1a});
  const Signature signature = known.sign({});
  EXPECT_EQ(signature[0], std::byte{0xe5});
  EXPECT_EQ(signature[63], std::byte{0x0b});
}

TEST(Identity, DigestsTellPartsApart) {
  EXPECT_EQ(digest_of({bytes("ab"), bytes("c")}), digest_of({bytes("ab"), bytes("c")}));
  EXPECT_NE(digest_of({bytes("ab"), bytes("c")}), digest_of({bytes("a"), bytes("bc")}));
  EXPECT_NE(digest_of({bytes("abc")}), digest_of({bytes("abc"), bytes("")}));
}

}  // namespace
}  // namespace tacit
