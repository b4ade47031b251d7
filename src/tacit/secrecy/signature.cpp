#include "tacit/secrecy/signature.hpp"

#include <sodium.h>

#include <cstdint>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/sodium_bytes.hpp"

namespace tacit {
namespace {

static_assert(crypto_sign_SEEDBYTES == 32 && sizeof(IdentityKey) == crypto_sign_PUBLICKEYBYTES &&
              sizeof(Signature) == crypto_sign_BYTES);

LockedVector<std::byte> drawn(Prg& randomness) {
  LockedVector<std::byte> seed(crypto_sign_SEEDBYTES);
  randomness.fill(seed);
  return seed;
}

}  // namespace

Identity::Identity(Prg& randomness) : Identity(Seed(drawn(randomness))) {}

Identity::Identity(Seed seed) : secret_(crypto_sign_SECRETKEYBYTES) {
  if (sodium_init() < 0) throw Error("libsodium could not be started; check its installation");
  crypto_sign_seed_keypair(to(public_), to(secret_), from(seed));
}

Signature Identity::sign(std::span<const std::byte> message) const {
  Signature signature;
  crypto_sign_detached(to(signature), nullptr, from(message), message.size(), from(secret_));
  return signature;
}

LockedVector<std::byte> Identity::agreement_secret() const {
  LockedVector<std::byte> secret(crypto_scalarmult_curve25519_BYTES);
  crypto_sign_ed25519_sk_to_curve25519(to(secret), from(secret_));
  return secret;
}

bool verify(const IdentityKey& signer, std::span<const std::byte> message, const Signature& signature) {
  return crypto_sign_verify_detached(from(signature), from(message), message.size(), from(signer)) == 0;
}

Digesting::Digesting() { crypto_generichash_init(&state_, nullptr, 0, sizeof(Digest)); }

void Digesting::part(std::uint64_t size) { add(std::as_bytes(std::span(&size, 1))); }

void Digesting::add(std::span<const std::byte> bytes) {
  crypto_generichash_update(&state_, from(bytes), bytes.size());
}

void Digesting::whole(std::span<const std::byte> bytes) {
  part(bytes.size());
  add(bytes);
}

Digest Digesting::digest() {
  Digest digest;
  crypto_generichash_final(&state_, to(digest), digest.size());
  return digest;
}

Digest digest_of(std::initializer_list<std::span<const std::byte>> parts) {
  Digesting all;
  for (const auto& part : parts) all.whole(part);
  return all.digest();
}

}  // namespace tacit
