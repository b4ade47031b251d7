#include "tacit/link/node/event_loop.hpp"

#include <algorithm>

namespace tacit {
namespace {

constexpr std::size_t most_jobs = 10'000;  // waiting

}  // namespace

void EventLoop::start(std::function<Time()> run_timers) {
  thread_ = std::thread([this, run = std::move(run_timers)] { work(run); });
}

void EventLoop::stop() {
  {
    const std::lock_guard lock(guard_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(guard_);
  jobs_.clear();
}

bool EventLoop::post(Job job) {
  {
    const std::lock_guard lock(guard_);
    if (jobs_.size() >= most_jobs) return false;
    if (!stopping_) jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
  return true;
}

void EventLoop::post_in_any_case(Job job) {
  {
    const std::lock_guard lock(guard_);
    if (!stopping_) jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void EventLoop::wake() {
  {
    const std::lock_guard lock(guard_);
    woken_ = true;
  }
  changed_.notify_all();
}

void EventLoop::work(const std::function<Time()>& run_timers) {
  Time due{};  // at once
  std::unique_lock lock(guard_);
  for (;;) {
    const auto called = [&] { return stopping_ || woken_ || !jobs_.empty(); };
    const Time now = clock_->now();
    if (due > now) changed_.wait_for(lock, std::min(due - now, AwakeClock::beat), called);
    while (!stopping_ && !jobs_.empty()) {
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      job = nullptr;  // frees what it holds without the lock
      lock.lock();
      if (clock_->now() >= due) break;  // even if more jobs wait
    }
    if (stopping_) return;
    woken_ = false;
    lock.unlock();
    due = run_timers();
    lock.lock();
  }
}

}  // namespace tacit
