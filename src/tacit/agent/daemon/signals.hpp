// What an agent's main thread waits for: signals, requests from the control socket, which come as a signal
// too, and the time for something that is due.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

#include "tacit/agent/daemon/utc.hpp"

namespace tacit {

enum class Event { stop, reload, due };

class Signals {
 public:
  /// Make it on the main thread, before any other: those made later inherit what is blocked. SIGHUP is left
  /// alone where it is ignored already, as nohup does.
  Signals();

  /// SIGTERM and SIGINT stop; SIGHUP and wake() reload.
  Event wait(std::optional<UtcTime> due) const;
  /// Has a signal to stop come within this time?
  bool hurry(std::chrono::milliseconds time) const;
  /// From any thread.
  static void wake();

 private:
  int wait_for(std::chrono::milliseconds time) const;  // the signal, or less than 1 for none

  sigset_t set_{};
};

}  // namespace tacit
