// One thread that does jobs in order, and looks at the clock when something is due.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tacit {

class EventLoop {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Job = std::function<void()>;  ///< must not throw

  ~EventLoop() { stop(); }

  /// Jobs posted earlier are done now. `look_at_clock` does what is due and says when something will be
  /// due next; it is called after jobs, at that time, and when woken.
  void start(std::function<Time()> look_at_clock);
  /// The current job is the last one; waiting jobs and later posts are dropped.
  void stop();

  /// False when too many wait already.
  [[nodiscard]] bool post(Job job);
  /// Accepted however many wait.
  void post_in_any_case(Job job);
  /// Something may be due earlier than announced.
  void wake();

 private:
  void work(const std::function<Time()>& look_at_clock);

  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool woken_ = false, stopping_ = false;
  std::thread thread_;
};

}  // namespace tacit
