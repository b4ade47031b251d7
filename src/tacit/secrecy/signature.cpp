#include "tacit/secrecy/signature.hpp"

#include <sodium.h>

#include <cstdint>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

static_assert(crypto_sign_SEEDBYTES == 32 && sizeof(IdentityKey) == crypto_sign_PUBLICKEYBYTES &&
              sizeof(Signature) == crypto_sign_BYTES);

unsigned char* to(std::span<std::byte> bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }
const unsigned char* from(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

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

bool verify(const IdentityKey& signer, std::span<const std::byte> message, const Signature& signature) {
  return crypto_sign_verify_detached(from(signature), from(message), message.size(), from(signer)) == 0;
}

Digest digest_of(std::initializer_list<std::span<const std::byte>> parts) {
  crypto_generichash_state state;
  Digest digest;
  crypto_generichash_init(&state, nullptr, 0, digest.size());
  for (const auto& part : parts) {
    const std::uint64_t size = part.size();
    crypto_generichash_update(&state, from(std::as_bytes(std::span(&size, 1))), sizeof size);
    crypto_generichash_update(&state, from(part), part.size());
  }
  crypto_generichash_final(&state, to(digest), digest.size());
  return digest;
}

}  // namespace tacit
