// Helpers shared by the tests of this room.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "tacit/gp/kernel/kernel.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit::testing {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

inline Matrix random_matrix(Index rows, Index columns, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return normal(engine); });
}

inline Matrix random_points(Index rows, Index columns, double size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return uniform(engine); });
}

/// Evaluates a leaf by its formula in docs/models.md, in long double.
inline long double long_leaf(const Kernel::Leaf& leaf, const Matrix& a, Index i, const Matrix& b, Index j) {
  long double squares = 0, turned = 0, product = 0;
  const long double pi = std::numbers::pi_v<long double>;
  for (Index d = 0; d < a.cols(); ++d) {
    const long double l =
        leaf.lengthscale.empty() ? 1 : leaf.lengthscale[leaf.ard ? static_cast<std::size_t>(d) : 0];
    const long double difference = static_cast<long double>(a(i, d)) - b(j, d);
    squares += difference * difference / (l * l);
    const long double sine = std::sin(pi * difference / leaf.extra) / l;
    turned += sine * sine;
    product += static_cast<long double>(a(i, d)) * b(j, d) / (l * l);
  }
  const long double r = std::sqrt(squares), alpha = leaf.extra;
  const long double variance = static_cast<long double>(leaf.signal) * leaf.signal;
  switch (leaf.shape) {
    case Shape::constant:
      return variance;
    case Shape::linear:
      return variance * product;
    case Shape::se:
      return variance * std::exp(-squares / 2);
    case Shape::matern12:
      return variance * std::exp(-r);
    case Shape::matern32:
      return variance * (1 + std::sqrt(3.0L) * r) * std::exp(-std::sqrt(3.0L) * r);
    case Shape::matern52:
      return variance * (1 + std::sqrt(5.0L) * r + 5 * squares / 3) * std::exp(-std::sqrt(5.0L) * r);
    case Shape::rational_quadratic:
      return variance * std::pow(1 + squares / (2 * alpha), -alpha);
    case Shape::periodic:
      return variance * std::exp(-2 * turned);
  }
  return 0;
}

inline long double long_kernel(const Kernel& k, const Matrix& a, Index i, const Matrix& b, Index j) {
  std::vector<long double> values;
  for (const Kernel::Node& node : k.nodes())
    values.push_back(node.kind == Kernel::Node::Kind::leaf  ? long_leaf(k.leaves()[node.left], a, i, b, j)
                     : node.kind == Kernel::Node::Kind::sum ? values[node.left] + values[node.right]
                                                            : values[node.left] * values[node.right]);
  return values.back();
}

inline LongMatrix long_covariance(const Matrix& a, const Matrix& b, const Kernel& kernel) {
  const Kernel ready = kernel.for_inputs(a.cols());
  return LongMatrix::NullaryExpr(a.rows(), b.rows(),
                                 [&](Index i, Index j) { return long_kernel(ready, a, i, b, j); });
}

/// Returns every kind of leaf with one length-scale l, and with one for each of `inputs`, all around l.
inline std::vector<Kernel> every_leaf(double l, Index inputs) {
  std::vector<double> each;
  for (Index d = 0; d < inputs; ++d) each.push_back(l * (1 + 0.5 * static_cast<double>(d)));
  std::vector<Kernel> all{constant(1.3), linear(0.7 / l), linear(each)};
  for (const Lengthscale& s : {Lengthscale(l), Lengthscale(each)})
    for (const Kernel& k : {se(s, 1.2), matern12(s, 0.8), matern32(s, 1.1), matern52(s, 0.9),
                            rational_quadratic(s, 0.6, 1.4), rational_quadratic(s, 40), periodic(2.5 * l, s)})
      all.push_back(k);
  return all;
}

/// Returns every leaf, sums and products of pairs of leaves, and deeper compositions.
inline std::vector<Kernel> every_composition(double l, Index inputs) {
  std::vector<Kernel> all = every_leaf(l, inputs);
  const std::vector<Kernel> leaves = all;
  for (std::size_t i = 0; i < leaves.size(); i += 2)
    for (std::size_t j = 1; j < leaves.size(); j += 3) {
      all.push_back(leaves[i] + leaves[j]);
      all.push_back(leaves[i] * leaves[j]);
    }
  all.push_back((se(l) + linear(1 / l)) * periodic(3 * l) + constant(0.5) * matern32(l) * matern12(2 * l));
  all.push_back(periodic(2 * l) * (matern52(l, 2.) + constant(3)) + se(ard) * linear(ard));
  return all;
}

}  // namespace tacit::testing
