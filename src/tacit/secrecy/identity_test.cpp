#include "tacit/secrecy/identity.hpp"

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

TEST(Identity, DigestsTellPartsApart) {
  EXPECT_EQ(digest_of({bytes("ab"), bytes("c")}), digest_of({bytes("ab"), bytes("c")}));
  EXPECT_NE(digest_of({bytes("ab"), bytes("c")}), digest_of({bytes("a"), bytes("bc")}));
  EXPECT_NE(digest_of({bytes("abc")}), digest_of({bytes("abc"), bytes("")}));
}

}  // namespace
}  // namespace tacit
