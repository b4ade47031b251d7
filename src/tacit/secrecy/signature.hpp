// Ed25519 signatures (libsodium) by an agent's long-lived identity, and BLAKE2b digests.
//
// Threads: several threads may use one Identity. A Digesting belongs to one thread at a time. Any thread
// may call the functions.
// Errors: Error if libsodium cannot start; std::bad_alloc. An invalid signature is not an error: verify
// returns false.
// Stopping: no function can be stopped. Each takes time proportional to the message.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

using IdentityKey = std::array<std::byte, 32>;
using Signature = std::array<std::byte, 64>;
using Digest = std::array<std::byte, 32>;

/// A signing key pair. The secret is kept in locked memory.
class Identity {
 public:
  /// Creates a fresh identity from the next 32 bytes of the stream.
  explicit Identity(Prg& randomness);
  /// Creates the identity of a stored seed.
  using Seed = std::span<const std::byte, 32>;
  explicit Identity(Seed seed);

  const IdentityKey& public_key() const { return public_; }
  /// Returns this identity's signature of the message.
  Signature sign(std::span<const std::byte> message) const;

  /// Returns the X25519 secret derived from this identity (agreement_pair in pairwise.hpp).
  LockedVector<std::byte> agreement_secret() const;

 private:
  IdentityKey public_;
  LockedVector<std::byte> secret_;
};

/// Returns true if `signature` is a valid signature of exactly this message by the owner of `signer`.
bool verify(const IdentityKey& signer, std::span<const std::byte> message, const Signature& signature);

/// Returns the digest of a list of parts. The length of each part is hashed, too, so that no two lists hash
/// the same bytes.
Digest digest_of(std::initializer_list<std::span<const std::byte>> parts);

/// Computes digest_of incrementally.
class Digesting {
 public:
  Digesting();
  /// Begins a part of `size` bytes, which follow by add().
  void part(std::uint64_t size);
  /// Adds the next bytes of the current part.
  void add(std::span<const std::byte> bytes);
  /// Adds a whole part.
  void whole(std::span<const std::byte> part);
  /// Returns the digest of all parts. Must be the last call.
  Digest digest();

 private:
  crypto_generichash_state state_;
};

}  // namespace tacit
