// Work that may take long, on a thread of its own: Python's other threads go on meanwhile, Ctrl-C stops it,
// and whoever asked sees how far it has got.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <string>

#include "tacit/base/progress.hpp"

namespace tacit::python {

/// Where work is.
struct Snapshot {
  std::string stage;
  std::uint64_t done = 0, total = 0;
  std::string note;
};
Snapshot snapshot(const Progress& progress);

/// How Python's thread looks at the work of another one, and what it does after Ctrl-C besides stopping the
/// work's StoppableWork.
struct Watching {
  std::function<Snapshot()> look;
  std::function<void()> stop = {};
};

/// Calls `work` and returns when it has ended. `told` is None or is called now and then with (stage, done,
/// total, note). After Ctrl-C KeyboardInterrupt is thrown once the work has ended. Throws what the work
/// throws.
void run_long(const pybind11::object& told, const std::function<void()>& work, const Watching& watching);

/// The same for work that gives something.
template <class Work>
auto long_work(const pybind11::object& told, Work&& work) {
  Progress progress;
  std::optional<decltype(work(progress))> result;
  run_long(told, [&] { result.emplace(work(progress)); }, {[&] { return snapshot(progress); }});
  return std::move(*result);
}

}  // namespace tacit::python
