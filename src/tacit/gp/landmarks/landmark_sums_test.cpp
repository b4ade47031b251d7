#include "tacit/gp/landmarks/landmark_sums.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/gp/answers_testing.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/gp_testing.hpp"
#include "tacit/gp/landmarks/dense_landmarks_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;
using testing::random_points;

struct Rows {
  Matrix inputs, outputs;
};

Rows waves(Index rows, Index dimensions, unsigned seed) {
  Rows r{random_points(rows, dimensions, 2, seed), Matrix(rows, 2)};
  const Matrix noise = random_matrix(rows, 2, seed + 1);
  for (Index i = 0; i < rows; ++i)
    for (Index o = 0; o < 2; ++o)
      r.outputs(i, o) = std::sin(static_cast<double>(1 + o) * r.inputs(i, 0)) +
                        0.3 * r.inputs(i, dimensions - 1) + 0.1 * noise(i, o);
  return r;
}

Matrix whole(const Matrix& lower) { return lower.selfadjointView<Eigen::Lower>(); }

PooledPart pooled_part(const Matrix& z, const Kernel& kernel, const LandmarkSums& sums) {
  return {std::make_shared<const Landmarks>(z, kernel), sums.precision, sums.weighted};
}

void expect_close(const Matrix& got, const Matrix& want, double tolerance) {
  ASSERT_EQ(got.rows(), want.rows());
  ASSERT_EQ(got.cols(), want.cols());
  EXPECT_LT((got - want).cwiseAbs().maxCoeff(), tolerance * std::max(1., want.cwiseAbs().maxCoeff()));
}

// The results of an independent script, by dense formulas (landmark_answers.py).
TEST(LandmarkSums, AndModelsAreTheKnownOnes) {
  const auto cases = testing::read_answers("landmarks/landmark_answers.csv");
  ASSERT_EQ(cases.size(), 3u);
  for (const testing::Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Index outputs = c.size(2), points = c.size(3), m = c.size(4);
    const Prior prior = checked_prior(c.prior(), c.size(1));
    const Matrix x = c.inputs(), y = c.outputs(), at = c.points();
    const auto landmarks =
        std::make_shared<const Landmarks>(c.matrix("landmarks", m, c.size(1)), prior.kernel);
    LandmarkSums sums(m, outputs);
    Index first = 0;
    for (double rows : c.numbers.at("blocks")) {
      const auto n = static_cast<Index>(rows);
      add_landmark_sums(sums, x.middleRows(first, n), y.middleRows(first, n), prior, *landmarks);
      first += n;
    }
    EXPECT_EQ(sums.rows, static_cast<double>(c.size(0)));
    EXPECT_EQ(sums.jitter, 0);
    expect_close(whole(sums.precision), c.matrix("precision", m, m), 1e-8);
    expect_close(sums.weighted, c.matrix("weighted", m, outputs), 1e-8);
    const PooledPart pooled(landmarks, sums.precision, sums.weighted);
    expect_close(pooled.log_marginal_likelihood(sums), c.matrix("likelihood", outputs, 1), 1e-8);

    const Matrix features = landmarks->features(at);
    const Vector prior_left = landmarks->residual_variance(at, features);
    Evidence all(points, outputs);
    first = 0;
    for (double rows : c.numbers.at("blocks")) {
      const auto n = static_cast<Index>(rows);
      const Prediction p =
          Expert::of(x.middleRows(first, n), y.middleRows(first, n), prior, pooled).predict(at);
      if (first == 0) {
        expect_close(pooled.mean(features) + p.mean, c.matrix("home_mean", points, outputs), 1e-8);
        expect_close(pooled.variance(features) + p.latent_variance.col(0), c.matrix("home_latent", points, 1),
                     1e-8);
      }
      add_expert(all, Fusion::rbcm, p.mean, p.latent_variance, prior_left);
      first += n;
    }
    const Prediction fused = fuse(Fusion::rbcm, all, prior_left);
    expect_close(pooled.mean(features) + fused.mean, c.matrix("together_mean", points, outputs), 1e-8);
    expect_close(pooled.variance(features) + fused.latent_variance.col(0),
                 c.matrix("together_latent", points, 1), 1e-8);
  }
}

TEST(LandmarkSums, LikelihoodIsThatOfTheDenseCovarianceForEveryKernel) {
  const Rows rows = waves(40, 2, 1);
  const Matrix z = random_points(7, 2, 2, 3);
  const CommitteeOptions options{.expert_rows = 9};
  const Committee committee(rows.inputs, rows.outputs, options);
  for (const Kernel& kernel : testing::every_composition(1, 2)) {
    SCOPED_TRACE(kernel.text());
    const Prior prior = checked_prior({kernel, 0.3}, 2);
    const LandmarkSums sums = committee.landmark_sums(prior, 0, 2, Landmarks(z, kernel));
    const Vector got = pooled_part(z, kernel, sums).log_marginal_likelihood(sums);
    const auto want =
        testing::dense_likelihood(rows.inputs, rows.outputs, split_rows(rows.inputs, options), prior, z);
    for (Index o = 0; o < 2; ++o) {
      const auto value = static_cast<double>(want.values[static_cast<std::size_t>(o)]);
      EXPECT_NEAR(got(o), value, 1e-8 * std::abs(value));
    }
  }
}

TEST(LandmarkSums, WithEveryRowALandmarkAreTheExactPooledModel) {
  const Rows rows = waves(60, 2, 4);
  const Matrix points = random_points(25, 2, 2, 5);
  const Committee committee(rows.inputs, rows.outputs, {.expert_rows = 20});
  for (const Kernel& kernel :
       {se(1.2, 1.1), matern32(1.), se({1, 2}, 1.1) * rational_quadratic() + linear(0.3)}) {
    SCOPED_TRACE(kernel.text());
    const Prior prior(kernel, 0.2);
    const LandmarkSums sums = committee.landmark_sums(prior, 0, 2, Landmarks(rows.inputs, kernel));
    const PooledPart pooled = pooled_part(rows.inputs, kernel, sums);
    const Expert exact = Expert::of(rows.inputs, rows.outputs, prior);
    const Prediction want = exact.predict(points);
    const auto found = committee.evidence(prior, 0, 2, points, all_fusions, &pooled);
    for (std::size_t k = 2; k < 4; ++k) {  // only committees: products do not use the prior
      const Prediction left = fuse(all_fusions[k], found.evidence[k], found.prior);
      expect_close(found.pooled.mean + left.mean, want.mean, 1e-6);
      expect_close(found.pooled.latent_variance + left.latent_variance, want.latent_variance, 1e-6);
    }
    expect_close(pooled.log_marginal_likelihood(sums), exact.log_marginal_likelihood(), 1e-6);
  }
}

// Landmarks that are far from all rows leave everything to the experts.
TEST(LandmarkSums, OfLandmarksFarAwayChangeNothing) {
  const Rows rows = waves(30, 2, 6);
  const Matrix points = random_points(8, 2, 2, 7), far = random_points(3, 2, 2, 8).array() + 1e3;
  const Prior prior(se(), 0.3);
  const Committee committee(rows.inputs, rows.outputs, {.expert_rows = 10});
  const LandmarkSums sums = committee.landmark_sums(prior, 0, 2, Landmarks(far, prior.kernel));
  const PooledPart pooled = pooled_part(far, prior.kernel, sums);
  EXPECT_NEAR(pooled.log_marginal_likelihood(sums).sum(), committee.likelihood(prior, 0, 2).value, 1e-9);
  const auto with = committee.evidence(prior, 0, 2, points, all_fusions, &pooled);
  const auto without = committee.evidence(prior, 0, 2, points, all_fusions);
  EXPECT_EQ(with.pooled.mean.norm(), 0);
  for (std::size_t k = 0; k < with.evidence.size(); ++k) {
    expect_close(with.evidence[k].precision, without.evidence[k].precision, 1e-10);
    expect_close(with.evidence[k].weighted_mean, without.evidence[k].weighted_mean, 1e-10);
  }
}

TEST(LandmarkSums, WithoutAPooledPartACommitteeIsItsExpertsToTheBit) {
  const Rows rows = waves(50, 3, 9);
  const Matrix points = random_points(12, 3, 2, 10);
  const CommitteeOptions options{.expert_rows = 13};
  const Committee committee(rows.inputs, rows.outputs, options, 2);
  for (const Prior& prior : {Prior(se(ard), 0.2), Prior(matern52(1.) + linear(), 0.4)}) {
    const auto found = committee.evidence(prior, 0, 2, points, all_fusions, nullptr);
    std::vector<Evidence> want(4, Evidence(12, 2));
    const Vector before = prior.kernel.for_inputs(3).prior_variance(points);
    for (const auto& part : split_rows(rows.inputs, options)) {
      const Prediction p =
          Expert::of(rows.inputs(part, Eigen::all), rows.outputs(part, Eigen::all), prior).predict(points);
      for (std::size_t k = 0; k < 4; ++k)
        add_expert(want[k], all_fusions[k], p.mean, p.latent_variance, before);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(found.evidence[k].precision, want[k].precision);
      EXPECT_EQ(found.evidence[k].weighted_mean, want[k].weighted_mean);
    }
    EXPECT_EQ(found.prior, before);
    EXPECT_EQ(found.pooled.mean.size(), 0);
  }
}

// With more blocks than partial sums at a time (LandmarkJob::most_parts).
TEST(LandmarkSums, AreTheSameBitsOnAnyNumberOfThreads) {
  const Rows rows = waves(400, 2, 11);
  const Prior prior(se(0.8) + linear(), 0.3);
  const Landmarks landmarks(random_points(15, 2, 2, 12), prior.kernel);
  const auto sums_on = [&](unsigned threads) {
    const Committee committee(rows.inputs, rows.outputs, {.expert_rows = 10}, threads);
    return committee.landmark_sums(prior, 0, 2, landmarks);
  };
  const LandmarkSums one = sums_on(1);
  for (unsigned threads : {2u, 3u, 8u}) {
    const LandmarkSums many = sums_on(threads);
    EXPECT_EQ(whole(many.precision), whole(one.precision));
    EXPECT_EQ(many.weighted, one.weighted);
    EXPECT_EQ(many.squares, one.squares);
    EXPECT_EQ(many.log_determinant, one.log_determinant);
    EXPECT_EQ(many.rows, 400);
  }
}

// The work grows linearly with the rows because blocks have a fixed size, each block is processed once and
// independently, and the size of their sums does not depend on the rows.
TEST(LandmarkSums, AreSumsOverBlocksWhoseSizeDoesNotGrowWithTheRows) {
  const Prior prior(se(0.8), 0.3);
  const Matrix z = random_points(6, 2, 2, 13);
  const Landmarks landmarks(z, prior.kernel);
  const CommitteeOptions options{.expert_rows = 25};
  for (Index n : {100, 200, 400}) {
    const Rows rows = waves(n, 2, 14);
    const auto parts = split_rows(rows.inputs, options);
    EXPECT_EQ(parts.size(), static_cast<std::size_t>(n) / 25);
    LandmarkSums by_block(6, 2);
    for (const auto& part : parts) {
      EXPECT_EQ(part.size(), 25u);
      LandmarkSums one(6, 2);
      add_landmark_sums(one, rows.inputs(part, Eigen::all), rows.outputs(part, Eigen::all), prior, landmarks);
      by_block += one;
    }
    const LandmarkSums all =
        Committee(rows.inputs, rows.outputs, options).landmark_sums(prior, 0, 2, landmarks);
    expect_close(whole(by_block.precision), whole(all.precision), 1e-12);
    expect_close(by_block.weighted, all.weighted, 1e-12);
    EXPECT_NEAR(by_block.log_determinant, all.log_determinant, 1e-9);
    EXPECT_NEAR(by_block.squares.sum(), all.squares.sum(), 1e-9 * all.squares.sum());
    EXPECT_EQ(by_block.rows, static_cast<double>(n));
  }
}

TEST(LandmarkSums, OfSomeOutputsAreTheirColumnsOfAll) {
  const Rows rows = waves(30, 2, 15);
  const Prior prior(se(), 0.3);
  const Landmarks landmarks(random_points(5, 2, 2, 16), prior.kernel);
  const Committee committee(rows.inputs, rows.outputs, {.expert_rows = 12});
  const LandmarkSums both = committee.landmark_sums(prior, 0, 2, landmarks);
  const LandmarkSums second = committee.landmark_sums(prior, 1, 1, landmarks);
  expect_close(second.weighted, both.weighted.col(1), 1e-13);
  EXPECT_EQ(whole(second.precision), whole(both.precision));
}

TEST(LandmarkSums, RefuseBadRowsAndSumsInOneSentence) {
  const Prior prior(se(), 0.3);
  const auto landmarks = std::make_shared<const Landmarks>(random_points(3, 2, 1, 17), prior.kernel);
  const auto with = [&](const Matrix& inputs, const Matrix& outputs) {
    LandmarkSums sums(3, 1);
    add_landmark_sums(sums, inputs, outputs, prior, *landmarks);
  };
  EXPECT_NO_THROW(with(Matrix::Zero(2, 2), Matrix::Zero(2, 1)));
  EXPECT_THROW(with(Matrix::Zero(0, 2), Matrix::Zero(0, 1)), InputError);
  EXPECT_THROW(with(Matrix::Zero(2, 2), Matrix::Zero(3, 1)), InputError);
  EXPECT_THROW(with(Matrix::Constant(2, 2, NAN), Matrix::Zero(2, 1)), InputError);
  EXPECT_THROW(with(Matrix::Zero(2, 2), Matrix::Constant(2, 1, INFINITY)), InputError);
  EXPECT_THROW(with(Matrix::Zero(2, 5), Matrix::Zero(2, 1)), InputError);

  EXPECT_THROW(PooledPart(landmarks, Matrix::Zero(4, 4), Matrix::Zero(4, 1)), InputError);
  EXPECT_THROW(PooledPart(landmarks, Matrix::Zero(3, 3), Matrix::Zero(2, 1)), InputError);
  try {
    PooledPart(landmarks, -2 * Matrix::Identity(3, 3), Matrix::Zero(3, 1));
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "the sums over landmarks are not those of any rows: they were rounded too coarsely, or a "
                 "party's part is wrong; raise the precision of the sums, or check the parties");
  }
}

}  // namespace
}  // namespace tacit
