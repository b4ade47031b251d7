#include "tacit/gp/landmarks/landmark_likelihood.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/gp/answers_testing.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/gp_testing.hpp"
#include "tacit/gp/landmarks/dense_landmarks_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;
using testing::random_points;

using Parts = std::vector<std::vector<Index>>;

double difference(const Matrix& x, const Matrix& y, const Parts& parts, const Prior& prior, const Matrix& z,
                  std::size_t parameter) {
  constexpr double step = 1e-3;
  const auto value = [&](int k) {
    std::vector<double> logs = prior.logarithms();
    logs[parameter] += k * step;
    return testing::dense_likelihood(x, y, parts, prior.at(logs), z).sum;
  };
  return static_cast<double>((8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step));
}

// Sums all parts, as parties would.
Likelihood whole(const Committee& committee, Index outputs, const Prior& prior, const Matrix& z) {
  const auto landmarks = std::make_shared<const Landmarks>(z, prior.kernel);
  const LandmarkSums sums = committee.landmark_sums(prior, 0, outputs, *landmarks);
  const PooledPart pooled(landmarks, sums.precision, sums.weighted);
  Likelihood all = committee.landmark_likelihood(prior, 0, outputs, pooled);
  const Likelihood common = landmark_likelihood(prior, pooled);
  all.value += common.value;
  for (std::size_t k = 0; k < all.slopes.size(); ++k) all.slopes[k] += common.slopes[k];
  EXPECT_NEAR(all.value, pooled.log_marginal_likelihood(sums).sum(), 1e-9 * (1 + std::abs(all.value)));
  return all;
}

void expect_right(const Matrix& x, const Matrix& y, const Kernel& kernel, double noise, const Matrix& z,
                  double tolerance) {
  SCOPED_TRACE(kernel.text());
  const Prior prior = checked_prior({kernel, noise}, x.cols());
  const CommitteeOptions options{.expert_rows = x.rows() < 30 ? 5u : 20u};
  const Parts parts = split_rows(x, options);
  const Likelihood got = whole(Committee(x, y, options), y.cols(), prior, z);
  const auto want = testing::dense_likelihood(x, y, parts, prior, z);
  const double size =
      static_cast<double>(want.fits) + static_cast<double>(y.size());  // of terms that may cancel
  EXPECT_NEAR(got.value, static_cast<double>(want.sum), 1e-9 * size);
  ASSERT_EQ(got.slopes.size(), prior.names().size());
  for (std::size_t k = 0; k < got.slopes.size(); ++k)
    EXPECT_NEAR(got.slopes[k], difference(x, y, parts, prior, z, k), tolerance * size) << prior.names()[k];
}

TEST(LandmarkLikelihood, HasTheSlopesOfTheDenseCovarianceForEveryKernel) {
  const Matrix x = random_points(19, 2, 2, 1), y = random_matrix(19, 2, 2), z = random_points(4, 2, 2, 3);
  for (const Kernel& kernel : testing::every_leaf(0.9, 2)) expect_right(x, y, kernel, 0.3, z, 1e-7);
  for (const Kernel& kernel :
       {se({1, 2}) + linear(), matern32(1.) * rational_quadratic(2.),
        (se() + linear(0.5)) * periodic(2.) + constant(0.5) * matern12(ard) * matern52(2.)})
    expect_right(x, y, kernel, 0.3, z, 1e-7);
}

// Blocks of more than one tile, and more landmarks than a block has rows.
TEST(LandmarkLikelihood, HasThemForMoreRowsAndLandmarksThanATileHolds) {
  const Matrix x = random_points(40, 2, 2, 4), y = random_matrix(40, 1, 5), z = random_points(19, 2, 2, 6);
  for (const Kernel& kernel : {se({0.5, 1}, 1.3), matern12(0.8) + linear(0.5)})
    expect_right(x, y, kernel, 0.2, z, 1e-7);
}

// If landmarks are nearly linearly dependent, the features depend on the jitter of their covariance.
TEST(LandmarkLikelihood, HasThemWhereLandmarksAreNearlySingular) {
  const Matrix x = random_points(19, 2, 2, 7), y = random_matrix(19, 2, 8), z = random_points(25, 2, 1, 9);
  for (const Kernel& kernel : {se(3.), linear(1.3), constant(0.7), se(2.) * linear(ard)})
    expect_right(x, y, kernel, 0.3, z, 1e-4);
}

// The differences of an independent script (landmark_answers.py).
TEST(LandmarkLikelihood, HasTheKnownSlopes) {
  for (const testing::Case& c : testing::read_answers("landmarks/landmark_answers.csv")) {
    SCOPED_TRACE(c.name);
    const Prior prior = checked_prior(c.prior(), c.size(1));
    const Matrix x = c.inputs(), y = c.outputs();
    const auto landmarks =
        std::make_shared<const Landmarks>(c.matrix("landmarks", c.size(4), c.size(1)), prior.kernel);
    const auto for_each_block = [&](auto&& work) {
      Index first = 0;
      for (double rows : c.numbers.at("blocks")) {
        const auto n = static_cast<Index>(rows);
        work(Matrix(x.middleRows(first, n)), Matrix(y.middleRows(first, n)));
        first += n;
      }
    };
    LandmarkSums sums(c.size(4), c.size(2));
    for_each_block(
        [&](const Matrix& in, const Matrix& out) { add_landmark_sums(sums, in, out, prior, *landmarks); });
    const PooledPart pooled(landmarks, sums.precision, sums.weighted);
    Likelihood all = landmark_likelihood(prior, pooled);
    for_each_block([&](const Matrix& in, const Matrix& out) {
      const Likelihood one = landmark_likelihood(in, out, prior, pooled);
      all.value += one.value;
      for (std::size_t k = 0; k < one.slopes.size(); ++k) all.slopes[k] += one.slopes[k];
    });
    const Matrix want = c.matrix("gradient", static_cast<Index>(all.slopes.size()), 1);
    for (Index k = 0; k < want.size(); ++k)
      EXPECT_NEAR(all.slopes[static_cast<std::size_t>(k)], want(k), 1e-6 * want.norm()) << k;
    EXPECT_NEAR(all.value, c.matrix("likelihood", c.size(2), 1).sum(), 1e-8 * std::abs(all.value));
  }
}

TEST(LandmarkLikelihood, WithEveryRowALandmarkIsTheExactOne) {
  const Matrix x = random_points(50, 2, 2, 10), y = random_matrix(50, 2, 11);
  for (const Kernel& kernel : {se(0.7, 1.2), matern52({1, 2}), matern32(1.) * periodic(3.) + constant(0.5)}) {
    SCOPED_TRACE(kernel.text());
    const Prior prior = checked_prior({kernel, 0.3}, 2);
    const Likelihood got = whole(Committee(x, y, {.expert_rows = 12}), 2, prior, x);
    const Likelihood want = log_marginal_likelihood(x, y, prior);
    EXPECT_NEAR(got.value, want.value, 1e-6 * std::abs(want.value));
    for (std::size_t k = 0; k < want.slopes.size(); ++k)
      EXPECT_NEAR(got.slopes[k], want.slopes[k], 1e-5 * (1 + std::abs(want.value))) << prior.names()[k];
  }
}

TEST(LandmarkLikelihood, OfLandmarksFarAwayIsTheSummedLocalOne) {
  const Matrix x = random_points(40, 2, 2, 12), y = random_matrix(40, 2, 13);
  const Matrix far = random_points(4, 2, 2, 14).array() + 1e3;
  const Committee committee(x, y, {.expert_rows = 11});
  const Prior prior(se(1.1, 0.9), 0.3);
  const Likelihood got = whole(committee, 2, prior, far), want = committee.likelihood(prior, 0, 2);
  EXPECT_NEAR(got.value, want.value, 1e-9 * std::abs(want.value));
  for (std::size_t k = 0; k < want.slopes.size(); ++k)
    EXPECT_NEAR(got.slopes[k], want.slopes[k], 1e-7 * std::abs(want.value)) << k;
}

TEST(LandmarkLikelihood, IsTheSameBitsOnAnyNumberOfThreads) {
  const Matrix x = random_points(120, 2, 2, 15), y = random_matrix(120, 1, 16);
  const Prior prior(se(0.8), 0.3);
  const Matrix z = random_points(9, 2, 2, 17);
  const Likelihood one = whole(Committee(x, y, {.expert_rows = 10}, 1), 1, prior, z);
  const Likelihood many = whole(Committee(x, y, {.expert_rows = 10}, 3), 1, prior, z);
  EXPECT_EQ(one.value, many.value);
  EXPECT_EQ(one.slopes, many.slopes);
}

TEST(LandmarkLikelihood, RefusesBadInput) {
  const Prior prior(se(), 0.3);
  const auto landmarks = std::make_shared<const Landmarks>(random_points(3, 2, 1, 18), prior.kernel);
  const PooledPart pooled(landmarks, Matrix::Zero(3, 3), Matrix::Zero(3, 1));
  EXPECT_NO_THROW(landmark_likelihood(Matrix::Zero(2, 2), Matrix::Zero(2, 1), prior, pooled));
  EXPECT_THROW(landmark_likelihood(Matrix::Zero(2, 2), Matrix::Zero(3, 1), prior, pooled), InputError);
  EXPECT_THROW(landmark_likelihood(Matrix::Zero(2, 4), Matrix::Zero(2, 1), prior, pooled), InputError);
  EXPECT_THROW(landmark_likelihood(Matrix::Constant(2, 2, NAN), Matrix::Zero(2, 1), prior, pooled),
               InputError);
}

}  // namespace
}  // namespace tacit
