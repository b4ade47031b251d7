// Sums over experts are identical to the bit for every distribution of lanes and stretches among threads.
#include "tacit/gp/committee/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;

// Numbers whose sum depends on the order of the additions.
class Awkward final : public SumJob {
 public:
  Awkward() : SumJob(1) {}
  std::string_view kind() const override { return "awkward"; }
  void write(SavedWriter&) const override {}
  static double number(std::size_t expert) { return std::sin(static_cast<double>(expert) * 1e3) * 1e6; }

 protected:
  void add(const Block& block, ExpertSums& all) const override { all.sums[0] += number(block.expert); }
};

// The order that crew.hpp specifies: stretches, then lanes, then the total.
double added_in_order(std::size_t experts) {
  double all = 0;
  for (std::size_t lane = 0; lane < lane_count(experts); ++lane) {
    const std::size_t first = lane_start(experts, lane), count = lane_start(experts, lane + 1) - first;
    const std::size_t stretches = stretch_count(count);
    double of_lane = 0;
    for (std::size_t s = 0; s < stretches; ++s) {
      double of_stretch = 0;
      for (std::size_t e = count * s / stretches; e < count * (s + 1) / stretches; ++e)
        of_stretch += Awkward::number(first + e);
      of_lane = s == 0 ? of_stretch : of_lane + of_stretch;
    }
    all = lane == 0 ? of_lane : all + of_lane;
  }
  return all;
}

TEST(Crew, AddsUpInAnOrderThatDependsOnTheNumberOfExpertsAlone) {
  for (const Index experts : {1, 63, 65, 1000, 64 * 40, 64 * 200}) {
    const Matrix x = random_matrix(experts, 1, 1), y = random_matrix(experts, 1, 2);
    const double expected = added_in_order(static_cast<std::size_t>(experts));
    for (const unsigned threads : {1u, 2u, 300u}) {
      const auto crew = crew_of_threads(x, y, {.expert_rows = 1}, threads);
      EXPECT_EQ(crew->add_up(Awkward()).sums[0], expected) << experts << " experts, " << threads;
      // Computes one lane at a time, as one of many ranks does.
      ExpertSums one_by_one;
      for (std::size_t lane = 0; lane < lane_count(crew->experts()); ++lane)
        add_lane(one_by_one, crew->lanes(Awkward(), lane, lane + 1)[0]);
      EXPECT_EQ(one_by_one.sums[0], expected);
    }
  }
}

// Counts how many threads work at the same time.
class Watched final : public SumJob {
 public:
  Watched() : SumJob(1) {}
  std::string_view kind() const override { return "watched"; }
  void write(SavedWriter&) const override {}
  mutable std::atomic<int> there{0}, most{0};

 protected:
  void add(const Block&, ExpertSums&) const override {
    const int now = ++there;
    for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
    // A second thread may start late on a busy machine. It is waited for once.
    while (most < 2 && ++waits_ < 60'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --there;
  }

 private:
  mutable std::atomic<int> waits_{0};
};

TEST(Crew, ThreadsShareALane) {
  if (default_threads() < 2) GTEST_SKIP() << "this machine has one core";
  const Matrix x = random_matrix(64 * 16, 1, 1), y = random_matrix(64 * 16, 1, 2);
  const Watched job;
  (void)crew_of_threads(x, y, {.expert_rows = 1}, 2)->lanes(job, 5, 6);
  EXPECT_GE(job.most, 2);
}

}  // namespace
}  // namespace tacit
