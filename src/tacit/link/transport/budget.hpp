// Limits how much of what a neighbour has sent is kept here. Everything that is kept holds a charge, which is
// returned when the last copy is dropped.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

namespace tacit {

/// A part of a budget, held until the last copy is destroyed.
using Charge = std::shared_ptr<const void>;

class Budget {
 public:
  Budget(std::size_t most_bytes, std::size_t most_frames)
      : spent_(std::make_shared<Spent>()), most_bytes_(most_bytes), most_frames_(most_frames) {}

  /// Charges one frame of this many bytes. Null if there is no room for it.
  Charge take(std::size_t bytes) const {
    const std::lock_guard lock(spent_->guard);
    if (spent_->bytes + bytes > most_bytes_ || spent_->frames >= most_frames_) return nullptr;
    spent_->bytes += bytes;
    ++spent_->frames;
    return std::make_shared<const Part>(spent_, bytes);
  }

  std::size_t bytes() const {
    const std::lock_guard lock(spent_->guard);
    return spent_->bytes;
  }

 private:
  struct Spent {
    std::mutex guard;
    std::size_t bytes = 0, frames = 0;
  };
  struct Part {
    Part(std::shared_ptr<Spent> from, std::size_t size) : spent(std::move(from)), bytes(size) {}
    Part(const Part&) = delete;
    ~Part() {
      const std::lock_guard lock(spent->guard);
      spent->bytes -= bytes;
      --spent->frames;
    }
    const std::shared_ptr<Spent> spent;
    const std::size_t bytes;
  };

  const std::shared_ptr<Spent> spent_;
  const std::size_t most_bytes_, most_frames_;
};

}  // namespace tacit
