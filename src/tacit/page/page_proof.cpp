#include "tacit/page/page_proof.hpp"

#include <sodium.h>

#include <array>

#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit {
namespace {

using NonceBytes = std::array<std::byte, 32>;

// HMAC-SHA-256 of lines. The lines have no line breaks, so that no two lists have the same text.
std::string mac_of(std::string_view token, std::initializer_list<std::string_view> lines) {
  const auto raw = [](std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); };
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, raw(token), token.size());
  for (const std::string_view line : lines) {
    crypto_auth_hmacsha256_update(&state, raw(line), line.size());
    crypto_auth_hmacsha256_update(&state, raw("\n"), 1);
  }
  std::array<std::byte, crypto_auth_hmacsha256_BYTES> mac{};
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(mac.data()));
  sodium_memzero(&state, sizeof state);
  return hex(mac);
}

}  // namespace

std::string page_nonce() {
  NonceBytes random{};
  Prg::from_os().fill(random);
  return hex(random);
}

bool is_page_nonce(std::string_view text) {
  NonceBytes ignored{};
  return from_hex(text, ignored);
}

std::string server_proof(std::string_view token, std::string_view address, std::string_view challenge,
                         std::string_view nonce) {
  return mac_of(token, {"tacit page server", address, challenge, nonce});
}

std::string page_pass(std::string_view token, std::string_view address, std::string_view nonce) {
  return mac_of(token, {"tacit page client", address, nonce});
}

bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tacit
