#include "tacit/regression/landmarks.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(LandmarkCeiling, AQuarterOfWhatRowsHold) {
  EXPECT_EQ(landmark_ceiling(353, 10), 42u);  // 945 ≤ 970.75 < 989
  EXPECT_EQ(landmark_ceiling(40, 2), 6u);     // 27 ≤ 30 < 35
  EXPECT_EQ(landmark_ceiling(8, 0), 1u);      // 2 ≤ 2
  EXPECT_EQ(landmark_ceiling(1, 1), 0u);
  EXPECT_EQ(landmark_ceiling(0, 5), 0u);
  EXPECT_EQ(landmark_ceiling(1'000'000'000, 100), most_landmarks);
}

}  // namespace
}  // namespace tacit
