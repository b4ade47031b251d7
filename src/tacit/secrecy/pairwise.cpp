#include "tacit/secrecy/pairwise.hpp"

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/bytes.hpp"
#include "tacit/secrecy/sodium_bytes.hpp"

namespace tacit {
namespace {

static_assert(public_key_bytes == crypto_scalarmult_BYTES && Prg::key_bytes == crypto_kdf_KEYBYTES &&
              KeyPair::Secret::extent == crypto_scalarmult_SCALARBYTES);

}  // namespace

KeyPair::KeyPair(Prg& randomness) : secret_(Secret::extent) {
  randomness.fill(secret_);
  derive();
}

KeyPair::KeyPair(Secret secret) : secret_(secret.begin(), secret.end()) { derive(); }

void KeyPair::derive() {
  if (sodium_init() < 0) throw Error("libsodium could not be started; check its installation");
  crypto_scalarmult_base(to(public_), from(secret_));
}

PairKey KeyPair::agree(const PublicKey& theirs, const PairName& whose) const {
  LockedVector<std::byte> common(crypto_scalarmult_BYTES);
  if (crypto_scalarmult(to(common), from(secret_), from(theirs)) != 0)
    throw Error("the public key has small order, which the key of an honest agent never has");
  // X25519 does not bind its result to the keys: several public keys can give the same result. Also, an agent
  // does not prove that it has the secret of the key that it presents; the key may be a copy of another's.
  struct {
    std::array<PublicKey, 2> keys;
    PairName whose;
  } pair{{public_, theirs}, whose};
  static_assert(sizeof pair == sizeof(PublicKey) * 2 + sizeof(PairName));
  std::ranges::sort(pair.keys);  // so that both sides hash the same bytes
  PairKey key(crypto_kdf_KEYBYTES);
  crypto_generichash(to(key), key.size(), from(bytes_of(pair)), sizeof pair, from(common), common.size());
  return key;
}

KeyPair agreement_pair(const Identity& identity) {
  const LockedVector<std::byte> secret = identity.agreement_secret();
  return KeyPair(KeyPair::Secret(secret));
}

PublicKey agreement_key(const IdentityKey& identity) {
  PublicKey key;
  if (crypto_sign_ed25519_pk_to_curve25519(to(key), from(identity)) != 0)
    throw Error("the identity key is not a valid point of the curve; the key of an honest agent always is");
  return key;
}

Prg stream_of(const PairKey& key, const Digest& occasion) {
  LockedVector<std::byte> stream_key(Prg::key_bytes);
  crypto_generichash(to(stream_key), stream_key.size(), from(occasion), occasion.size(), from(key),
                     key.size());
  return Prg::from_key(Prg::Key(stream_key));
}

}  // namespace tacit
