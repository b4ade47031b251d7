#include "tacit/link/transport/awake_clock.hpp"

#include <time.h>

namespace tacit {

AwakeClock::Time AwakeClock::since_boot() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return Time(std::chrono::duration_cast<Span>(std::chrono::seconds(now.tv_sec) +
                                               std::chrono::nanoseconds(now.tv_nsec)));
}

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
