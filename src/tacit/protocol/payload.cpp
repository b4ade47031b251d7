#include "tacit/protocol/payload.hpp"

namespace tacit {

Payload::~Payload() {
  if (pool_) pool_->give_back(std::move(block_));
}

Payload PayloadPool::take(std::size_t size) {
  Payload payload;
  {
    std::lock_guard lock(guard_);
    if (!free_.empty()) {
      payload.block_ = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (payload.block_.size() < size) payload.block_ = Payload::Block(size);
  payload.size_ = size;
  payload.pool_ = this;
  return payload;
}

void PayloadPool::give_back(Payload::Block&& block) {
  std::lock_guard lock(guard_);
  free_.push_back(std::move(block));
}

}  // namespace tacit
