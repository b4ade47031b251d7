#include "tacit/consortium/pool/draw_landmarks.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit::testing {
namespace {

TEST(LandmarkCeiling, IsTheLargestThatOpensAQuarter) {
  EXPECT_EQ(landmark_numbers(10), 65u);  // m(m+3)/2
  EXPECT_EQ(landmark_numbers(10, 3, 1), 85u);
  EXPECT_EQ(landmark_numbers(10, 3, 3), 195u);
  EXPECT_EQ(held_numbers(100, 4), 500u);
  for (std::size_t rows : {1, 5, 30, 353, 4000, 36'000, 1'000'000})
    for (std::size_t inputs : {1, 8, 21}) {
      const std::size_t m = landmark_ceiling(rows, inputs);
      const std::uint64_t held = held_numbers(rows, inputs);
      EXPECT_TRUE(m == most_landmarks || 4 * landmark_numbers(m + 1) > held) << rows << ", " << inputs;
      EXPECT_TRUE(m == 0 || 4 * landmark_numbers(m) <= held) << rows << ", " << inputs;
    }
  EXPECT_EQ(landmark_ceiling(353, 10), 42u);
  EXPECT_EQ(landmark_ceiling(1'000'000, 21), most_landmarks);
  EXPECT_EQ(landmark_ceiling(1, 1), 0u);
}

/// Two correlated columns of numbers and one column with three levels, at several agents.
struct Inputs {
  ColumnFacts facts{3, 400, {{-5, 11}, {0, 30}, {0, 1}, {0, 1}, {0, 1}}, {}};
  std::vector<std::size_t> levels{0, 0, 3};
  std::vector<Matrix> parts;
  Matrix all;

  Inputs() {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    all.resize(900, 5);
    for (Index r = 0; r < all.rows(); ++r) {
      const double a = normal(random), b = normal(random), level = static_cast<double>(random() % 10);
      all.row(r) << std::clamp(3 + 1.5 * a, -5., 11.), std::clamp(12 + 4 * (0.8 * a + 0.6 * b), 0., 30.),
          level < 5, level >= 5 && level < 8, level >= 8;
    }
    parts = {all.topRows(400), all.middleRows(400, 300), all.bottomRows(200)};
  }
  std::vector<InputMoments> moments(const std::optional<Standardisation>& known = {}) const {
    Simulator simulator(complete_graph(3), {.threads = 1, .seed = 1, .network = {}, .coalition = {}});
    const PlainSum sum;
    const Matrix none(400, 0);
    std::vector<std::shared_ptr<const Crew>> crews;
    for (const Matrix& part : parts) crews.push_back(crew_of_threads(part, none, {}, 1));
    return simulator.run<InputMoments>(
        [&](tacit::Run& net) { return moments_privately(net, sum, facts, *crews[net.self()], known); });
  }
};

TEST(DrawnLandmarks, MomentsAreThoseOfAllRows) {
  const Inputs inputs;
  Standardisation known{900, {Vector(5), Vector(5)}, {}, 0};
  for (Index c = 0; c < 5; ++c) {
    known.inputs.shift(c) = inputs.all.col(c).mean();
    known.inputs.scale(c) = std::sqrt((inputs.all.col(c).array() - known.inputs.shift(c)).square().mean());
  }
  std::vector<InputMoments> found = inputs.moments();
  const std::vector<InputMoments> from_known = inputs.moments(known);
  EXPECT_EQ(moments_sum(inputs.facts, false).dimension, 21u);
  EXPECT_EQ(moments_sum(inputs.facts, true).dimension, 10u);
  Matrix halves = inputs.all;
  halves.col(0) = (halves.col(0).array() - 3) / 8;
  halves.col(1) = (halves.col(1).array() - 15) / 15;
  halves.rightCols(3) = halves.rightCols(3).array() * 2 - 1;
  const Matrix off = halves.rowwise() - halves.colwise().mean();
  for (const InputMoments& one : found) {
    EXPECT_EQ(one.rows, 900u);
    EXPECT_LT((one.mean - halves.colwise().mean().transpose()).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((one.covariance - off.transpose() * off / 900).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_EQ(one.covariance, found[0].covariance);
  }
  EXPECT_LT((from_known[2].covariance - found[0].covariance).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((from_known[2].mean - found[0].mean).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(from_known[2].rows, 900u);
}

TEST(DrawnLandmarks, FollowThePooledGaussianAndShares) {
  const Inputs inputs;
  const InputMoments moments = inputs.moments()[0];
  const Matrix drawn = draw_landmarks(moments, inputs.facts, inputs.levels, 1000, 7);
  ASSERT_EQ(drawn.rows(), 1000);
  EXPECT_EQ(draw_landmarks(moments, inputs.facts, inputs.levels, 40, 7), drawn.topRows(40));
  EXPECT_NE(draw_landmarks(moments, inputs.facts, inputs.levels, 40, 8), drawn.topRows(40));
  const auto correlation = [](const Matrix& m) {
    const Vector a = m.col(0).array() - m.col(0).mean(), b = m.col(1).array() - m.col(1).mean();
    return a.dot(b) / (a.norm() * b.norm());
  };
  EXPECT_NEAR(drawn.col(0).mean(), inputs.all.col(0).mean(), 0.2);
  EXPECT_NEAR(correlation(drawn), correlation(inputs.all), 0.05);
  EXPECT_GE(drawn.col(1).minCoeff(), 0);
  EXPECT_LE(drawn.col(1).maxCoeff(), 30);
  for (Index c = 2; c < 5; ++c) EXPECT_NEAR(drawn.col(c).mean(), inputs.all.col(c).mean(), 0.05);
  for (Index r = 0; r < drawn.rows(); ++r) EXPECT_EQ(drawn.row(r).tail(3).sum(), 1);  // one level each
}

TEST(DrawnLandmarks, AreDifferentPointsAndNoMoreThanThereAre) {
  const ColumnFacts facts{3, 10, {{0, 1}, {0, 1}, {0, 1}}, {}};
  const InputMoments moments{30, Vector{{-0.2, -0.3, -0.5}}, Matrix::Identity(3, 3)};
  EXPECT_EQ(draw_landmarks(moments, facts, {3}, 50, 1).rows(), 3);
  // A constant column does not distinguish points.
  const ColumnFacts one_varies{3, 10, {{0, 59}, {1, 1}}, {}};
  const Matrix drawn =
      draw_landmarks({60, Vector::Zero(2), Matrix::Identity(2, 2)}, one_varies, {0, 0}, 40, 1);
  std::set<double> different(drawn.col(0).begin(), drawn.col(0).end());
  EXPECT_EQ(different.size(), static_cast<std::size_t>(drawn.rows()));
}

TEST(DrawnLandmarks, AnImpossibleCovarianceStillGivesPoints) {
  const ColumnFacts facts{3, 10, {{-1, 1}, {-1, 1}}, {}};
  const Matrix impossible{{0.1, 0.9}, {0.9, 0.1}};  // a member may have sent false values
  const Matrix drawn = draw_landmarks({30, Vector::Zero(2), impossible}, facts, {0, 0}, 20, 1);
  EXPECT_EQ(drawn.rows(), 20);
  EXPECT_TRUE(drawn.allFinite());
}

TEST(DrawnLandmarks, AValueOutsideItsRangeIsRefused) {
  Inputs inputs;
  inputs.parts[1](7, 0) = 12;
  EXPECT_THROW(inputs.moments(), InputError);
}

}  // namespace
}  // namespace tacit::testing
