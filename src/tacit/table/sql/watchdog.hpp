// Ends a connection whose other end has stopped answering. A database's own limit for a statement does not
// help when the whole server stands still, and its system goes on to acknowledge what arrives.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tacit {

class Watchdog {
 public:
  /// Shuts the socket down, which ends whatever waits for it, when it was not fed for `limit`. The socket
  /// must stay open for as long as this object lives.
  Watchdog(int socket, std::chrono::milliseconds limit);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;

  /// Something was heard, or is asked anew.
  void feed();
  void set_limit(std::chrono::milliseconds limit);
  std::chrono::milliseconds limit() const;
  /// Has it shut the socket down?
  bool barked() const;

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  const int socket_;
  mutable std::mutex guard_;
  std::condition_variable changed_;
  std::chrono::milliseconds limit_;
  Clock::time_point deadline_;
  bool ended_ = false, barked_ = false;
  std::thread thread_;
};

}  // namespace tacit
