#include "tacit/table/sql/watchdog.hpp"

#include <sys/socket.h>

namespace tacit {

Watchdog::Watchdog(int socket, std::chrono::milliseconds limit)
    : socket_(socket), limit_(limit), deadline_(Clock::now() + limit), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(guard_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::restart() {
  const std::lock_guard lock(guard_);
  deadline_ = Clock::now() + limit_;  // the deadline only moves later, so the thread need not wake for it
}

void Watchdog::set_limit(std::chrono::milliseconds limit) {
  {
    const std::lock_guard lock(guard_);
    limit_ = limit;
    deadline_ = Clock::now() + limit_;
  }
  changed_.notify_all();
}

std::chrono::milliseconds Watchdog::limit() const {
  const std::lock_guard lock(guard_);
  return limit_;
}

bool Watchdog::expired() const {
  const std::lock_guard lock(guard_);
  return expired_;
}

void Watchdog::watch() {
  std::unique_lock lock(guard_);
  while (!ended_ && !expired_) {
    if (Clock::now() < deadline_) {
      changed_.wait_until(lock, deadline_);
      continue;
    }
    expired_ = true;
    ::shutdown(socket_, SHUT_RDWR);
  }
}

}  // namespace tacit
