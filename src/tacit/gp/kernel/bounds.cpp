#include "tacit/gp/kernel/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tacit {
namespace {

// In units of signal². For g of tile.hpp, the slope in a length-scale, 2 r² |g'|, is at most 2/e (se,
// periodic, and rq for large alpha), 1/e, 4/e² and 0.61 (Matérn 1/2, 3/2, 5/2). The slope of rq in log alpha
// is at most alpha log(1+u) (1+u)^-alpha ≤ 1/e. The slope of a period is k Σ_d |sin a_d| |a_d| / l_d² with
// a_d = 2π Δ_d / p, where |sin a| / l ≤ t = 2 |sin(a/2)| / l and Σ_d t_d exp(-Σ t²/2) ≤ √(inputs/e).
KernelBounds leaf_bounds(const Kernel::Leaf& leaf, Index inputs, double input_max) {
  const double d = static_cast<double>(inputs), variance = leaf.signal * leaf.signal;
  const double shortest = leaf.lengthscale.empty() ? 1 : *std::ranges::min_element(leaf.lengthscale);
  KernelBounds bounds{variance, variance, {}};
  if (leaf.shape == Shape::linear)
    bounds = {0, variance * d * input_max * input_max / (shortest * shortest), {}};
  bounds.slopes.assign(leaf.lengthscale.size(),
                       leaf.shape == Shape::linear ? 2 * bounds.high : 2 / std::numbers::e * variance);
  if (leaf.shape == Shape::rational_quadratic) bounds.slopes.push_back(variance / std::numbers::e);
  if (leaf.shape == Shape::periodic)
    bounds.slopes.push_back(variance * std::sqrt(d / std::numbers::e) * 4 * std::numbers::pi * input_max /
                            leaf.extra / shortest);
  if (leaf.free_signal) bounds.slopes.push_back(2 * bounds.high);
  return bounds;
}

}  // namespace

KernelBounds kernel_bounds(const Kernel& given, Index inputs, double input_max) {
  const Kernel kernel = given.for_inputs(inputs);
  std::vector<KernelBounds> all;  // by node, with the slopes of its leaves in order
  for (const Kernel::Node& node : kernel.nodes()) {
    if (node.kind == Kernel::Node::Kind::leaf) {
      all.push_back(leaf_bounds(kernel.leaves()[node.left], inputs, input_max));
      continue;
    }
    KernelBounds left = all[node.left], right = all[node.right];
    const bool product = node.kind == Kernel::Node::Kind::product;
    KernelBounds both{product ? left.low * right.low : left.low + right.low,
                      product ? left.high * right.high : left.high + right.high,
                      {}};
    for (double slope : left.slopes) both.slopes.push_back(product ? slope * right.high : slope);
    for (double slope : right.slopes) both.slopes.push_back(product ? slope * left.high : slope);
    all.push_back(std::move(both));
  }
  return all.back();
}

}  // namespace tacit
