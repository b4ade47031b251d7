// Runs long work on a separate thread. Python's other threads continue, Ctrl-C stops the work, and the
// caller receives its progress.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <string>

#include "tacit/base/progress.hpp"

namespace tacit::python {

/// Progress of the work.
struct Snapshot {
  std::string stage;
  std::uint64_t done = 0, total = 0;
  std::string note;
};
Snapshot snapshot(const Progress& progress);

/// How Python's thread reads the progress of the work, and what it does after Ctrl-C in addition to stopping
/// the StoppableWork.
struct Watching {
  std::function<Snapshot()> look;
  std::function<void()> stop = {};
};

/// Calls `work` and returns when it has ended. `told` is None or a function that is called from time to time
/// with (stage, done, total, note). After Ctrl-C, throws KeyboardInterrupt once the work has ended. Rethrows
/// exceptions of the work.
void run_long(const pybind11::object& told, const std::function<void()>& work, const Watching& watching);

/// The same for work that returns a value.
template <class Work>
auto long_work(const pybind11::object& told, Work&& work) {
  Progress progress;
  std::optional<decltype(work(progress))> result;
  run_long(told, [&] { result.emplace(work(progress)); }, {[&] { return snapshot(progress); }});
  return std::move(*result);
}

}  // namespace tacit::python
