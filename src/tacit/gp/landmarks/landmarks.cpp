#include "tacit/gp/landmarks/landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/gp/kernel/covariance.hpp"

namespace tacit {
namespace {

const Matrix& checked(const Matrix& points) {
  check_landmark_points(points);
  return points;
}

Cholesky factorised(const PreparedPoints& points, const Kernel& kernel) {
  return safe_cholesky(points.rows(), [&](Matrix& covariance) {
    noisy_covariance_lower(points, Prior(kernel, 0), covariance);
    covariance.diagonal().array() += landmark_jitter * covariance.diagonal().mean();
  });
}

void check_columns(Index points, Index landmarks) {
  if (points != landmarks)
    throw InputError(
        fmt::format("points have {} columns, but the landmarks {}; give the same columns in the same order",
                    points, landmarks));
}

}  // namespace

void check_landmark_points(const Matrix& points) {
  if (points.rows() == 0 || points.cols() == 0)
    throw InputError("there are no landmarks; give at least one point with at least one input");
  check_finite("landmarks", points);
  // Sorts the rows lexicographically, so that rows that coincide are neighbours.
  std::vector<Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](Index a, Index b) {
    for (Index d = 0; d < points.cols(); ++d)
      if (points(a, d) != points(b, d)) return points(a, d) < points(b, d);
    return false;
  };
  std::ranges::stable_sort(order, before);
  for (std::size_t k = 1; k < order.size(); ++k)
    if (!before(order[k - 1], order[k]))
      throw InputError(
          fmt::format("landmarks {} and {} are the same point (counted from 1); remove one of them",
                      order[k - 1] + 1, order[k] + 1));
}

Landmarks::Landmarks(const Matrix& points, const Kernel& kernel)
    : points_(checked(points)),
      kernel_(kernel.for_inputs(points.cols())),
      prepared_(std::make_shared<PreparedPoints>(points_, kernel_)),
      factor_(factorised(*prepared_, kernel_)) {}

Matrix Landmarks::features(const PreparedPoints& points) const {
  check_columns(points.dimensions(), dimensions());
  Matrix features(count(), points.rows());
  cross_covariance(*prepared_, points, 0, kernel_, features);
  factor_.solve_lower(features);
  return features;
}

Matrix Landmarks::features(const MatrixView& points) const {
  check_columns(points.cols(), dimensions());
  check_finite("points", points);
  return features(PreparedPoints(points, kernel_));
}

Vector Landmarks::residual_variance(const MatrixView& points, const Matrix& features) const {
  const Vector before = kernel_.prior_variance(points);
  return (before - features.colwise().squaredNorm().transpose()).cwiseMax(least_residual * before);
}

}  // namespace tacit
