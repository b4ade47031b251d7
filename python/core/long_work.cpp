#include "long_work.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "tacit/base/stop.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

// A thread that runs the work and signals its end.
class Worker {
 public:
  explicit Worker(const std::function<void()>& work)
      : thread_([this, &work] {
          const StoppableWork here(stop_);
          try {
            work();
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(guard_);
          done_ = true;
          changed_.notify_all();
        }) {}
  ~Worker() { thread_.join(); }
  Worker(const Worker&) = delete;

  void stop() { stop_ = true; }
  /// Waits for at most this time. True if the work has ended.
  bool ended(std::chrono::milliseconds time) {
    std::unique_lock lock(guard_);
    return changed_.wait_for(lock, time, [this] { return done_; });
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> stop_ = false;
  std::mutex guard_;
  std::condition_variable changed_;
  bool done_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // last member, because it uses the others
};

}  // namespace

Snapshot snapshot(const Progress& progress) {
  return {progress.stage.load(), progress.done, progress.total, progress.note()};
}

void run_long(const py::object& told, const std::function<void()>& work, const Watching& watching) {
  constexpr std::chrono::milliseconds between(50);
  Worker worker(work);
  std::optional<py::error_already_set> interrupted;  // by Ctrl-C, or by an exception of the progress callback
  for (bool ended = false; !ended;) {
    {
      const py::gil_scoped_release others_go_on;
      ended = worker.ended(between);
    }
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (ended || interrupted || told.is_none()) continue;
      const Snapshot now = watching.look();
      if (!now.stage.empty()) told(now.stage, now.done, now.total, now.note);  // empty before the work begins
    } catch (const py::error_already_set& error) {
      if (interrupted) continue;
      interrupted.emplace(error);
      worker.stop();
      if (watching.stop) {
        const py::gil_scoped_release others_go_on;
        watching.stop();
      }
    }
  }
  if (interrupted) throw py::error_already_set(*interrupted);
  worker.rethrow();
}

}  // namespace tacit::python
