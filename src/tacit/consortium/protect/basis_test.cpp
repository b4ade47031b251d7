#include "tacit/consortium/protect/basis.hpp"

#include <gtest/gtest.h>

#include "tacit/consortium/protect/protect_testing.hpp"
#include "tacit/consortium/protect/row_kernel.hpp"
#include "tacit/gp/landmarks/landmarks.hpp"

namespace tacit {
namespace {

const Prior basis_prior(se({1.1, 1.6, 2.5}, 0.9), 0.3);

Copula public_copula() {
  return {public_scales({{-2, 2}, {-2, 2}, {-2, 2}, {-5, 25}}), Matrix::Identity(3, 3)};
}

Basis small_basis() { return Basis(basis_prior, public_copula(), 500, {60, 600, 1, 3}); }

TEST(RowKernel, AgreesWithTheLibrary) {
  const Samples rows = testing::smooth_rows(50, 5);
  const Matrix points = testing::smooth_rows(7, 6).inputs;
  const Matrix expected = covariance(rows.inputs, points, se(1., 1.3));
  Vector found(50);
  for (Index p = 0; p < 7; ++p) {
    const Vector x = points.row(p);
    kernel_with_landmarks(rows.inputs.data(), 50, 3, x.data(), 1.3 * 1.3, found.data());
    EXPECT_LT((found - expected.col(p)).cwiseAbs().maxCoeff(), 1e-14);
  }
  const Matrix a = Matrix::Random(9, 6);
  const Vector v = Vector::Random(6);
  Vector product(9);
  plain_product(a.data(), 9, 6, v.data(), product.data());
  EXPECT_LT((product - a * v).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(plain_square(v.data(), 6), v.squaredNorm(), 1e-14);
}

TEST(Basis, MakesTheMatrixOfSyntheticRowsDiagonal) {
  const Basis basis = small_basis();
  const Matrix& phi = basis.synthetic();
  const Matrix a =
      phi * basis.synthetic_lambda().cwiseInverse().asDiagonal() * phi.transpose() * (500.0 / 600);
  EXPECT_LT((a - Matrix(basis.eigenvalues().asDiagonal())).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_GT(basis.eigenvalues().minCoeff(), 0.5);
  EXPECT_LT(basis.size(), 60);
  for (Index k = 1; k < basis.size(); ++k) EXPECT_LE(basis.eigenvalues()(k), basis.eigenvalues()(k - 1));
}

TEST(Basis, ExplainsNoMoreThanThePriorVariance) {
  const Basis basis = small_basis();
  const Matrix rows = public_copula().draw(200, 99);
  const Matrix phi = basis.features(rows);
  EXPECT_LE(phi.colwise().squaredNorm().maxCoeff(), basis.signal_variance() * (1 + 1e-9));
  EXPECT_GE(basis.lambdas(phi).minCoeff(), basis.noise_variance());
}

// With all directions, the features span those of the landmarks.
TEST(Basis, HasTheKernelOfItsLandmarks) {
  const Basis basis(basis_prior, public_copula(), 500, {40, 400, -1, 3});
  const Landmarks landmarks(public_copula().draw(40, 2 * 3 + 1).transpose(), basis_prior.kernel);
  const Matrix rows = public_copula().draw(20, 98);
  const Matrix phi = basis.features(rows), reference = landmarks.features(rows.transpose());
  EXPECT_EQ(basis.size(), 40);
  EXPECT_LT((phi.transpose() * phi - reference.transpose() * reference).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(Basis, IsTheSameForAllAgentsAndAllRowsAround) {
  const Basis basis = small_basis(), again = small_basis();
  EXPECT_EQ(basis.eigenvalues(), again.eigenvalues());
  const Matrix rows = public_copula().draw(37, 97);
  const Matrix all = basis.features(rows);
  EXPECT_EQ(all, again.features(rows));
  for (Index row = 0; row < rows.cols(); ++row) {
    const Matrix one = rows.col(row);
    EXPECT_EQ(Matrix(basis.features(one)), Matrix(all.col(row)));
  }
}

}  // namespace
}  // namespace tacit
