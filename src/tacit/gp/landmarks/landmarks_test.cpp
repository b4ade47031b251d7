#include "tacit/gp/landmarks/landmarks.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <limits>

#include "tacit/base/error.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::LongMatrix;
using testing::random_points;

TEST(Landmarks, FeaturesGiveBackEveryKernelAtTheLandmarksAndNeverMoreThanItElsewhere) {
  const Matrix z = random_points(13, 2, 2, 1), x = random_points(40, 2, 3, 2);
  for (const Kernel& given : testing::every_composition(0.9, 2)) {
    SCOPED_TRACE(given.text());
    const Landmarks landmarks(z, given);
    const Matrix at_z = landmarks.features(z);
    const Matrix k = covariance(z, z, given);
    EXPECT_LT((at_z.transpose() * at_z - k).cwiseAbs().maxCoeff(), 1e-6 * k.diagonal().maxCoeff());

    const Matrix features = landmarks.features(x);
    const Vector prior = landmarks.kernel().prior_variance(x);
    const Vector explained = features.colwise().squaredNorm();
    const Vector left = landmarks.residual_variance(x, features);
    for (Index i = 0; i < x.rows(); ++i) {
      EXPECT_LE(explained(i), prior(i) * (1 + 1e-8)) << i;
      EXPECT_GT(left(i), 0) << i;
      EXPECT_NEAR(left(i) + explained(i), prior(i), 1e-8 * prior(i)) << i;
    }
  }
}

// φ = L⁻¹k(Z,x) in long double, with the jitter.
TEST(Landmarks, FeaturesAgreeWithTheirFormulaInLongDouble) {
  const Matrix z = random_points(20, 3, 2, 3), x = random_points(9, 3, 2, 4);
  for (const Kernel& given : {se(0.8, 1.3), matern32({0.5, 1, 2}, 0.7), se(ard) * periodic(2.) + linear(0.4),
                              rational_quadratic(1., 0.7) + constant(2)}) {
    SCOPED_TRACE(given.text());
    LongMatrix k = testing::long_covariance(z, z, given);
    k.diagonal().array() += static_cast<long double>(landmark_jitter) * k.diagonal().mean();
    const Eigen::LLT<LongMatrix> factor(k);
    const LongMatrix want = factor.matrixL().solve(testing::long_covariance(z, x, given));
    const Matrix got = Landmarks(z, given).features(x);
    EXPECT_LT((got - want.cast<double>()).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(Landmarks, LeaveNothingOverAtThemselvesAndEverythingFarAway) {
  const Matrix z = random_points(10, 2, 2, 5);
  const Landmarks landmarks(z, se(0.5, 3));
  EXPECT_LT(landmarks.residual_variance(z, landmarks.features(z)).maxCoeff(), 1e-8);
  const Matrix far = Matrix::Constant(1, 2, 100);
  EXPECT_DOUBLE_EQ(landmarks.residual_variance(far, landmarks.features(far))(0), 9);
}

TEST(Landmarks, OfAKernelThatMakesThemAllAlikeStillHaveAFactor) {
  const Matrix z = random_points(40, 2, 1, 6);
  for (const Kernel& kernel : {se(1e4), constant(2), linear(3.), periodic(1e5)}) {
    SCOPED_TRACE(kernel.text());
    const Landmarks landmarks(z, kernel);
    const Matrix features = landmarks.features(z);
    EXPECT_LT((features.transpose() * features - covariance(z, z, kernel)).cwiseAbs().maxCoeff(), 1e-6);
  }
}

template <class Work>
std::string error_of(Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Landmarks, RefuseBadPointsInOneSentence) {
  const auto made_of = [](const Matrix& z, const Kernel& kernel = se()) {
    return error_of([&] { Landmarks(z, kernel); });
  };
  const std::string none = "there are no landmarks; give at least one point with at least one input";
  EXPECT_EQ(made_of(Matrix(0, 2)), none);
  EXPECT_EQ(made_of(Matrix(2, 0)), none);
  Matrix z = random_points(7, 2, 1, 7);
  z.row(5) = z.row(2);
  EXPECT_EQ(made_of(z), "landmarks 3 and 6 are the same point (counted from 1); remove one of them");
  z(5, 0) = -0.0;
  z(2, 0) = 0.0;
  EXPECT_EQ(made_of(z), "landmarks 3 and 6 are the same point (counted from 1); remove one of them");
  z(5, 1) = std::nextafter(z(5, 1), 2.);  // distinct; the jitter keeps K_ZZ regular
  EXPECT_EQ(made_of(z), "no error");
  z(4, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(made_of(z),
            "landmarks: the value at row 4, column 1 (from 0) is nan; remove the row or fill in a number");
  z(4, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(made_of(z),
            "landmarks: the value at row 4, column 1 (from 0) is inf; remove the row or fill in a number");
  z(4, 1) = 0;
  EXPECT_NE(made_of(z, se({1, 2, 3})), "no error");  // the wrong number of length-scales
}

TEST(Landmarks, RefuseOtherPointsInOneSentence) {
  const Landmarks landmarks(random_points(4, 2, 1, 8), se());
  EXPECT_EQ(error_of([&] { landmarks.features(Matrix::Zero(3, 5)); }),
            "points have 5 columns, but the landmarks 2; give the same columns in the same order");
  EXPECT_EQ(error_of([&] { landmarks.features(Matrix::Constant(1, 2, NAN)); }),
            "points: the value at row 0, column 0 (from 0) is nan; remove the row or fill in a number");
  EXPECT_EQ(landmarks.features(Matrix(0, 2)).cols(), 0);
}

}  // namespace
}  // namespace tacit
