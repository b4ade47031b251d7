// Cancellation of long work from another thread, for example after Ctrl-C.
//
//   std::atomic<bool> stop = false;      // another thread sets it to stop the work
//   const StoppableWork here(stop);      // for this thread and the jobs of its parallel loops
//   model = fit(inputs, outputs, se());  // throws Stopped soon after `stop` is set
//
// Threads: any thread may set the flag; a StoppableWork belongs to the thread that made it.
// Errors: leave_if_stopped throws Stopped once the flag is set.
// Stopping: this header is how long work is stopped.
#pragma once

#include <atomic>

#include "tacit/base/error.hpp"

namespace tacit {

/// The work was stopped from outside. There is no result.
class Stopped : public Error {
 public:
  Stopped() : Error("stopped before completion; there is no result") {}
};

/// While this object lives, the flag can stop the work of this thread.
class StoppableWork {
 public:
  explicit StoppableWork(const std::atomic<bool>& stop) : StoppableWork(&stop) {}
  /// Takes the flag of another thread's work; null for work that cannot be stopped.
  explicit StoppableWork(const std::atomic<bool>* stop);
  ~StoppableWork();
  StoppableWork(const StoppableWork&) = delete;

  /// Returns the flag of this thread's work, null if it cannot be stopped.
  static const std::atomic<bool>* flag();

 private:
  const std::atomic<bool>* before_;
};

/// Throws Stopped if this thread's work has been stopped. Long loops call it once per iteration.
void leave_if_stopped();

}  // namespace tacit
