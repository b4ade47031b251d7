#include "tacit/base/system/parallel.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <mutex>

#include "tacit/base/stop.hpp"

#ifdef TACIT_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#else
#define __tsan_acquire(address)
#define __tsan_release(address)
#endif

namespace tacit {
namespace {

// Keeps the exception of the job with the lowest index.
class FirstFailure {
 public:
  void note(std::size_t index) {
    const std::lock_guard lock(guard_);
    if (failure_ && at_ < index) return;
    at_ = index;
    failure_ = std::current_exception();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex guard_;
  std::size_t at_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

unsigned default_threads() { return static_cast<unsigned>(tbb::info::default_concurrency()); }

void parallel_for(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& job) {
  FirstFailure first;
  // oneTBB is not compiled with the thread sanitizer. These calls inform the sanitizer that a job follows
  // everything before the loop and precedes everything after it. This file is not instrumented
  // (CMakeLists.txt).
  __tsan_release(&first);
  const auto run = [&, stop = StoppableWork::flag()](std::size_t i) {
    __tsan_acquire(&first);
    try {
      const StoppableWork same(stop);
      leave_if_stopped();
      job(i);
    } catch (...) {
      first.note(i);
    }
    __tsan_release(&first);
  };
  // Each loop has its own arena: a job that waits for an inner loop never starts another job of an outer
  // loop.
  tbb::task_arena arena(static_cast<int>(std::clamp(threads, 1u, default_threads())));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, run, tbb::simple_partitioner()); });
  __tsan_acquire(&first);
  first.rethrow();
}

}  // namespace tacit
