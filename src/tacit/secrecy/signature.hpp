// Ed25519 signatures (libsodium) under an agent's long-lived identity, and BLAKE2b digests.
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

class Identity {
 public:
  /// A fresh identity from 32 bytes of the stream.
  explicit Identity(Prg& randomness);
  /// The identity of a seed that was kept.
  using Seed = std::span<const std::byte, 32>;
  explicit Identity(Seed seed);

  const IdentityKey& public_key() const { return public_; }
  Signature sign(std::span<const std::byte> message) const;

  /// The X25519 secret that goes with this identity (pairwise.hpp).
  LockedVector<std::byte> agreement_secret() const;

 private:
  IdentityKey public_;
  LockedVector<std::byte> secret_;
};

/// True when the owner of `signer` has signed exactly this message.
bool verify(const IdentityKey& signer, std::span<const std::byte> message, const Signature& signature);

/// The digest of the parts one after the other, each with its length, so that no two lists of parts hash
/// the same bytes.
Digest digest_of(std::initializer_list<std::span<const std::byte>> parts);

/// The same of parts that come some bytes at a time.
class Digesting {
 public:
  Digesting();
  /// A part of so many bytes begins; they come by add().
  void part(std::uint64_t size);
  void add(std::span<const std::byte> bytes);
  void whole(std::span<const std::byte> part);
  Digest digest();

 private:
  crypto_generichash_state state_;
};

}  // namespace tacit
