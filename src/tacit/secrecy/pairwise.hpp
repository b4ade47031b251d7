// Key agreement between two agents: X25519 (libsodium), hashed by BLAKE2b. The keys seed the streams of
// pairwise masks.
//
// Threads: several threads may use one KeyPair. Any thread may call the functions.
// Errors: Error for a key that must not be used, or if libsodium cannot start; std::bad_alloc.
// Stopping: no function runs long.
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

/// Identifies a pair of key owners: the same on both sides, different for any other pair.
using PairName = std::array<std::uint32_t, 2>;
/// Returns the name of a pair of agents. The order of `a` and `b` does not matter.
constexpr PairName pair_name(std::uint32_t a, std::uint32_t b) {
  return a < b ? PairName{a, b} : PairName{b, a};
}

/// The secret that the two members of a pair share. It is a key for stream_of, never the key of a stream.
using PairKey = LockedVector<std::byte>;

/// An X25519 key pair. The secret is kept in locked memory.
class KeyPair {
 public:
  using Secret = std::span<const std::byte, 32>;

  /// Creates a fresh pair from the next 32 bytes of the stream.
  explicit KeyPair(Prg& randomness);
  /// Creates the pair of a known secret.
  explicit KeyPair(Secret secret);

  const PublicKey& public_key() const { return public_; }

  /// Returns the key shared with the owner of `theirs`. Both sides compute the same key, which is bound to
  /// both public keys and to `whose`. An agent that presents another agent's public key as its own therefore
  /// neither changes a key of that agent nor causes a key to be used twice. Throws Error if `theirs` has
  /// small order, as the shared key would be public.
  PairKey agree(const PublicKey& theirs, const PairName& whose) const;

 private:
  void derive();
  LockedVector<std::byte> secret_;
  PublicKey public_;
};

/// Returns the key pair that is derived from an identity. Peers that know the identity need no further key.
KeyPair agreement_pair(const Identity& identity);
/// Returns the public half of agreement_pair. Throws Error if the identity is not a point of the curve.
PublicKey agreement_key(const IdentityKey& identity);

/// Returns the pair's stream for one occasion, identified by its digest. All bytes of the digest enter the
/// stream's key. Streams of different occasions are independent.
Prg stream_of(const PairKey& key, const Digest& occasion);

}  // namespace tacit
