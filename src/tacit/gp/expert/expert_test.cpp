#include "tacit/gp/expert/expert.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "tacit/base/error.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::LongMatrix;
using testing::random_matrix;

RC_GTEST_PROP(Expert, AgreesWithTheFormulaInLongDouble, ()) {
  const Index n = *rc::gen::inRange(1, 40);
  const Index dimensions = *rc::gen::inRange(1, 8);
  const Index outputs = *rc::gen::inRange(0, 4);
  const unsigned seed = *rc::gen::arbitrary<unsigned>();
  const Hyperparameters h{*rc::gen::element(0.3, 1.0, 4.0), *rc::gen::element(0.1, 1.0, 20.0),
                          *rc::gen::element(0.05, 0.5)};
  const Matrix x = random_matrix(n, dimensions, seed);
  const Matrix y = random_matrix(n, outputs, seed + 1);
  const Matrix points = random_matrix(7, dimensions, seed + 2);

  const long double s = h.noise;
  const LongMatrix covariance =
      testing::long_covariance(x, x, se(h.lengthscale, h.signal)) + s * s * LongMatrix::Identity(n, n);
  const Eigen::LLT<LongMatrix> factor(covariance);
  const LongMatrix cross = testing::long_covariance(x, points, se(h.lengthscale, h.signal));
  const LongMatrix mean = cross.transpose() * factor.solve(y.cast<long double>());
  const LongMatrix latent =
      (long double)(h.signal) * h.signal - (cross.transpose() * factor.solve(cross)).diagonal().array();

  const Prediction p = Expert::of(x, y, h).predict(points);
  RC_ASSERT(p.mean.rows() == 7);
  RC_ASSERT(p.mean.cols() == outputs);
  // Rounding errors grow with the condition of the covariance.
  const double epsilon = std::numeric_limits<double>::epsilon(),
               condition = static_cast<double>(n) * std::pow(h.signal / h.noise, 2);
  for (Index o = 0; o < outputs; ++o)
    RC_ASSERT((p.mean.col(o) - mean.col(o).cast<double>()).norm() <=
              (1e-9 + 100 * epsilon * condition) * y.col(o).norm());
  for (Index o = 0; o < outputs; ++o)
    for (Index i = 0; i < 7; ++i)
      RC_ASSERT(std::abs(p.latent_variance(i, o) - static_cast<double>(latent(i))) <=
                1e-8 * p.latent_variance(i, o) + 100 * epsilon * h.signal * h.signal);
}

TEST(Expert, ObservedVarianceIsLatentPlusNoise) {
  const Hyperparameters h{0.8, 1.5, 0.25};
  const Prediction p =
      Expert::of(random_matrix(30, 2, 1), random_matrix(30, 1, 2), h).predict(random_matrix(20, 2, 3));
  for (Index i = 0; i < 20; ++i) {
    EXPECT_DOUBLE_EQ(p.observed_variance(i), p.latent_variance(i) + 0.0625);
    EXPECT_GT(p.latent_variance(i), 0);
    EXPECT_LE(p.latent_variance(i), 2.25);
  }
}

TEST(Expert, GivesTheSameBitsEachTimeAndPredictsPointsInAnyNumber) {
  const Hyperparameters h{0.8, 1.5, 0.25};
  const Expert expert = Expert::of(random_matrix(60, 2, 1), random_matrix(60, 3, 2), h);
  const Expert again = Expert::of(random_matrix(60, 2, 1), random_matrix(60, 3, 2), h);
  const Matrix points = random_matrix(1300, 2, 3);  // more than one chunk
  const Prediction p = expert.predict(points);
  EXPECT_EQ(p.mean, again.predict(points).mean);
  EXPECT_EQ(p.latent_variance, again.predict(points).latent_variance);
  EXPECT_EQ(expert.log_marginal_likelihood(), again.log_marginal_likelihood());
  for (Index i : {0, 255, 256, 1299}) {
    const Prediction one = expert.predict(points.row(i));
    EXPECT_TRUE(one.mean.isApprox(p.mean.row(i), 1e-12));
    EXPECT_NEAR(one.latent_variance(0), p.latent_variance(i), 1e-12);
  }
}

TEST(Expert, PredictsAlikeAtPointsThatLieByRows) {
  const Matrix x = random_matrix(40, 3, 1), y = random_matrix(40, 2, 2), points = random_matrix(300, 3, 3);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows = points;
  for (const Kernel& kernel : {se(ard), linear() + se() * periodic()}) {
    const Expert expert = Expert::of(x, y, {kernel, 0.1});
    const Prediction a = expert.predict(points), b = expert.predict(by_rows);
    EXPECT_TRUE(a.mean == b.mean);
    EXPECT_TRUE(a.latent_variance == b.latent_variance);
  }
}

TEST(Expert, HasEmptyAnswersForEmptyQuestions) {
  const Expert no_outputs = Expert::of(Matrix::Zero(3, 1), Matrix(3, 0), Prior());
  EXPECT_EQ(no_outputs.outputs(), 0);
  EXPECT_EQ(no_outputs.log_marginal_likelihood().size(), 0);
  const Prediction p = no_outputs.predict(Matrix::Zero(2, 1));
  EXPECT_EQ(p.mean.rows(), 2);
  EXPECT_EQ(p.mean.cols(), 0);
  EXPECT_EQ(p.latent_variance.rows(), 2);
  EXPECT_EQ(p.latent_variance.cols(), 0);
  const Prediction none = Expert::of(Matrix::Zero(3, 1), Matrix::Zero(3, 2), Prior()).predict(Matrix(0, 1));
  EXPECT_EQ(none.mean.rows(), 0);
  EXPECT_EQ(none.mean.cols(), 2);
  EXPECT_EQ(none.observed_variance.size(), 0);
}

TEST(Expert, SurvivesDuplicateRowsWithTinyNoiseAndReportsIt) {
  Matrix x(4, 1);
  x << 0, 0, 1, 1;
  Matrix y(4, 1);
  y << 2, 2, 3, 3;
  const Hyperparameters h{1, 2, 1e-9};
  const Expert expert = Expert::of(x, y, h);
  EXPECT_DOUBLE_EQ(expert.jitter(), 4e-12);
  const Prediction p = expert.predict(x);
  EXPECT_TRUE(p.mean.isApprox(y, 1e-6));
  EXPECT_EQ(Expert::of(x, y, {se(1., 2), 0.1}).jitter(), 0);
}

TEST(Expert, ClampsVariancesThatRoundingTookUnderTheFloorAndCountsThem) {
  // noise^2 vanishes next to signal^2, so that the computed variance is 0 at the two rows, but not elsewhere.
  const Hyperparameters h{1, 3, 1e-9};
  Matrix x(2, 1);
  x << 0, 100;
  Matrix points(3, 1);
  points << 0, 1, 100;
  std::size_t clamped = 0;
  const Prediction p = Expert::of(x, x, h).predict(points, {.clamped = &clamped});
  EXPECT_EQ(clamped, 2u);
  const double floor = variance_floor(9, 18, 1e-9);
  EXPECT_DOUBLE_EQ(floor, 9 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(p.latent_variance(0), floor);
  EXPECT_NEAR(p.latent_variance(1), 9 - 9 * std::exp(-1), 1e-12);
  EXPECT_EQ(p.latent_variance(2), floor);
}

TEST(Expert, VarianceFloorIsWhatRepeatsAtThePointLeave) {
  const Hyperparameters h{1, 2, 0.3};
  for (Index n : {1, 2, 5}) {
    std::size_t clamped = 0;
    const Prediction p = Expert::of(Matrix::Zero(n, 2), Matrix::Zero(n, 1), h)
                             .predict(Matrix::Zero(1, 2), {.clamped = &clamped});
    EXPECT_NEAR(p.latent_variance(0), variance_floor(4, 4 * static_cast<double>(n), 0.3), 1e-12);
    EXPECT_EQ(clamped, 0u);
    EXPECT_DOUBLE_EQ(1 / variance_floor(4, 4 * static_cast<double>(n), 0.3),
                     1 / 4.0 + static_cast<double>(n) / 0.09);
  }
}

// Rows where a linear kernel is large are more informative than rows at the point itself.
TEST(Expert, VarianceFloorHoldsForKernelsThatGrow) {
  Matrix x(1, 1), at(1, 1);
  x << 10;
  at << 1;
  std::size_t clamped = 0;
  const Prediction p = Expert::of(x, x, {linear(), 0.3}).predict(at, {.clamped = &clamped});
  EXPECT_NEAR(p.latent_variance(0), 0.09 / (0.09 + 100), 1e-12);
  EXPECT_NEAR(variance_floor(1, 100, 0.3), p.latent_variance(0), 1e-12);
  EXPECT_EQ(clamped, 0u);
}

TEST(Expert, OfEveryKernelAgreesWithTheFormulaInLongDouble) {
  const Matrix x = random_matrix(25, 2, 1), y = random_matrix(25, 2, 2), points = random_matrix(9, 2, 3);
  for (const Kernel& kernel : testing::every_composition(0.9, 2)) {
    SCOPED_TRACE(kernel.text());
    const LongMatrix whole = testing::long_covariance(x, x, kernel) + 0.04L * LongMatrix::Identity(25, 25);
    const Eigen::LLT<LongMatrix> factor(whole);
    const LongMatrix cross = testing::long_covariance(x, points, kernel);
    const LongMatrix mean = cross.transpose() * factor.solve(y.cast<long double>());
    const LongMatrix covariance =
        testing::long_covariance(points, points, kernel) - cross.transpose() * factor.solve(cross);
    const Expert expert = Expert::of(x, y, {kernel, 0.2});
    const JointPrediction joint = expert.predict_jointly(points);
    const Prediction& p = joint.each;
    const double size = kernel.for_inputs(2).prior_variance(points).maxCoeff();
    EXPECT_LE((p.mean - mean.cast<double>()).norm(), 1e-9 * y.norm());
    EXPECT_LE((joint.covariance - covariance.cast<double>()).cwiseAbs().maxCoeff(), 1e-11 * size);
    for (Index o = 0; o < 2; ++o) EXPECT_TRUE(joint.covariance.diagonal() == p.latent_variance.col(o));
    const Prediction mean_only = expert.predict(points, {.variance = false});
    EXPECT_LE((mean_only.mean - p.mean).norm(), 1e-10 * y.norm());
    EXPECT_EQ(mean_only.latent_variance.size(), 0);
  }
}

TEST(Expert, DrawsHaveThePosteriorsMeanAndCovariance) {
  const Matrix x = random_matrix(6, 1, 1), y = random_matrix(6, 2, 2), points = random_matrix(4, 1, 3);
  const Expert expert = Expert::of(x, y, {matern32(), 0.3});
  constexpr double count = 20000;
  const JointPrediction p = expert.predict_jointly(points, {.samples = 20000, .seed = 7});
  ASSERT_EQ(p.samples.size(), 2u);
  for (Index o = 0; o < 2; ++o) {
    const Matrix centred = p.samples[static_cast<std::size_t>(o)].colwise() - p.each.mean.col(o);
    EXPECT_LT((centred * centred.transpose() / count - p.covariance).cwiseAbs().maxCoeff(), 0.03);
    EXPECT_LT(centred.rowwise().mean().cwiseAbs().maxCoeff(), 0.03);
  }
  EXPECT_EQ(expert.predict_jointly(points, {.samples = 20000, .seed = 7}).samples[1], p.samples[1]);
  EXPECT_NE(expert.predict_jointly(points, {.samples = 20000, .seed = 8}).samples[1], p.samples[1]);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST(Expert, TheOldNameWorks) {
  const Matrix x = random_matrix(6, 1, 1), y = random_matrix(6, 2, 2);
  EXPECT_EQ(Expert::fit(x, y, Prior()).predict(x).mean, Expert::of(x, y, Prior()).predict(x).mean);
}
#pragma GCC diagnostic pop

TEST(Expert, WithMoreRowsIsARefit) {
  const Matrix x = random_matrix(50, 3, 1), y = random_matrix(50, 2, 2), points = random_matrix(9, 3, 3);
  const Prior prior{se(ard) + linear(0.5), 0.1};
  const Expert whole = Expert::of(x, y, prior);
  Expert grown = Expert::of(x.topRows(20), y.topRows(20), prior);
  grown = grown.with(x.middleRows(20, 1), y.middleRows(20, 1)).with(x.bottomRows(29), y.bottomRows(29));
  EXPECT_EQ(grown.rows(), 50);
  EXPECT_TRUE(grown.predict(points).mean.isApprox(whole.predict(points).mean, 1e-10));
  EXPECT_TRUE(grown.predict(points).latent_variance.isApprox(whole.predict(points).latent_variance, 1e-9));
  EXPECT_TRUE(grown.log_marginal_likelihood().isApprox(whole.log_marginal_likelihood(), 1e-12));

  const Prior exact{se(), 1e-9};  // for a repeated row the factor must be recomputed, with jitter
  const Expert twice = Expert::of(x.topRows(1), y.topRows(1), exact).with(x.topRows(1), y.topRows(1));
  EXPECT_GT(twice.jitter(), 0);
  EXPECT_THROW(whole.with(Matrix::Zero(1, 2), Matrix::Zero(1, 2)), InputError);
  EXPECT_THROW(whole.with(Matrix::Zero(1, 3), Matrix::Zero(1, 1)), InputError);
  EXPECT_THROW(whole.with(Matrix::Constant(1, 3, NAN), Matrix::Zero(1, 2)), InputError);
}

TEST(Expert, RefusesPointsThatDoNotFit) {
  const Expert expert = Expert::of(Matrix::Zero(3, 2), Matrix::Zero(3, 1), Prior());
  try {
    expert.predict(Matrix::Zero(5, 3));
    FAIL() << "no exception";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "points have 3 columns, but the expert was fitted to inputs of 2; give the same columns in "
                 "the same order");
  }
  Matrix points = Matrix::Zero(5, 2);
  points(4, 1) = std::numeric_limits<double>::quiet_NaN();
  try {
    expert.predict(points);
    FAIL() << "no exception";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("points: the value at row 4, column 1"), std::string::npos)
        << e.what();
  }
}

TEST(Expert, RefusesRowsThatDoNotFit) {
  EXPECT_THROW(Expert::of(Matrix::Zero(3, 2), Matrix::Zero(2, 1), Prior()), InputError);
  EXPECT_THROW(Expert::of(Matrix(0, 2), Matrix(0, 1), Prior()), InputError);
  EXPECT_THROW(Expert::of(Matrix::Zero(3, 2), Matrix::Zero(3, 1), {se(), -1}), InputError);
}

}  // namespace
}  // namespace tacit
