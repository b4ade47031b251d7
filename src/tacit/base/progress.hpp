// How far a long job has got: written by the job, read by whoever draws a bar.
#pragma once

#include <atomic>
#include <cstdint>

namespace tacit {

struct Progress {
  std::atomic<const char*> stage{""};  ///< what is being done, a literal
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};

  void begin(const char* what, std::uint64_t steps) {
    done = 0;
    total = steps;
    stage = what;
  }
};

}  // namespace tacit
