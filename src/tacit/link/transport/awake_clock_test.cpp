#include "tacit/link/transport/awake_clock.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace tacit {
namespace {

using namespace std::chrono_literals;

TEST(AwakeClock, CountsOnlyTheTimeInWhichTheMachineRan) {
  AwakeClock::Time source{100s};
  AwakeClock clock([&] { return source; });
  const AwakeClock::Time begin = clock.now();
  source += 3s;
  EXPECT_EQ(clock.now() - begin, 3s);
  EXPECT_EQ(clock.stood_still(), 0s);
  source += 1h;
  EXPECT_EQ(clock.now() - begin, 3s);
  EXPECT_EQ(clock.stood_still(), 1h);
  source += 2s;
  EXPECT_EQ(clock.now() - begin, 5s);
  source += 2h;
  EXPECT_EQ(clock.stood_still(), 3h) << "the sum of both";
}

// A machine that was suspended since its start must not count the same time as before.
TEST(AwakeClock, ReadsTheTimeSinceTheMachinesStart) {
  const AwakeClock::Time before = AwakeClock::since_boot();
  double uptime = 0;
  std::ifstream("/proc/uptime") >> uptime;  // includes suspended time
  const AwakeClock::Time after = AwakeClock::since_boot();
  const auto seconds = [](AwakeClock::Time time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
  };
  EXPECT_GE(uptime, seconds(before) - 1);
  EXPECT_LE(uptime, seconds(after) + 1);
}

TEST(AwakeClock, ABusyMachineIsSlowButAwake) {
  AwakeClock::Time source{100s};
  AwakeClock clock([&] { return source; });
  const AwakeClock::Time begin = clock.now();
  for (int k = 0; k < 10; ++k) {
    source += AwakeClock::standstill;
    clock.now();
  }
  EXPECT_EQ(clock.now() - begin, 10 * AwakeClock::standstill);
}

}  // namespace
}  // namespace tacit
