#include "tacit/gp/committee/row_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

using Rows = std::vector<Index>;

// Splits rows into experts of equal size by bisecting them repeatedly. Each cut is perpendicular to the line
// between two centres that k-means finds, at the position that gives the right sizes.
class Bisection {
 public:
  Bisection(const Matrix& inputs, std::uint64_t seed)
      : inputs_(inputs), random_(seed), weights_(inputs.cols()) {
    for (Index d = 0; d < inputs.cols(); ++d) {
      const auto column = inputs.col(d).array();
      const double spread = (column - column.mean()).square().mean();
      weights_(d) = spread > 0 ? 1 / spread : 0;
    }
  }

  void cut(Rows rows, std::size_t experts, std::vector<Rows>& into) {
    if (experts == 1) {
      std::ranges::sort(rows);
      into.push_back(std::move(rows));
      return;
    }
    const std::size_t left_experts = experts / 2;
    const std::size_t left_rows = rows.size() * left_experts / experts;
    const Vector direction = between_centres(rows);
    std::vector<std::pair<double, Index>> along;
    along.reserve(rows.size());
    for (Index r : rows) along.emplace_back(inputs_.row(r).dot(direction), r);
    std::ranges::nth_element(along, along.begin() + static_cast<std::ptrdiff_t>(left_rows));
    Rows left, right;
    for (std::size_t i = 0; i < along.size(); ++i) (i < left_rows ? left : right).push_back(along[i].second);
    rows = {};
    cut(std::move(left), left_experts, into);
    cut(std::move(right), experts - left_experts, into);
  }

 private:
  // Two-means uses at most this many rows, whose centres are as good as those of all rows.
  static constexpr std::size_t most_sampled = 2000;

  Vector between_centres(const Rows& rows) {
    Rows sample;
    for (std::size_t i = 0; i < std::min(most_sampled, rows.size()); ++i)
      sample.push_back(rows.size() <= most_sampled ? rows[i] : rows[random_() % rows.size()]);
    Vector a = inputs_.row(sample[random_() % sample.size()]), b = a;
    double farthest = -1;
    for (Index r : sample)
      if (const double d = distance(inputs_.row(r), a); d > farthest) {
        farthest = d;
        b = inputs_.row(r);
      }
    for (int round = 0; round < 10; ++round) {
      Vector sums[2] = {Vector::Zero(a.size()), Vector::Zero(a.size())};
      double counts[2] = {0, 0};
      for (Index r : sample) {
        const int nearer = distance(inputs_.row(r), b) < distance(inputs_.row(r), a);
        sums[nearer] += inputs_.row(r);
        ++counts[nearer];
      }
      if (counts[0] == 0 || counts[1] == 0) break;
      a = sums[0] / counts[0];
      b = sums[1] / counts[1];
    }
    return (b - a).cwiseProduct(weights_);
  }

  double distance(const Vector& x, const Vector& y) const { return (x - y).cwiseAbs2().dot(weights_); }

  const Matrix& inputs_;
  std::mt19937_64 random_;
  Vector weights_;
};

}  // namespace

RowSplit parse_row_split(std::string_view name) {
  if (name == "random") return RowSplit::random;
  if (name == "clusters") return RowSplit::clusters;
  throw InputError(fmt::format("\"{}\" is not a way to split rows; use random or clusters", name));
}

std::string to_string(RowSplit split) { return split == RowSplit::random ? "random" : "clusters"; }

std::size_t expert_count(std::size_t rows, const CommitteeOptions& options) {
  if (options.expert_rows == 0) throw InputError("expert_rows is 0; set it to at least 1");
  return std::max<std::size_t>(1, (rows + options.expert_rows - 1) / options.expert_rows);
}

std::vector<std::vector<Index>> split_rows(const Matrix& inputs, const CommitteeOptions& options) {
  const Matrix none(inputs.rows(), 0);
  return split_rows(*rows_in_memory(inputs, none), options);
}

std::vector<std::vector<Index>> split_rows(const RowReader& source, const CommitteeOptions& options) {
  const std::size_t rows = source.rows(), experts = expert_count(rows, options);
  if (options.split == RowSplit::clusters && !source.in_memory())
    throw InputError("splitting rows by clusters needs all rows in memory; split them at random");
  Rows all(rows);
  std::iota(all.begin(), all.end(), 0);
  std::vector<Rows> parts;
  if (experts == 1) return {all};
  if (options.split == RowSplit::clusters) {
    Matrix inputs, outputs;
    source.read(all, inputs, outputs);
    Bisection(inputs, options.seed).cut(std::move(all), experts, parts);
    return parts;
  }
  std::mt19937_64 random(options.seed);
  for (std::size_t i = rows; i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  for (std::size_t e = 0; e < experts; ++e) {
    const auto at = [&](std::size_t k) {
      return all.begin() + static_cast<std::ptrdiff_t>(rows * k / experts);
    };
    parts.emplace_back(at(e), at(e + 1));
    std::ranges::sort(parts.back());
  }
  return parts;
}

}  // namespace tacit
