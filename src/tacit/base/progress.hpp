// How far a long job has got: written by the job, read by whoever draws a bar.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace tacit {

struct Progress {
  std::atomic<const char*> stage{""};  ///< what is being done, a literal
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};

  void begin(const char* what, std::uint64_t steps) {
    done = 0;
    total = steps;
    note("");
    stage = what;
  }

  /// What the stage has found so far, in words.
  void note(std::string text) {
    const std::lock_guard lock(guard_);
    note_ = std::move(text);
  }
  std::string note() const {
    const std::lock_guard lock(guard_);
    return note_;
  }

 private:
  mutable std::mutex guard_;
  std::string note_;
};

}  // namespace tacit
