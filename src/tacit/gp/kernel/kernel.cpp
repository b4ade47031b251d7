#include "tacit/gp/kernel/kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

void check_positive(std::string_view name, const char* cure, double value) {
  if (!(value >= 1e-100 && value <= 1e100))
    throw InputError(fmt::format("{} is {}, but must lie between 1e-100 and 1e100; {}", name, value, cure));
}

void check(const Kernel::Leaf& leaf) {
  for (double l : leaf.lengthscale)
    check_positive("lengthscale",
                   "set it to the distance over which the function changes, in the unit of the inputs", l);
  if (leaf.has_extra())
    check_positive(leaf.shape == Shape::periodic ? "period" : "alpha", "set it to a positive number",
                   leaf.extra);
  check_positive("signal", "set it to about the standard deviation of the outputs", leaf.signal);
}

// Calls visit(number, name) for every parameter of the leaf in order.
template <class LeafType, class Visit>
void for_each_number(LeafType& leaf, Visit&& visit) {
  for (std::size_t d = 0; d < leaf.lengthscale.size(); ++d)
    visit(leaf.lengthscale[d], leaf.ard ? fmt::format("lengthscale[{}]", d) : "lengthscale");
  if (leaf.has_extra()) visit(leaf.extra, leaf.shape == Shape::periodic ? "period" : "alpha");
  if (leaf.free_signal) visit(leaf.signal, "signal");
}

}  // namespace

Kernel::Kernel() : Kernel(Shape::se, 1., 1, 1) {}

Kernel::Kernel(Shape shape, Lengthscale lengthscale, double extra, double signal) : nodes_(1) {
  Leaf leaf{shape, lengthscale.ard_, std::move(lengthscale.values_), extra, signal, true};
  if (shape == Shape::constant || (shape == Shape::linear && !leaf.ard)) leaf.lengthscale.clear();
  if (shape == Shape::linear && leaf.ard) leaf.free_signal = false;  // the length-scales determine it
  check(leaf);
  leaves_.push_back(std::move(leaf));
}

Kernel Kernel::joined(const Kernel& a, const Kernel& b, Node::Kind kind) {
  Kernel both = a;
  both.leaves_.insert(both.leaves_.end(), b.leaves_.begin(), b.leaves_.end());
  for (Node node : b.nodes_) {
    const std::size_t shift = node.kind == Node::Kind::leaf ? a.leaves_.size() : a.nodes_.size();
    node.left += shift;
    node.right += shift;
    both.nodes_.push_back(node);
  }
  both.nodes_.push_back({kind, a.nodes_.size() - 1, both.nodes_.size() - 1});
  return both;
}

Kernel operator+(const Kernel& a, const Kernel& b) { return Kernel::joined(a, b, Kernel::Node::Kind::sum); }

Kernel operator*(const Kernel& a, const Kernel& b) {
  Kernel both = Kernel::joined(a, b, Kernel::Node::Kind::product);
  const Kernel::Node product = both.nodes_.back();
  both.amplify(product.left, both.normalise(product.right));
  return both;
}

// Multiplies the subtree's kernel by factor².
void Kernel::amplify(std::size_t node, double factor) {
  const Node at = nodes_[node];
  if (at.kind != Node::Kind::leaf) {
    amplify(at.left, factor);
    if (at.kind == Node::Kind::sum) amplify(at.right, factor);
    return;
  }
  Leaf& leaf = leaves_[at.left];
  if (leaf.shape == Shape::linear && leaf.ard)
    for (double& l : leaf.lengthscale) l /= factor;
  else
    leaf.signal *= factor;
  check(leaf);
}

// Divides the subtree's kernel by the square of its first leaf's signal, fixes that signal to 1 and returns
// its former value.
double Kernel::normalise(std::size_t node) {
  const Node at = nodes_[node];
  if (at.kind == Node::Kind::leaf) {
    leaves_[at.left].free_signal = false;
    return std::exchange(leaves_[at.left].signal, 1);
  }
  const double signal = normalise(at.left);
  if (at.kind == Node::Kind::sum) amplify(at.right, 1 / signal);
  return signal;
}

std::size_t Kernel::parameters() const {
  std::size_t count = 0;
  for (const Leaf& leaf : leaves_) count += leaf.lengthscale.size() + leaf.has_extra() + leaf.free_signal;
  return count;
}

std::vector<double> Kernel::numbers() const {
  std::vector<double> all;
  for (const Leaf& leaf : leaves_)
    for_each_number(leaf, [&](double value, const std::string&) { all.push_back(value); });
  return all;
}

std::vector<double> Kernel::logarithms() const {
  std::vector<double> logs = numbers();
  for (double& value : logs) value = std::log(value);
  return logs;
}

Kernel Kernel::with(std::span<const double> numbers) const {
  if (numbers.size() != parameters())
    throw InputError(
        fmt::format("kernel {} has {} parameters, not {}", form(), parameters(), numbers.size()));
  Kernel other = *this;
  auto next = numbers.begin();
  for (Leaf& leaf : other.leaves_) {
    for_each_number(leaf, [&](double& value, const std::string&) { value = *next++; });
    check(leaf);
  }
  return other;
}

Kernel Kernel::at(std::span<const double> logarithms) const {
  std::vector<double> numbers(logarithms.begin(), logarithms.end());
  for (double& value : numbers) value = std::exp(value);
  return with(numbers);
}

std::vector<std::string> Kernel::names() const {
  std::map<Shape, std::size_t> of_shape, seen;
  for (const Leaf& leaf : leaves_) ++of_shape[leaf.shape];
  std::vector<std::string> names;
  for (const Leaf& leaf : leaves_) {
    std::string prefix = name_of(leaf.shape);
    if (of_shape[leaf.shape] > 1) prefix += fmt::format("#{}", ++seen[leaf.shape]);
    for_each_number(leaf, [&](double, const std::string& part) { names.push_back(prefix + "." + part); });
  }
  return names;
}

Kernel Kernel::for_inputs(Index inputs) const {
  Kernel other = *this;
  for (Leaf& leaf : other.leaves_) {
    if (!leaf.ard) continue;
    const auto wanted = static_cast<std::size_t>(inputs);
    if (leaf.lengthscale.size() == 1) leaf.lengthscale.resize(wanted, leaf.lengthscale[0]);
    if (leaf.lengthscale.size() != wanted)
      throw InputError(
          fmt::format("{}-ard has {} length-scales, but there are {} inputs; give one for each, or none to "
                      "start from a default",
                      name_of(leaf.shape), leaf.lengthscale.size(), inputs));
  }
  return other;
}

Vector Kernel::prior_variance(const MatrixView& points) const {
  std::vector<Vector> values;
  for (const Node& node : nodes_) {
    if (node.kind != Node::Kind::leaf) {
      const auto& left = values[node.left].array();
      const auto& right = values[node.right].array();
      values.push_back(node.kind == Node::Kind::sum ? Vector(left + right) : Vector(left * right));
      continue;
    }
    const Leaf& leaf = leaves_[node.left];
    Vector value = Vector::Constant(points.rows(), leaf.signal * leaf.signal);
    if (leaf.shape == Shape::linear) {
      Matrix scaled = points;
      for (std::size_t d = 0; d < leaf.lengthscale.size(); ++d)
        scaled.col(static_cast<Index>(d)) /= leaf.lengthscale[d];
      value.array() *= scaled.rowwise().squaredNorm().array();
    }
    values.push_back(std::move(value));
  }
  return values.back();
}

Kernel constant(double signal) { return {Shape::constant, 1., 1, signal}; }
Kernel linear(double signal) { return {Shape::linear, 1., 1, signal}; }
Kernel linear(Lengthscale l) { return {Shape::linear, std::move(l), 1, 1}; }
Kernel se(Lengthscale l, double signal) { return {Shape::se, std::move(l), 1, signal}; }
Kernel matern12(Lengthscale l, double signal) { return {Shape::matern12, std::move(l), 1, signal}; }
Kernel matern32(Lengthscale l, double signal) { return {Shape::matern32, std::move(l), 1, signal}; }
Kernel matern52(Lengthscale l, double signal) { return {Shape::matern52, std::move(l), 1, signal}; }
Kernel rational_quadratic(Lengthscale l, double alpha, double signal) {
  return {Shape::rational_quadratic, std::move(l), alpha, signal};
}
Kernel periodic(double period, Lengthscale l, double signal) {
  return {Shape::periodic, std::move(l), period, signal};
}

}  // namespace tacit
