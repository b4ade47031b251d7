#include "tacit/base/stop.hpp"

#include <utility>

namespace tacit {
namespace {

thread_local const std::atomic<bool>* current = nullptr;

}  // namespace

StoppableWork::StoppableWork(const std::atomic<bool>* stop) : before_(std::exchange(current, stop)) {}

StoppableWork::~StoppableWork() { current = before_; }

const std::atomic<bool>* StoppableWork::flag() { return current; }

void leave_if_stopped() {
  if (current && *current) throw Stopped();
}

}  // namespace tacit
