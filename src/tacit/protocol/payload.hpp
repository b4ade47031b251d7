// The bytes of a message. Buffers come from a pool, move from sender to receiver without a copy and go back
// to the pool when the receiver is done; the pool wipes them before they are freed.
#pragma once

#include <cstddef>
#include <memory>
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

/// Safe to use from several threads. Must outlive its payloads.
class PayloadPool {
 public:
  PayloadPool() = default;
  PayloadPool(const PayloadPool&) = delete;

  /// A buffer of `size` bytes with unspecified content.
  Payload take(std::size_t size);

 private:
  friend class Payload;
  void give_back(Payload::Block&& block);

  std::mutex guard_;
  std::vector<Payload::Block> free_;  // last in, first out: the block most likely still in the cache
};

}  // namespace tacit
