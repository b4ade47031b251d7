#include "tacit/base/stop.hpp"

#include <gtest/gtest.h>

#include "tacit/base/system/parallel.hpp"

namespace tacit {
namespace {

TEST(Stop, EndsTheWorkOfThisThreadAndOfItsLoops) {
  std::atomic<bool> stop = false;
  std::atomic<int> done = 0;
  {
    const StoppableWork here(stop);
    EXPECT_NO_THROW(leave_if_stopped());
    EXPECT_THROW(parallel_for(2, 1000,
                              [&](std::size_t) {
                                if (++done == 3) stop = true;
                              }),
                 Stopped);
    EXPECT_THROW(leave_if_stopped(), Stopped);
  }
  EXPECT_LE(done, 4);  // the other thread may have been running a job
  EXPECT_NO_THROW(leave_if_stopped());
}

TEST(Stop, WorkWithoutAFlagIsLeftAlone) {
  std::atomic<bool> stop = true;
  const StoppableWork outer(stop);
  const StoppableWork inner(nullptr);
  int done = 0;
  parallel_for(1, 10, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace tacit
