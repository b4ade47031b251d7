// The source of all secret randomness: AES-256 in counter mode (OpenSSL). The operating system gives the key.
//
// Threads: a stream belongs to one thread at a time. Any thread may create streams.
// Errors: Error if OpenSSL or the operating system refuses.
// Stopping: fill cannot be stopped; it produces some gigabytes a second. The other functions are short.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;

namespace tacit {

/// A cryptographic pseudorandom generator: a stream of bytes determined by a 256-bit key.
class Prg {
 public:
  static constexpr std::size_t key_bytes = 32;
  using Key = std::span<const std::byte, key_bytes>;

  /// Returns an unpredictable stream, keyed by the operating system.
  static Prg from_os();

  /// Returns the stream of a known key. The same key gives the same bytes on every machine.
  static Prg from_key(Key key);

  /// Returns the stream of (seed, purpose, index), for simulations that must be reproducible to the bit.
  /// Never use it for real secrets: a 64-bit seed can be guessed.
  static Prg from_seed(std::uint64_t seed, std::string_view purpose, std::uint64_t index);

  /// Moves to the start of a lane. The stream consists of 2^64 disjoint lanes of 2^68 bytes each; a new
  /// stream is at the start of lane 0. Two sides that share a key agree on lanes and need not count bytes.
  void go_to(std::uint64_t lane);

  /// Fills `out` with the next bytes of the stream.
  void fill(std::span<std::byte> out);

 private:
  struct Free {
    void operator()(EVP_CIPHER_CTX* context) const;
  };
  explicit Prg(Key key);
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;  // OpenSSL wipes the key when it frees the context
};

}  // namespace tacit
