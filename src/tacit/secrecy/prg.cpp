#include "tacit/secrecy/prg.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdint>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {
namespace {

// Counter mode adds the key stream to its input, so zeros give the stream itself. The size fits the
// first-level cache.
alignas(64) constexpr unsigned char zeros[8192] = {};

void need(bool ok) {
  if (!ok) throw Error("OpenSSL could not run AES-256-CTR; check the installation of libssl");
}

}  // namespace

void Prg::Free::operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }

Prg::Prg(Key key) : context_(EVP_CIPHER_CTX_new()) {
  const unsigned char start[16] = {};
  need(context_ && EVP_EncryptInit_ex(context_.get(), EVP_aes_256_ctr(), nullptr,
                                      reinterpret_cast<const unsigned char*>(key.data()), start) == 1);
}

Prg Prg::from_os() {
  if (sodium_init() < 0) throw Error("libsodium could not reach the operating system's randomness");
  LockedVector<std::byte> key(key_bytes);
  randombytes_buf(key.data(), key.size());
  return Prg(Key(key));
}

Prg Prg::from_key(Key key) { return Prg(key); }

Prg Prg::from_seed(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  unsigned char numbers[16];
  for (int k = 0; k < 8; ++k) {
    numbers[k] = static_cast<unsigned char>(seed >> (8 * k));
    numbers[8 + k] = static_cast<unsigned char>(index >> (8 * k));
  }
  LockedVector<std::byte> key(key_bytes);
  crypto_generichash_state state;
  crypto_generichash_init(&state, numbers, sizeof numbers, key_bytes);
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(purpose.data()), purpose.size());
  crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(key.data()), key_bytes);
  return Prg(Key(key));
}

void Prg::go_to(std::uint64_t lane) {
  // The counter is a 128-bit big-endian number. The lane is its upper half.
  unsigned char start[16] = {};
  for (int k = 0; k < 8; ++k) start[k] = static_cast<unsigned char>(lane >> (56 - 8 * k));
  need(EVP_EncryptInit_ex(context_.get(), nullptr, nullptr, nullptr, start) == 1);
}

void Prg::fill(std::span<std::byte> out) {
  while (!out.empty()) {
    const std::size_t chunk = std::min(out.size(), sizeof zeros);
    int written = 0;
    need(EVP_EncryptUpdate(context_.get(), reinterpret_cast<unsigned char*>(out.data()), &written, zeros,
                           static_cast<int>(chunk)) == 1);
    out = out.subspan(chunk);
  }
}

}  // namespace tacit
