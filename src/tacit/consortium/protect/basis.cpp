#include "tacit/consortium/protect/basis.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/consortium/protect/row_kernel.hpp"

namespace tacit {
namespace {

// Eigen chooses the blocks of its products, and so the order of additions, by the sizes of the processor's
// caches. With fixed sizes, all machines compute the same basis to the bit.
[[maybe_unused]] const bool fixed_blocks = (Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20), true);

constexpr double basis_jitter = 1e-6, least_eigenvalue = 1e-9, least_residual_variance = 1e-9;

// A = Σ φφ'/Λ over the columns of `features`, times `factor`. Columns are added in stretches of fixed length.
Matrix weighted_square(const Matrix& features, const Vector& lambda, double factor) {
  constexpr Index stretch = 128;
  Matrix sum = Matrix::Zero(features.rows(), features.rows());
  for (Index first = 0; first < features.cols(); first += stretch) {
    leave_if_stopped();
    const Index many = std::min(stretch, features.cols() - first);
    const Matrix part = features.middleCols(first, many) *
                        lambda.segment(first, many).cwiseInverse().cwiseSqrt().asDiagonal();
    sum.selfadjointView<Eigen::Lower>().rankUpdate(part);
  }
  sum.triangularView<Eigen::StrictlyUpper>() = sum.transpose();
  return factor * sum;
}

// The eigenvectors with eigenvalues of at least `least`, at least one of them, the largest first.
std::pair<Matrix, Vector> leading(const Matrix& symmetric, double least) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric);
  if (eigen.info() != Eigen::Success) throw Error("the basis of the model could not be computed");
  const Index all = symmetric.rows();
  Index kept = 1;
  while (kept < all && eigen.eigenvalues()(all - 1 - kept) >= least) ++kept;
  return {eigen.eigenvectors().rightCols(kept).rowwise().reverse(), eigen.eigenvalues().tail(kept).reverse()};
}

}  // namespace

std::size_t usual_landmarks(double rows) {
  const double most = rows > 3000 ? 600 : 400;
  return static_cast<std::size_t>(std::max(std::min(most, std::floor(rows / 2)), 2.0));
}

Basis::Basis(const Prior& prior, const Copula& copula, double rows, const BasisOptions& options)
    : prior_(checked_prior(prior, copula.scales.inputs())),
      variance_(prior_.kernel.leaves()[0].signal * prior_.kernel.leaves()[0].signal),
      noise_(prior_.noise * prior_.noise) {
  const auto& leaf = prior_.kernel.leaves()[0];
  if (prior_.kernel.leaves().size() != 1 || leaf.shape != Shape::se)
    throw InputError("a protected fit needs the kernel se");
  for (Index k = 0; k < copula.scales.inputs(); ++k)
    scales_.push_back(1 / leaf.lengthscale[leaf.ard ? static_cast<std::size_t>(k) : 0]);
  const Matrix rows_of_copula = copula.draw(static_cast<Index>(options.synthetic), 2 * options.seed);
  const Matrix z = copula.draw(static_cast<Index>(options.landmarks), 2 * options.seed + 1);
  const Eigen::Map<const Vector> scale(scales_.data(), inputs());
  landmarks_ = (scale.asDiagonal() * z).transpose();

  const auto kernel_at = [&](const Matrix& points) {
    Matrix k(landmarks_.rows(), points.cols());
    Vector scaled(inputs());
    for (Index c = 0; c < points.cols(); ++c) {
      scaled = points.col(c).cwiseProduct(scale);
      kernel_with_landmarks(landmarks_.data(), landmarks_.rows(), inputs(), scaled.data(), variance_,
                            k.col(c).data());
    }
    return k;
  };
  Matrix covariance = kernel_at(z);
  covariance.diagonal().array() += basis_jitter * variance_;
  const Eigen::LLT<Matrix> factor(covariance);
  if (factor.info() != Eigen::Success) throw Error("the covariance of the landmarks could not be factorised");
  leave_if_stopped();

  const double weight = rows / static_cast<double>(options.synthetic);
  Matrix features = kernel_at(rows_of_copula);
  factor.matrixL().solveInPlace(features);
  leave_if_stopped();
  const auto lambda_of = [&](const Matrix& phi) -> Vector {
    return ((variance_ - phi.colwise().squaredNorm().array()).max(least_residual_variance) + noise_)
        .transpose();
  };
  const auto [first, unused] = leading(weighted_square(features, lambda_of(features), weight), options.least);
  leave_if_stopped();
  const Matrix projected = first.transpose() * features;
  synthetic_lambda_ = lambda_of(projected);
  const auto [turn, eigenvalues] = leading(weighted_square(projected, synthetic_lambda_, weight), -1);
  eigenvalues_ = eigenvalues.cwiseMax(least_eigenvalue);
  synthetic_ = turn.transpose() * projected;
  // φ = turn' first' L⁻¹ k.
  map_ = factor.matrixL().transpose().solve(first * turn).transpose();
}

void Basis::features(const double* x, std::span<double> out) const {
  Vector scaled(inputs()), kernel(landmarks_.rows());
  for (Index k = 0; k < inputs(); ++k) scaled(k) = x[k] * scales_[static_cast<std::size_t>(k)];
  kernel_with_landmarks(landmarks_.data(), landmarks_.rows(), inputs(), scaled.data(), variance_,
                        kernel.data());
  plain_product(map_.data(), map_.rows(), map_.cols(), kernel.data(), out.data());
}

Matrix Basis::features(const Matrix& rows) const {
  Matrix result(size(), rows.cols());
  for (Index row = 0; row < rows.cols(); ++row) {
    if (row % 256 == 0) leave_if_stopped();
    features(rows.col(row).data(), {result.col(row).data(), static_cast<std::size_t>(size())});
  }
  return result;
}

double Basis::residual(std::span<const double> features) const {
  return std::max(variance_ - plain_square(features.data(), static_cast<Index>(features.size())),
                  least_residual_variance);
}

Vector Basis::lambdas(const Matrix& features) const {
  Vector result(features.cols());
  for (Index row = 0; row < features.cols(); ++row)
    result(row) = lambda({features.col(row).data(), static_cast<std::size_t>(size())});
  return result;
}

}  // namespace tacit
