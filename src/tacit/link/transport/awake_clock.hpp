// The clock of all waits between agents. It counts only the time in which this machine ran: a laptop that was
// closed, a virtual machine that was paused or a process that was stopped must not conclude from its own
// pause that other agents are silent.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

namespace tacit {

/// Thread safe.
class AwakeClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Span = std::chrono::steady_clock::duration;
  using Source = std::function<Time()>;

  /// A node reads its clock at least this often, so that a longer gap means that the machine did not run.
  static constexpr Span beat = std::chrono::seconds(5);
  /// Shorter gaps count as time: a busy machine is slow, but it runs.
  static constexpr Span standstill = std::chrono::seconds(20);

  explicit AwakeClock(Source source = &since_boot) : source_(std::move(source)), last_(source_()) {}

  /// The time since the machine's start. It includes the time in which the machine was suspended, which
  /// steady_clock does not. Do not compare it with times of steady_clock.
  static Time since_boot();
  /// The time, without pauses of the machine.
  Time now();
  /// Returns the sum of all pauses so far.
  Span stood_still();

 private:
  void read();

  const Source source_;
  std::mutex guard_;
  Time last_;
  Span stood_still_{0};
};

}  // namespace tacit
