// Long work that somebody may stop from another thread, such as a person who presses Ctrl-C.
//
//   std::atomic<bool> stop = false;      // set by whoever wants an end
//   const StoppableWork here(stop);      // for this thread, and for the jobs of its parallel loops
//   model = fit(inputs, outputs, se());  // throws Stopped soon after
#pragma once

#include <atomic>

#include "tacit/base/error.hpp"

namespace tacit {

/// The work was stopped from outside, and there is no result.
class Stopped : public Error {
 public:
  Stopped() : Error("stopped before it was done; there is no result") {}
};

/// What this thread does can be stopped by the flag for as long as this object lives.
class StoppableWork {
 public:
  explicit StoppableWork(const std::atomic<bool>& stop) : StoppableWork(&stop) {}
  /// By the flag of another thread's work; none for work that nobody stops.
  explicit StoppableWork(const std::atomic<bool>* stop);
  ~StoppableWork();
  StoppableWork(const StoppableWork&) = delete;

  /// The flag of the work that this thread does.
  static const std::atomic<bool>* flag();

 private:
  const std::atomic<bool>* before_;
};

/// For loops that take long, once in every turn: throws Stopped when this thread's work should end.
void leave_if_stopped();

}  // namespace tacit
