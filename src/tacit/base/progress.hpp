// The progress of a long job. The job writes it; a progress bar on another thread reads it.
//
// Threads: one thread writes, any number of threads read.
// Errors: nothing of its own.
// Stopping: nothing here takes long.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace tacit {

struct Progress {
  std::atomic<const char*> stage{""};  ///< the current activity, a string literal
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};

  /// Begins a stage. `steps` is 0 if their number is unknown.
  void begin(const char* what, std::uint64_t steps) {
    done = 0;
    total = steps;
    note("");
    stage = what;
  }

  /// Sets the text that describes the stage's results so far.
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
