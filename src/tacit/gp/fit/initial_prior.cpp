#include "tacit/gp/fit/initial_prior.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace tacit {
namespace {

constexpr std::size_t most_pairs = 4000;
constexpr double median_to_deviation = 1 / 0.953873;  // of |x - x'| for two normal x: √2 times 0.67449

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Estimates the deviation from the median distance of two entries. If that is 0, as in columns of few values,
// computes it by its definition.
double deviation(const Vector& column, std::mt19937_64& random) {
  const auto n = static_cast<std::uint64_t>(column.size());
  if (n < 2) return 1;
  std::vector<double> distances;
  for (std::size_t k = 0; k < std::min<std::size_t>(most_pairs, n * (n - 1)); ++k) {
    const auto i = static_cast<Index>(random() % n), j = static_cast<Index>(random() % n);
    if (i != j) distances.push_back(std::abs(column(i) - column(j)));
  }
  double spread = median(distances) * median_to_deviation;
  if (!(spread > 0)) spread = std::sqrt((column.array() - column.mean()).square().mean());
  return spread > 0 && std::isfinite(spread) ? spread : 1;
}

// Returns the number of addends at the top of the kernel.
double addends(const Kernel& kernel, std::size_t node) {
  const Kernel::Node& at = kernel.nodes()[node];
  return at.kind == Kernel::Node::Kind::sum ? addends(kernel, at.left) + addends(kernel, at.right) : 1;
}

}  // namespace

DataScale data_scale_of(const Matrix& inputs, const Matrix& outputs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  DataScale scale{Vector(inputs.cols()), 0};
  for (Index d = 0; d < inputs.cols(); ++d) scale.inputs(d) = deviation(inputs.col(d), random);
  for (Index o = 0; o < outputs.cols(); ++o)
    scale.output = std::max(scale.output, deviation(outputs.col(o), random));
  if (!(scale.output > 0)) scale.output = 1;
  return scale;
}

bool has_no_numbers(const Kernel& kernel) {
  return std::ranges::all_of(kernel.leaves(), [](const Kernel::Leaf& leaf) {
    const bool one = leaf.lengthscale.empty() || (leaf.lengthscale.size() == 1 && leaf.lengthscale[0] == 1);
    return one && leaf.extra == 1 && leaf.signal == 1;
  });
}

Kernel initial_kernel(const Kernel& form, const DataScale& scale) {
  const Index inputs = scale.inputs.size();
  const double apart = scale.inputs.norm(), root = std::sqrt(static_cast<double>(inputs));
  const double signal = scale.output / std::sqrt(addends(form, form.nodes().size() - 1));
  const Kernel ready = form.for_inputs(inputs);
  std::vector<double> numbers;
  for (const Kernel::Leaf& leaf : ready.leaves()) {
    const bool line = leaf.shape == Shape::linear, turns = leaf.shape == Shape::periodic;
    for (std::size_t d = 0; d < leaf.lengthscale.size(); ++d) {
      const double here = leaf.ard ? root * scale.inputs(static_cast<Index>(d)) : apart;
      numbers.push_back(turns ? (leaf.ard ? root : 1) : line ? here / signal : here);
    }
    if (leaf.has_extra()) numbers.push_back(turns ? 2 * scale.inputs.maxCoeff() : 1);
    if (leaf.free_signal) numbers.push_back(line ? signal / apart : signal);
  }
  return ready.with(numbers);
}

Kernel with_lengthscale(const Kernel& kernel, double lengthscale) {
  std::vector<double> numbers = kernel.numbers();
  auto next = numbers.begin();
  for (const Kernel::Leaf& leaf : kernel.leaves()) {
    if (leaf.shape != Shape::linear && leaf.shape != Shape::periodic)
      std::fill_n(next, leaf.lengthscale.size(), lengthscale);
    next += static_cast<std::ptrdiff_t>(leaf.lengthscale.size() + leaf.has_extra() + leaf.free_signal);
  }
  return kernel.with(numbers);
}

Prior initial_prior(const Kernel& kernel, const DataScale& scale) {
  return {has_no_numbers(kernel) ? initial_kernel(kernel, scale) : kernel.for_inputs(scale.inputs.size()),
          scale.output / 2};
}

}  // namespace tacit
