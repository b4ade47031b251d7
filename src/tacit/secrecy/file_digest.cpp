#include "tacit/secrecy/file_digest.hpp"

#include <sodium.h>

#include <array>
#include <fstream>

namespace tacit {

std::optional<std::string> file_digest(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::array<char, 1 << 16> part;
  do {
    in.read(part.data(), part.size());
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(part.data()),
                              static_cast<unsigned long long>(in.gcount()));
  } while (in);
  if (!in.eof()) return std::nullopt;
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256_final(&state, digest.data());
  std::string text(2 * digest.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  text.pop_back();
  return text;
}

}  // namespace tacit
