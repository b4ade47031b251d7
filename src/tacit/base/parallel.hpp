// A loop over independent jobs on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace tacit {

/// Threads to use when the caller names no number: as many as the machine has, at least one.
unsigned default_threads();

/// Calls job(0) ... job(count - 1), each once, on up to `threads` threads, and returns when all are done.
/// Jobs must be independent, and none may wait for another: which thread runs which job is not fixed, and all
/// may run on one. Threads come from one pool with a thread per core, even when a job calls this function
/// itself. If jobs throw, the exception of the lowest index is rethrown after all have ended, so that the
/// error a user sees does not depend on timing. Jobs can be stopped as the caller can be (stop.hpp).
void parallel_for(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& job);

}  // namespace tacit
