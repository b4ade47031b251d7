// The source of all secret randomness: AES-256 in counter mode (OpenSSL), keyed by the operating system.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;

namespace tacit {

class Prg {
 public:
  static constexpr std::size_t key_bytes = 32;
  using Key = std::span<const std::byte, key_bytes>;

  /// A stream nobody can foresee, keyed by the operating system.
  static Prg from_os();

  /// The stream of a known key: the same key gives the same bytes everywhere.
  static Prg from_key(Key key);

  /// The stream of (seed, purpose, index), for simulations that must repeat to the bit. Never for real
  /// secrets: a seed of 64 bits can be guessed.
  static Prg from_seed(std::uint64_t seed, std::string_view purpose, std::uint64_t index);

  /// Goes to the start of a lane: one of 2^64 parts of the stream, 2^68 bytes long, that do not overlap. A
  /// new stream is at the start of lane 0. Two sides that share a key name lanes, and need not count bytes.
  void go_to(std::uint64_t lane);

  /// The next bytes of the stream.
  void fill(std::span<std::byte> out);

 private:
  struct Free {
    void operator()(EVP_CIPHER_CTX* context) const;
  };
  explicit Prg(Key key);
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;  // OpenSSL wipes the key when it frees the context
};

}  // namespace tacit
