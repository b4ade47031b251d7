#include "tacit/protocol/channel/payload.hpp"

#include <algorithm>
#include <bit>

namespace tacit {
namespace {

// Blocks have four sizes for every doubling: few enough for reuse, and at most a quarter too large.
std::size_t block_size(std::size_t size) {
  const std::size_t least = std::max<std::size_t>(size, 64);
  const std::size_t step = std::bit_ceil(least) / 8;
  return (least + step - 1) / step * step;
}

}  // namespace

Payload::~Payload() {
  if (pool_) pool_->give_back(std::move(block_), size_);
}

Payload PayloadPool::take(std::size_t size) {
  Payload payload;
  const std::size_t rounded = block_size(size);
  {
    std::lock_guard lock(guard_);
    if (const auto at = free_.find(rounded); at != free_.end() && !at->second.empty()) {
      payload.block_ = std::move(at->second.back());
      at->second.pop_back();
      kept_ -= rounded;
    }
  }
  if (payload.block_.empty()) payload.block_ = Payload::Block(rounded);
  payload.size_ = size;
  payload.pool_ = this;
  return payload;
}

std::size_t PayloadPool::kept() const {
  std::lock_guard lock(guard_);
  return kept_;
}

void PayloadPool::give_back(Payload::Block&& block, std::size_t used) {
  sodium_memzero(block.data(), used);
  std::lock_guard lock(guard_);
  if (kept_ + block.size() > ceiling_) return;  // the caller frees it
  kept_ += block.size();
  free_[block.size()].push_back(std::move(block));
}

}  // namespace tacit
