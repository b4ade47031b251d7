// Ends a connection whose other end no longer answers. A database's own limit for a statement does not help
// if the whole server hangs while its operating system still acknowledges packets.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tacit {

class Watchdog {
 public:
  /// Shuts the socket down if `restart` was not called for `limit`; this ends any call that waits for the
  /// socket. The socket must stay open during the lifetime of this object.
  Watchdog(int socket, std::chrono::milliseconds limit);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;

  /// Starts the time limit again: the server has answered, or a new request is sent.
  void restart();
  void set_limit(std::chrono::milliseconds limit);
  std::chrono::milliseconds limit() const;
  /// Returns whether the limit has passed and the socket was shut down.
  bool expired() const;

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  const int socket_;
  mutable std::mutex guard_;
  std::condition_variable changed_;
  std::chrono::milliseconds limit_;
  Clock::time_point deadline_;
  bool ended_ = false, expired_ = false;
  std::thread thread_;
};

}  // namespace tacit
