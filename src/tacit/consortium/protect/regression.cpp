#include "tacit/consortium/protect/regression.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit {
namespace {

constexpr double mismatches[] = {0.003, 0.01, 0.02, 0.04, 0.08, 0.16, 0.3};
constexpr double usual_mismatch = 0.05, least_variance_of_value = 1e-12;
// Without noise, rounds that nearly repeat each other would make the regression singular.
constexpr double least_round_noise = 1e-14;

}  // namespace

// The observations of one direction have the covariance c G + N/weight + offset λ o o'. In coordinates of B
// it is diagonal but for the rank-one part.
struct RoundsRegression::Direction {
  Vector precision;    // of the diagonal part
  Vector old;          // precision · B o
  double reduction;    // 1/(1/(offset λ) + o'R⁻¹o); 0 without old rounds
  double determinant;  // log det of the covariance, but for a constant

  double dot(const auto& a, const auto& b) const {
    double sum = a.cwiseProduct(precision).dot(b);
    if (reduction > 0) sum -= reduction * old.dot(a) * old.dot(b);
    return sum;
  }
};

RoundsRegression::RoundsRegression(const ObservedRounds& rounds, const Vector& weights,
                                   const Vector& observed_eigenvalues, const Vector& eigenvalues)
    : rounds_(rounds.observed.rows()),
      scale_(eigenvalues.array() + 1),
      iterates_(rounds.iterates * scale_.cwiseSqrt().asDiagonal()),
      offset_(rounds.old > 0 ? rounds.offset : 0),
      noise_shares_(weights.cwiseInverse()),
      lambda_(observed_eigenvalues) {
  const Vector root = rounds.noise.cwiseMax(least_round_noise).cwiseSqrt().cwiseInverse();
  const Matrix half = root.asDiagonal() * iterates_;
  const Matrix gram = half.lazyProduct(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
  eigen_ = eigen.eigenvalues().cwiseMax(0);
  turn_ = eigen.eigenvectors().transpose() * root.asDiagonal();
  values_ = turn_.lazyProduct(rounds.observed);
  ones_ = turn_.rowwise().sum();
  old_ = turn_.leftCols(rounds.old).rowwise().sum();
}

RoundsRegression::Direction RoundsRegression::direction(Index j, double mismatch) const {
  Direction d;
  const double curvature = (1 + lambda_(j)) * mismatch * mismatch;
  d.precision = (curvature * eigen_.array() + noise_shares_(j)).inverse();
  d.reduction = 0;
  d.determinant = -d.precision.array().log().sum();
  if (offset_ > 0) {
    d.old = d.precision.cwiseProduct(old_);
    const double common = offset_ * lambda_(j), precision = old_.dot(d.old);
    d.reduction = 1 / (1 / common + precision);
    d.determinant += std::log1p(common * precision);
  }
  return d;
}

Vector RoundsRegression::turned(const Vector& w) const {
  const Vector scaled = w.cwiseProduct(scale_.cwiseSqrt());
  return turn_ * (iterates_ * scaled);
}

double RoundsRegression::likely_mismatch() const {
  if (rounds_ < 2) return usual_mismatch;
  double best = usual_mismatch, best_value = -std::numeric_limits<double>::infinity();
  for (const double mismatch : mismatches) {
    double value = 0;
    for (Index j = 0; j < lambda_.size(); ++j) {
      const Direction d = direction(j, mismatch);
      const double ones = d.dot(ones_, ones_), cross = d.dot(ones_, values_.col(j));
      value -= 0.5 * (d.determinant + std::log(ones) + d.dot(values_.col(j), values_.col(j)) -
                      cross * cross / ones);
    }
    value -= 0.5 * std::pow(std::log(mismatch / usual_mismatch), 2);
    if (value > best_value) {
      best_value = value;
      best = mismatch;
    }
  }
  return best;
}

RoundsRegression::At RoundsRegression::at(const Vector& w, double mismatch) const {
  At result{Vector(lambda_.size()), Vector(lambda_.size())};
  const Vector shape = turned(w);
  const double square = w.cwiseAbs2().dot(scale_);
  for (Index j = 0; j < lambda_.size(); ++j) {
    const Direction d = direction(j, mismatch);
    const double curvature = (1 + lambda_(j)) * mismatch * mismatch;
    const double ones = d.dot(ones_, ones_), cross = d.dot(ones_, values_.col(j));
    const double shape_ones = curvature * d.dot(shape, ones_),
                 shape_values = curvature * d.dot(shape, values_.col(j));
    const double shapes = curvature * curvature * d.dot(shape, shape);
    const double rest = (1 - shape_ones) / ones;
    result.value(j) = shape_values + cross * rest;
    result.variance(j) =
        std::max(curvature * square - shapes + (1 - shape_ones) * rest, least_variance_of_value);
  }
  return result;
}

Matrix RoundsRegression::round_weights(const Vector& w, double mismatch) const {
  Matrix weights(rounds_, lambda_.size());
  const Vector shape = turned(w);
  for (Index j = 0; j < lambda_.size(); ++j) {
    const Direction d = direction(j, mismatch);
    const double curvature = (1 + lambda_(j)) * mismatch * mismatch;
    const double rest = (1 - curvature * d.dot(shape, ones_)) / d.dot(ones_, ones_);
    const Vector mixed = curvature * shape + rest * ones_;
    Vector inverse = mixed.cwiseProduct(d.precision);
    if (d.reduction > 0) inverse -= d.reduction * d.old.dot(mixed) * d.old;
    weights.col(j) = turn_.transpose() * inverse;
  }
  return weights;
}

}  // namespace tacit
