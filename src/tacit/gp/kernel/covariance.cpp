#include "tacit/gp/kernel/covariance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"

namespace tacit {
namespace {

Matrix turns(const MatrixView& points, const Kernel::Leaf& leaf) {
  const Index d = points.cols();
  Matrix out(points.rows(), 3 * d);
  for (Index k = 0; k < d; ++k) {
    const double l = leaf.lengthscale[leaf.ard ? static_cast<std::size_t>(k) : 0];
    const auto angle = points.col(k).array() * (2 * std::numbers::pi / leaf.extra);
    out.col(2 * d + k) = angle;
    out.col(k) = out.col(2 * d + k).array().cos() / l;
    out.col(d + k) = out.col(2 * d + k).array().sin() / l;
  }
  return out;
}

}  // namespace

PreparedPoints::PreparedPoints(const MatrixView& points, const Kernel& kernel) : plain_(points) {
  for (const Kernel::Leaf& leaf : kernel.leaves()) {
    if (leaf.shape == Shape::periodic) turns_.emplace_back(turns(points, leaf));
    turned_.push_back(leaf.shape == Shape::periodic ? turns_.size() : 0);
  }
}

TileKernel::TileKernel(const Kernel& kernel)
    : kernel_(kernel),
      leaves_(kernel.leaves().size()),
      values_(kernel.nodes().size()),
      weights_(kernel.nodes().size()) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Kernel::Leaf& leaf = kernel.leaves()[i];
    LeafState& state = leaves_[i];
    state.first_parameter = next;
    next += leaf.lengthscale.size() + leaf.has_extra() + leaf.free_signal;
    if (leaf.ard)
      for (double l : leaf.lengthscale) state.weights.push_back(1 / (l * l));
    else if (!leaf.lengthscale.empty())
      state.scale = 1 / (leaf.lengthscale[0] * leaf.lengthscale[0]);
    if (leaf.shape == Shape::linear) state.scale = leaf.signal * leaf.signal;
  }
}

const Tile& TileKernel::values(const PreparedPoints& a, Index row_block, const PreparedPoints& b,
                               Index column_block) {
  for (std::size_t n = 0; n < values_.size(); ++n) {
    const Kernel::Node& node = kernel_.nodes()[n];
    if (node.kind == Kernel::Node::Kind::leaf) {
      LeafState& state = leaves_[node.left];
      state.points = {a.block(node.left, row_block), b.block(node.left, column_block), a.dimensions()};
      evaluate(kernel_.leaves()[node.left], state, values_[n]);
    } else if (node.kind == Kernel::Node::Kind::sum) {
      tile_add(values_[node.left], values_[node.right], values_[n]);
    } else {
      tile_multiply(values_[node.left], values_[node.right], values_[n]);
    }
  }
  return values_.back();
}

void TileKernel::evaluate(const Kernel::Leaf& leaf, LeafState& state, Tile& value) {
  const double variance = leaf.signal * leaf.signal;
  const double* const weights = leaf.ard ? state.weights.data() : nullptr;
  switch (leaf.shape) {
    case Shape::constant:
      std::fill_n(value.at, tile_size, variance);
      return;
    case Shape::linear:
      tile_products(state.points, weights, state.scale, value);
      return;
    case Shape::periodic:  // the squared exponential of points on circles
      tile_squares({state.points.rows, state.points.columns, 2 * state.points.dimensions}, nullptr, 1,
                   state.squares);
      tile_squared_exponential(state.squares, variance, value);
      return;
    default:
      tile_squares(state.points, weights, state.scale, state.squares);
  }
  switch (leaf.shape) {
    case Shape::matern12:
      return tile_matern12(state.squares, variance, value, state.slope);
    case Shape::matern32:
      return tile_matern32(state.squares, variance, value, state.slope);
    case Shape::matern52:
      return tile_matern52(state.squares, variance, value, state.slope);
    case Shape::rational_quadratic:
      return tile_rational_quadratic(state.squares, leaf.extra, variance, value, state.slope,
                                     state.extra_slope);
    default:
      return tile_squared_exponential(state.squares, variance, value);
  }
}

void TileKernel::add_slopes(const Tile& weights, double* sums) {
  weights_.back() = weights;
  for (std::size_t n = values_.size(); n-- > 0;) {  // parents before children
    const Kernel::Node& node = kernel_.nodes()[n];
    if (node.kind == Kernel::Node::Kind::leaf) {
      add_leaf_slopes(kernel_.leaves()[node.left], leaves_[node.left], weights_[n], values_[n], sums);
    } else if (node.kind == Kernel::Node::Kind::sum) {
      weights_[node.left] = weights_[n];
      weights_[node.right] = weights_[n];
    } else {
      tile_multiply(weights_[n], values_[node.right], weights_[node.left]);
      tile_multiply(weights_[n], values_[node.left], weights_[node.right]);
    }
  }
}

void TileKernel::add_leaf_slopes(const Kernel::Leaf& leaf, LeafState& state, const Tile& weights,
                                 const Tile& value, double* sums) {
  double* next = sums + state.first_parameter;
  const bool gaussian = leaf.shape == Shape::se || leaf.shape == Shape::periodic;
  const Tile& slope = gaussian ? value : state.slope;
  if (leaf.ard) {
    const bool linear = leaf.shape == Shape::linear, turned = leaf.shape == Shape::periodic;
    TilePoints points = state.points;
    if (turned) points.dimensions *= 2;
    sums_.assign(static_cast<std::size_t>(points.dimensions), 0);
    if (linear) {
      tile_weighted_products(points, weights, sums_.data());
    } else {
      tile_multiply(weights, slope, product_);
      tile_weighted_squares(points, product_, sums_.data());
    }
    const std::size_t d = leaf.lengthscale.size();
    for (std::size_t k = 0; k < d; ++k)
      *next++ += turned ? sums_[k] + sums_[d + k] : (linear ? -2 : 1) * sums_[k] * state.weights[k];
  } else if (!leaf.lengthscale.empty()) {
    *next++ += tile_dot(weights, slope, state.squares);
  }
  if (leaf.shape == Shape::rational_quadratic) *next++ += tile_dot(weights, state.extra_slope);
  if (leaf.shape == Shape::periodic) {
    tile_multiply(weights, value, product_);
    *next++ += tile_weighted_turns(state.points, product_);
  }
  if (leaf.free_signal) *next++ += 2 * tile_dot(weights, value);
}

void cross_covariance(const PreparedPoints& rows, const PreparedPoints& points, Index first,
                      const Kernel& kernel, Eigen::Ref<Matrix> out) {
  TileKernel tiles(kernel);
  for (Index column = 0; column < out.cols(); column += tile_side) {
    const Index width = std::min<Index>(tile_side, out.cols() - column);
    for (Index block = 0; block < rows.blocks(); ++block) {
      const Tile& values = tiles.values(rows, block, points, (first + column) / tile_side);
      for (Index c = 0; c < width; ++c)
        std::copy_n(&values.at[c * tile_side], rows.block_rows(block), &out(block * tile_side, column + c));
    }
  }
}

void noisy_covariance_lower(const PreparedPoints& rows, const Prior& prior, Eigen::Ref<Matrix> out) {
  TileKernel tiles(prior.kernel);
  for (Index column = 0; column < rows.blocks(); ++column)
    for (Index row = column; row < rows.blocks(); ++row) {
      const Tile& values = tiles.values(rows, row, rows, column);
      for (Index c = 0; c < rows.block_rows(column); ++c) {
        const Index above = row == column ? c : 0;
        std::copy_n(&values.at[c * tile_side + above], rows.block_rows(row) - above,
                    &out(row * tile_side + above, column * tile_side + c));
      }
    }
  out.diagonal().array() += prior.noise * prior.noise;
}

Matrix covariance(const Matrix& a, const Matrix& b, const Kernel& kernel) {
  if (a.cols() != b.cols() || a.cols() == 0)
    throw InputError(
        fmt::format("the first points have {} columns, the second {}; give both the same number, at least 1",
                    a.cols(), b.cols()));
  check_finite("first points", a);
  check_finite("second points", b);
  const Kernel ready = kernel.for_inputs(a.cols());
  Matrix out(a.rows(), b.rows());
  cross_covariance(PreparedPoints(a, ready), PreparedPoints(b, ready), 0, ready, out);
  return out;
}

}  // namespace tacit
