#include "tacit/base/system/parallel.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tacit {
namespace {

TEST(ParallelFor, RunsEveryJobOnceWhateverTheThreads) {
  for (unsigned threads : {0u, 1u, 2u, 7u}) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(threads, runs.size(), [&](std::size_t i) { ++runs[i]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
}

// Under the thread sanitizer, this test checks that it knows what precedes and follows the loop.
TEST(ParallelFor, SeesWhatWasBeforeAndIsSeenAfter) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::vector<int> given(1000, repeat), made(1000);
    parallel_for(default_threads(), made.size(),
                 [&](std::size_t i) { made[i] = std::accumulate(given.begin(), given.end(), 0); });
    EXPECT_EQ(made, std::vector<int>(1000, 1000 * repeat));
  }
}

TEST(ParallelFor, DoesNothingForNoJobs) {
  parallel_for(4, 0, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, ReportsTheFailureOfTheLowestIndex) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      parallel_for(3, 100, [](std::size_t i) {
        if (i % 2 == 1) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "1");
    }
  }
}

// Records which threads have run jobs. Linux does not give the id of an ended thread to the next thread.
class Seen {
 public:
  void here() {
    const std::lock_guard lock(guard_);
    threads_.insert(gettid());
  }
  std::size_t threads() const { return threads_.size(); }

 private:
  std::mutex guard_;
  std::set<pid_t> threads_;
};

TEST(ParallelFor, LoopsShareOnePoolOfThreads) {
  Seen seen;
  for (int loop = 0; loop < 200; ++loop) parallel_for(4, 100, [&](std::size_t) { seen.here(); });
  EXPECT_LE(seen.threads(), default_threads());
}

TEST(ParallelFor, LoopsInsideOfJobsEndAndShareItToo) {
  Seen seen;
  std::atomic<int> runs = 0;
  parallel_for(8, 8, [&](std::size_t) {
    parallel_for(8, 8, [&](std::size_t) {
      parallel_for(8, 8, [&](std::size_t) {
        ++runs;
        seen.here();
      });
    });
  });
  EXPECT_EQ(runs, 8 * 8 * 8);
  EXPECT_LE(seen.threads(), default_threads());
}

TEST(ParallelFor, OneThreadIsTheCallers) {
  parallel_for(1, 100, [caller = gettid()](std::size_t) { EXPECT_EQ(gettid(), caller); });
}

// While a job waits for an inner loop, its thread must not start another job of the outer loop: that job
// might lock what the first job has locked.
TEST(ParallelFor, AJobIsNotInterruptedByAnotherOfTheSameLoop) {
  parallel_for(4, 200, [&](std::size_t) {
    thread_local int depth = 0;
    EXPECT_EQ(depth++, 0);
    parallel_for(4, 20, [](std::size_t) {});
    --depth;
  });
}

}  // namespace
}  // namespace tacit
