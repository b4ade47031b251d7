// The bytes of a message. Buffers come from a pool and move from sender to receiver without a copy. When the
// receiver has finished, they are wiped and returned to the pool.
//
// Threads: a pool may be used by several threads, a payload by one at a time. A payload may be released on
// any thread.
// Errors: std::bad_alloc.
// Stopping: no function runs long.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "tacit/secrecy/wiped.hpp"

namespace tacit {

class PayloadPool;

class Payload {
 public:
  Payload() = default;
  Payload(Payload&& other) noexcept { swap(other); }
  Payload& operator=(Payload&& other) noexcept {
    Payload(std::move(other)).swap(*this);
    return *this;
  }
  ~Payload();

  std::span<std::byte> bytes() { return {block_.data(), size_}; }
  std::span<const std::byte> bytes() const { return {block_.data(), size_}; }
  std::size_t size() const { return size_; }

 private:
  friend class PayloadPool;
  using Block = WipedVector<std::byte>;
  void swap(Payload& other) noexcept {
    block_.swap(other.block_);
    std::swap(size_, other.size_);
    std::swap(pool_, other.pool_);
  }

  Block block_;
  std::size_t size_ = 0;
  PayloadPool* pool_ = nullptr;
};

/// Keeps buffers for the next message of about the same size, up to a ceiling. Safe to use from several
/// threads. Must outlive its payloads.
class PayloadPool {
 public:
  static constexpr std::size_t usual_ceiling = std::size_t{64} << 20;

  /// `ceiling` is the maximum number of bytes that are kept.
  explicit PayloadPool(std::size_t ceiling = usual_ceiling) : ceiling_(ceiling) {}
  PayloadPool(const PayloadPool&) = delete;

  /// Returns a buffer of `size` bytes with unspecified content.
  Payload take(std::size_t size);

  /// Returns the number of bytes that are kept.
  std::size_t kept() const;

 private:
  friend class Payload;
  void give_back(Payload::Block&& block, std::size_t used);

  const std::size_t ceiling_;
  mutable std::mutex guard_;
  std::size_t kept_ = 0;
  // By size. Last in, first out, because that block is most likely still in the cache.
  std::map<std::size_t, std::vector<Payload::Block>> free_;
};

}  // namespace tacit
