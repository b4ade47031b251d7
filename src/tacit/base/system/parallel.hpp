// A parallel loop over independent jobs.
#pragma once

#include <cstddef>
#include <functional>

namespace tacit {

/// Returns the machine's number of hardware threads, at least one: the default where the caller gives none.
unsigned default_threads();

/// Calls job(0) ... job(count - 1), each once, on up to `threads` threads, and returns when all have ended.
/// Jobs must be independent and must not wait for each other: any thread may run any job, and one thread may
/// run all of them. All loops, nested ones included, share one pool with a thread per core. If jobs throw,
/// the exception of the lowest index is rethrown after all jobs have ended, so that the error does not depend
/// on timing. Jobs stop when the caller is stopped (stop.hpp).
void parallel_for(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& job);

}  // namespace tacit
