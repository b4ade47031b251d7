#include "tacit/consortium/protect/home.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "tacit/consortium/protect/protect_testing.hpp"

namespace tacit {
namespace {

class Home : public ::testing::Test {
 protected:
  Home()
      : own(testing::own_rows(testing::smooth_rows(40, 21))),
        others(testing::own_rows(testing::smooth_rows(400, 22))) {
    copula = {public_scales({{-2, 2}, {-2, 2}, {-2, 2}, {-5, 25}}), Matrix::Identity(3, 3)};
    basis = std::make_shared<Basis>(Prior(se({0.8, 1.2, 1.8}, 0.7), 0.15), copula, 440.0,
                                    BasisOptions{80, 500, 1, 3});
  }

  // What others know exactly.
  OthersPosterior known() const {
    const BasisRows rows(*basis, copula.scales, others);
    const Vector weight = rows.lambda.cwiseInverse();
    Matrix precision = rows.features * weight.asDiagonal() * rows.features.transpose();
    precision.diagonal().array() += 1;
    const Matrix covariance = precision.llt().solve(Matrix::Identity(basis->size(), basis->size()));
    return {covariance * (rows.features * weight.cwiseProduct(rows.targets)), covariance};
  }
  HomeModel model(const OthersPosterior& posterior) const {
    return HomeModel(*basis, BasisRows(*basis, copula.scales, own), posterior);
  }
  double error(const HomeModel::Answer& answer, const Samples& test) const {
    const Vector truth = copula.scales.standard_targets(test.outputs.col(0));
    return std::sqrt((answer.mean - truth).squaredNorm() / static_cast<double>(truth.size()));
  }
  Matrix standard(const Samples& rows) const {
    return copula.scales.standard_inputs(rows.inputs.transpose());
  }

  OwnRows own, others;
  Copula copula;
  std::shared_ptr<const Basis> basis;
};

TEST_F(Home, SharedAnswersAreThoseOfADenseModel) {
  const OthersPosterior posterior = known();
  const HomeModel home = model(posterior);
  const BasisRows rows(*basis, copula.scales, own);
  const Samples test = testing::smooth_rows(20, 23);
  const Matrix at = standard(test), phi = basis->features(at);
  const OwnEvidenceForm se{3, false, 0};
  const auto theta = basis->prior().logarithms();
  const auto kernel = [&](const Matrix& a, const Matrix& fa, const Matrix& b, const Matrix& fb) -> Matrix {
    return se_between(se, theta, a, b) - fa.transpose() * fb + fa.transpose() * posterior.spread(fb);
  };
  Matrix c = kernel(rows.inputs, rows.features, rows.inputs, rows.features);
  c.diagonal().array() += basis->noise_variance();
  const Matrix cross = kernel(at, phi, rows.inputs, rows.features);
  const Vector mean = phi.transpose() * posterior.mean +
                      cross * c.llt().solve(rows.targets - rows.features.transpose() * posterior.mean);
  const Vector variance =
      kernel(at, phi, at, phi).diagonal() - (cross * c.llt().solve(cross.transpose())).diagonal();
  const auto answer = home.answer(at, HomeCandidate::shared, false);
  EXPECT_LT((answer.mean - mean).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((answer.latent - variance).cwiseAbs().maxCoeff(), 1e-5);
}

TEST_F(Home, OthersKnowledgeBeatsBeingAlone) {
  const HomeModel home = model(known());
  const Samples test = testing::smooth_rows(300, 24);
  const double shared = error(home.answer(standard(test)), test);
  const double alone = error(home.answer(standard(test), HomeCandidate::alone), test);
  EXPECT_LT(shared, 0.8 * alone);
  const auto answer = home.answer(standard(test));
  const Vector truth = copula.scales.standard_targets(test.outputs.col(0));
  const double covered =
      ((answer.mean - truth).array().abs() < 1.96 * answer.variance.array().sqrt()).cast<double>().mean();
  EXPECT_GT(covered, 0.85);
  EXPECT_LT(covered, 0.995);
}

TEST_F(Home, ChoosesItsOwnRowsIfTheOthersAreWrong) {
  OthersPosterior wrong = known();
  wrong.mean *= -1;
  *wrong.covariance *= 1e-3;
  const HomeModel home = model(wrong);
  EXPECT_NE(home.chosen(), HomeCandidate::shared);
  const Samples test = testing::smooth_rows(200, 25);
  const std::vector<bool> close = home.near(standard(test));
  EXPECT_GT(std::count(close.begin(), close.end(), true), 100);
}

TEST_F(Home, AsksTheSharedModelFarFromOwnRows) {
  OthersPosterior posterior = known();
  posterior.mean *= -1;
  *posterior.covariance *= 1e-3;
  const HomeModel home = model(posterior);
  const Samples far = testing::smooth_rows(50, 26, 30);
  for (const bool close : home.near(standard(far))) EXPECT_FALSE(close);
  EXPECT_EQ(home.answer(standard(far)).mean, home.answer(standard(far), HomeCandidate::shared).mean);
}

TEST_F(Home, SearchesOnPartOfManyRows) {
  const HomeModel home(*basis, BasisRows(*basis, copula.scales, own), known(), 15);
  const Samples test = testing::smooth_rows(100, 30);
  EXPECT_LT(error(home.answer(standard(test)), test), 0.3);
  const auto fewer = home.answer(standard(test), HomeCandidate::alone);
  EXPECT_NE(fewer.mean, model(known()).answer(standard(test), HomeCandidate::alone).mean);
}

TEST_F(Home, WorksWithFewRows) {
  for (const Index rows : {0, 1, 2}) {
    own = testing::own_rows(testing::smooth_rows(rows, 27));
    const HomeModel home = model(known());
    const Samples test = testing::smooth_rows(100, 28);
    EXPECT_LT(error(home.answer(standard(test)), test), 0.5) << rows;
  }
}

}  // namespace
}  // namespace tacit
