#include "tacit/secrecy/pairwise.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

std::string first_bytes(Prg prg) {
  std::string out(32, '\0');
  prg.fill(std::as_writable_bytes(std::span(out)));
  return out;
}

TEST(Pairwise, OnlyTheTwoSidesGetTheSameStream) {
  Prg randomness = Prg::from_seed(1, "keys", 0);
  const KeyPair a(randomness), b(randomness), c(randomness);
  EXPECT_EQ(first_bytes(stream_of(a.agree(b.public_key(), pair_name(0, 1)), digest_of({}))),
            first_bytes(stream_of(b.agree(a.public_key(), pair_name(1, 0)), digest_of({}))));
  std::set<std::string> streams;
  // The whole digest counts, to its last byte.
  for (std::byte last : {std::byte{0}, std::byte{1}, std::byte{2}}) {
    Digest run{};
    run.back() = last;
    streams.insert(first_bytes(stream_of(a.agree(b.public_key(), pair_name(0, 1)), run)));
    streams.insert(first_bytes(stream_of(a.agree(c.public_key(), pair_name(0, 2)), run)));
    streams.insert(first_bytes(stream_of(b.agree(c.public_key(), pair_name(1, 2)), run)));
  }
  EXPECT_EQ(streams.size(), 9u);
}

// An agent that presents another agent's key as its own must not cause that agent's streams to be used twice.
TEST(Pairwise, TheSameKeysOfOtherAgentsGiveOtherStreams) {
  Prg randomness = Prg::from_seed(1, "keys", 0);
  const KeyPair a(randomness), b(randomness);
  EXPECT_NE(a.agree(b.public_key(), pair_name(0, 1)), a.agree(b.public_key(), pair_name(0, 2)));
  EXPECT_NE(a.agree(b.public_key(), {0, 1}), a.agree(b.public_key(), {1, 0}));
}

TEST(Pairwise, IsX25519) {
  // RFC 7748, section 6.1: Alice's private and public key.
  const unsigned char secret[] = {0x77, 0x07, 0x6d, 0x0a, 0x73, 0x18, 0xa5, 0x7d, 0x3c, 0x16, 0xc1,
                                  0x72, 0x51, 0xb2, 0x66, 0x45, 0xdf, 0x4c, 0x2f, 0x87, 0xeb, 0xc0,
                                  0x99, 0x2a, 0xb1, 0x77, 0xfb, 0xa5, 0x1d, 0xb9, 0x2c, 0x2a};
  const unsigned char expected[] = {0x85, 0x20, 0xf0, 0x09, 0x89, 0x30, 0xa7, 0x54, 0x74, 0x8b, 0x7d,
                                    0xdc, 0xb4, 0x3e, 0xf7, 0x5a, 0x0d, 0xbf, 0x3a, 0x0d, 0x26, 0x38,
                                    0x1a, 0xf4, 0xeb, 0xa4, 0xa9, 0x8e, 0xaa, 0x9b, 0x4e, 0x6a};
  const KeyPair alice{KeyPair::Secret(std::as_bytes(std::span(secret)))};
  EXPECT_EQ(std::memcmp(alice.public_key().data(), expected, sizeof expected), 0);
}

TEST(Pairwise, KeysThatWouldMakeThePairKeyPublicAreRefused) {
  Prg randomness = Prg::from_seed(1, "keys", 0);
  const KeyPair a(randomness);
  PublicKey zero{}, one{};
  one[0] = std::byte{1};
  EXPECT_THROW(a.agree(zero, pair_name(0, 1)), Error);
  EXPECT_THROW(a.agree(one, pair_name(0, 1)), Error);
}

TEST(Pairwise, AnIdentityHasAKeyToAgreeWith) {
  Prg randomness = Prg::from_seed(1, "identities", 0);
  const Identity a(randomness), b(randomness);
  EXPECT_EQ(agreement_pair(a).public_key(), agreement_key(a.public_key()));
  EXPECT_NE(agreement_key(a.public_key()), agreement_key(b.public_key()));
  EXPECT_EQ(agreement_pair(a).agree(agreement_key(b.public_key()), pair_name(0, 1)),
            agreement_pair(b).agree(agreement_key(a.public_key()), pair_name(0, 1)));
  EXPECT_THROW(agreement_key(IdentityKey{}), Error);
}

}  // namespace
}  // namespace tacit
