// Ctrl-C during a request asks the agents to stop it.
#pragma once

#include <signal.h>

#include <thread>

#include "tacit/agent/control/control.hpp"

namespace tacit::cli {

/// During its lifetime, the first SIGINT or SIGTERM stops the client's request, which then ends with a report
/// of what had happened. A second signal ends the program at once. Only one object may exist at a time.
class StopOnSignal {
 public:
  explicit StopOnSignal(ControlClient& client);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;

 private:
  void watch();

  ControlClient& client_;
  struct sigaction before_[2]{};
  std::thread thread_;
};

}  // namespace tacit::cli
