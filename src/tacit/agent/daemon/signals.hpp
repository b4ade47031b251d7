// The events that an agent's main thread waits for: signals, reload requests from the control socket, which
// also arrive as a signal, and a due time.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

#include "tacit/agent/daemon/utc.hpp"

namespace tacit {

enum class Event { stop, reload, due };

class Signals {
 public:
  /// Construct it on the main thread, before any other thread: later threads inherit the blocked signals.
  /// SIGHUP stays ignored if it already is, as under nohup.
  Signals();

  /// SIGTERM and SIGINT stop; SIGHUP and wake() reload.
  Event wait(std::optional<UtcTime> due) const;
  /// Waits at most this time; returns whether a signal to stop arrived.
  bool hurry(std::chrono::milliseconds time) const;
  /// May be called from any thread.
  static void wake();

 private:
  int wait_for(std::chrono::milliseconds time) const;  // the signal; less than 1 for none

  sigset_t set_{};
};

}  // namespace tacit
