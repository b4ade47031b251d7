#include "tacit/lab/audit/landmark_attack.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/gp/gp_testing.hpp"
#include "tacit/lab/audit/landmark_attack_trial.hpp"

namespace tacit::testing {
namespace {

OpenedNumbers numbers(Index m, Index d, std::vector<Index> blocks, const Prior& prior) {
  return {Landmarks(random_matrix(m, d, 77), prior.kernel), prior, std::move(blocks)};
}

TEST(OpenedNumbers, SlopesAreThoseOfDifferences) {
  for (const Kernel& kernel : {se(0.9, 1.3), matern52(1.5) + linear(0.4), se({0.7, 2.0})}) {
    const OpenedNumbers opened = numbers(5, 2, {4, 3}, Prior(kernel, 0.3));
    const Matrix rows = random_matrix(7, 3, 5), slopes = opened.slopes(rows);
    ASSERT_EQ(slopes.rows(), 20);
    ASSERT_EQ(slopes.cols(), 21);
    for (Index i = 0; i < 7; ++i)
      for (Index c = 0; c < 3; ++c) {
        Matrix up = rows, down = rows;
        up(i, c) += 1e-5;
        down(i, c) -= 1e-5;
        const Vector want = (opened.of(up) - opened.of(down)) / 2e-5;
        EXPECT_LT((slopes.col(3 * i + c) - want).cwiseAbs().maxCoeff(),
                  1e-6 * (1 + want.cwiseAbs().maxCoeff()))
            << kernel.text() << " row " << i << " column " << c;
      }
  }
}

TEST(OpenedNumbers, EveryAgentRoundsItsPart) {
  const OpenedNumbers opened = numbers(4, 2, {3, 5}, Prior(se(), 0.3));
  const Matrix rows = random_matrix(8, 3, 6);
  const double unit = 0x1p-6;
  const Vector exact = opened.of(rows), rounded = opened.of(rows, unit);
  EXPECT_EQ((rounded / unit - (rounded / unit).array().round().matrix()).norm(), 0);
  EXPECT_LE((rounded - exact).cwiseAbs().maxCoeff(), unit);  // half a unit for each of two agents
  EXPECT_GT((rounded - exact).cwiseAbs().maxCoeff(), unit / 8);
}

TEST(OpenedNumbers, ABlockWithoutRowsIsRefused) {
  EXPECT_THROW(numbers(4, 2, {3, 0}, Prior(se(), 0.3)), InputError);
}

TEST(Nearness, RowsArePairedOneToOne) {
  Matrix truth(3, 2), guess(3, 2);
  truth << 0, 0, 0, 0.1, 5, 5;
  guess << 5, 5.001, 0, 0.5, 0, 0.004;
  const Nearness near = nearness(truth, guess);
  EXPECT_NEAR(near.distances(0), 0.004, 1e-12);
  EXPECT_NEAR(near.distances(1), 0.4, 1e-12);  // the nearest guess already has a partner
  EXPECT_NEAR(near.distances(2), 0.001, 1e-12);
  EXPECT_EQ(near.found, 2);
  EXPECT_EQ(near.inputs_found, 3);
  EXPECT_NEAR(near.median, 0.004, 1e-12);
}

TEST(LandmarkAttack, FindsAllRowsWhenMoreIsOpenedThanTheyHold) {
  const MadeUpPool pool = made_up_pool({.rows = 5, .inputs = 1, .landmarks = 7}, 3);
  const LandmarkTrial trial = try_landmark_attack(pool, {});
  EXPECT_LT(trial.misfit, 2);
  EXPECT_EQ(trial.fitted.found, 5);
  EXPECT_EQ(trial.within_reach(), 5);
  EXPECT_LT(trial.chance.found, 0.5);
}

TEST(LandmarkAttack, FindsNoRowAtTheCeiling) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const MadeUpPool pool = made_up_pool({.rows = 12, .inputs = 2, .landmarks = 3, .agents = 2}, seed);
    const LandmarkTrial trial = try_landmark_attack(pool, {.starts = 2, .hops = 2});
    EXPECT_LT(trial.misfit, 2);  // other rows fit the same sums
    EXPECT_EQ(trial.fitted.found, 0);
    EXPECT_EQ(trial.within_reach(), 0);
  }
}

// In the linear model, a quarter as many numbers as unknowns leaves at least three quarters of the variance.
TEST(LandmarkAttack, ManyNumbersLeaveLittleToGuess) {
  const auto left = [](std::size_t landmarks) {
    const MadeUpPool pool = made_up_pool({.rows = 12, .inputs = 2, .landmarks = landmarks, .agents = 2}, 4);
    return left_to_guess(pool.numbers, pool.rows, 0x1p-30);
  };
  const Matrix few = left(3), many = left(16);
  EXPECT_GE(few.squaredNorm(), 0.75 * 36 - 1e-6);
  EXPECT_LT(many.maxCoeff(), 0.01);
}

TEST(LandmarkAttack, KnownInputsGiveTargetsAway) {
  const MadeUpPool many = made_up_pool({.rows = 6, .inputs = 3, .landmarks = 8}, 5);
  EXPECT_LT(targets_left_to_guess(many.numbers, many.rows, 0x1p-30).maxCoeff(), 1e-3);
  const MadeUpPool few = made_up_pool({.rows = 16, .inputs = 3, .landmarks = 4}, 5);
  EXPECT_GE(targets_left_to_guess(few.numbers, few.rows, 0x1p-30).squaredNorm(), 12 - 1e-6);
}

TEST(LandmarkAttack, SameSeedSameRowsOnOneThreadOrMany) {
  const MadeUpPool pool = made_up_pool({.rows = 8, .inputs = 1, .landmarks = 4, .agents = 2}, 6);
  const Vector opened = pool.numbers.of(pool.rows, 0x1p-12);
  LandmarkAttackSettings settings{.starts = 3, .hops = 2};
  const FittedRows one = fit_rows(pool.numbers, opened, settings);
  settings.threads = 3;
  EXPECT_EQ(one.rows, fit_rows(pool.numbers, opened, settings).rows);
}

TEST(LandmarkAttack, EveryAgentOfAPoolNeedsARow) {
  EXPECT_THROW(made_up_pool({.rows = 3, .agents = 4}, 1), InputError);
}

}  // namespace
}  // namespace tacit::testing
