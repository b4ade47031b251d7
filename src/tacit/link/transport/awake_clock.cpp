#include "tacit/link/transport/awake_clock.hpp"

namespace tacit {

void AwakeClock::read() {
  const Time now = source_();
  if (now - last_ > standstill) stood_still_ += now - last_;
  last_ = now;
}

AwakeClock::Time AwakeClock::now() {
  const std::lock_guard lock(guard_);
  read();
  return last_ - stood_still_;
}

AwakeClock::Span AwakeClock::stood_still() {
  const std::lock_guard lock(guard_);
  read();
  return stood_still_;
}

}  // namespace tacit
