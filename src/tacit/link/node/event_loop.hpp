// One thread that runs posted jobs in order, and runs timers when they are due.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "tacit/link/transport/awake_clock.hpp"

namespace tacit {

class EventLoop {
 public:
  using Time = AwakeClock::Time;
  using Job = std::function<void()>;  ///< must not throw

  /// All times are those of this clock.
  explicit EventLoop(std::shared_ptr<AwakeClock> clock) : clock_(std::move(clock)) {}
  ~EventLoop() { stop(); }

  /// Starts the thread, which runs the jobs posted so far. `run_timers` does what is due and returns when the
  /// next timer is due. The loop calls it after jobs, at that time, after wake(), and once every
  /// AwakeClock::beat.
  void start(std::function<Time()> run_timers);
  /// Finishes the current job, and drops waiting jobs and later posts.
  void stop();

  /// False if too many jobs wait.
  [[nodiscard]] bool post(Job job);
  /// Accepts the job even if too many wait.
  void post_in_any_case(Job job);
  /// A timer may be due earlier than `run_timers` returned.
  void wake();

 private:
  void work(const std::function<Time()>& run_timers);

  const std::shared_ptr<AwakeClock> clock_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool woken_ = false, stopping_ = false;
  std::thread thread_;
};

}  // namespace tacit
