// Keys that two agents agree on without meeting: X25519 (libsodium), hashed by BLAKE2b, for the streams of
// seeded masks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/signature.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

inline constexpr std::size_t public_key_bytes = 32;
using PublicKey = std::array<std::byte, public_key_bytes>;

/// Whose keys two are, said alike on both sides and of no other two.
using PairName = std::array<std::uint32_t, 2>;
/// The name of a pair of agents, in either order.
constexpr PairName pair_name(std::uint32_t a, std::uint32_t b) {
  return a < b ? PairName{a, b} : PairName{b, a};
}

/// What one pair has in common. Known to the two alone; never used as a stream itself.
using PairKey = LockedVector<std::byte>;

class KeyPair {
 public:
  using Secret = std::span<const std::byte, 32>;

  /// A fresh pair from 32 bytes of the stream.
  explicit KeyPair(Prg& randomness);
  /// The pair of a known secret.
  explicit KeyPair(Secret secret);

  const PublicKey& public_key() const { return public_; }

  /// The key in common with the owner of `theirs`: both sides get the same, bound to both public keys and to
  /// whose they are. Whoever shows another's public key for its own so changes no key of that other, and gets
  /// none twice. Throws Error for a key that no honest agent has, with which the result would not be secret.
  PairKey agree(const PublicKey& theirs, const PairName& whose) const;

 private:
  void derive();
  LockedVector<std::byte> secret_;
  PublicKey public_;
};

/// The keys that go with an identity, for those who know it already and need no other key of its owner.
KeyPair agreement_pair(const Identity& identity);
/// Its public half. Throws Error for an identity that no honest agent has.
PublicKey agreement_key(const IdentityKey& identity);

/// The pair's stream for one occasion, all of whose digest goes into it. Streams of different occasions are
/// independent.
Prg stream_of(const PairKey& key, const Digest& occasion);

}  // namespace tacit
