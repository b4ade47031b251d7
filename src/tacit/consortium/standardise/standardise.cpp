#include "tacit/consortium/standardise/standardise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/consortium/standardise/column_jobs.hpp"
#include "tacit/consortium/standardise/least_scale.hpp"

namespace tacit {
namespace {

constexpr double column_unit = 0x1p-40;
constexpr double slack = 1 + 1e-9;  // rounding must not make honest data break a bound

Values column_sums(const ColumnFacts& facts, const Crew& mine, std::vector<double> means = {}) {
  std::vector<ColumnRange> ranges = facts.inputs;
  ranges.insert(ranges.end(), facts.outputs.begin(), facts.outputs.end());
  const ExpertSums all = mine.add_up(ColumnSumsJob(std::move(ranges), std::move(means)));
  return {all.sums.begin(), all.sums.end()};
}

// Returns the scaling that follows from the means and sums of squares, from column `first` on.
Scaling scaling(const std::vector<ColumnRange>& ranges, std::size_t first, const Values& means,
                const Values& squares, const ColumnFacts& facts, Standardisation& result) {
  const auto columns = static_cast<Index>(ranges.size());
  Scaling out{Vector(columns), Vector::Ones(columns)};
  for (Index c = 0; c < columns; ++c) {
    const ColumnRange& range = ranges[static_cast<std::size_t>(c)];
    const std::size_t k = first + static_cast<std::size_t>(c);
    out.shift(c) = range.centre() + range.half() * means[k];
    if (squares[k] > constant_below(facts))
      out.scale(c) = range.half() * std::sqrt(squares[k] / static_cast<double>(result.rows));
    else
      ++result.constant;
    out.scale(c) = std::max(out.scale(c), least_scale(range));
  }
  return out;
}

}  // namespace

Samples Standardisation::standard(const Samples& original) const {
  return {inputs.standard(original.inputs), outputs.standard(original.outputs)};
}

Prediction Standardisation::original(const Prediction& standard) const {
  const auto scaled = [&](const Matrix& variance) -> Matrix {
    if (variance.size() == 0) return variance;
    return variance.array().rowwise() * outputs.scale.transpose().array().square();
  };
  return {outputs.original(standard.mean), scaled(standard.latent_variance),
          scaled(standard.observed_variance)};
}

std::array<SumShape, 2> standardise_sums(const ColumnFacts& facts) {
  const std::size_t columns = facts.inputs.size() + facts.outputs.size();
  const double rows = slack * static_cast<double>(facts.rows);
  return {{{columns + 1, {rows, column_unit}}, {columns, {4 * rows, column_unit}}}};  // |x − x̄| ≤ 2 halves
}

double constant_below(const ColumnFacts& facts) {
  return 1024 * column_unit * static_cast<double>(facts.agents);
}

double standard_output_max(const ColumnFacts& facts, std::size_t rows) {
  const double n = static_cast<double>(rows);
  double most = std::sqrt(std::max(1.0, n - 1));
  // An output that counts as constant keeps its scale. Its sum of squares bounds every deviation.
  for (const ColumnRange& range : facts.outputs)
    most = std::max(most, range.half() * std::sqrt(constant_below(facts)));
  return most * (1 + 1e-3);  // the possible error of the scale
}

double standard_input_max(const ColumnFacts& facts, const Standardisation& standardisation) {
  const Scaling& scaling = standardisation.inputs;
  double most = 0;
  for (std::size_t d = 0; d < facts.inputs.size(); ++d)
    for (double end : {facts.inputs[d].low, facts.inputs[d].high}) {
      const auto c = static_cast<Index>(d);
      most = std::max(most, std::abs(end - scaling.shift(c)) / scaling.scale(c));
    }
  return std::exp2(std::ceil(std::log2(std::max(1.0, most * (1 + 1e-3)))));
}

DataScale standard_scale(std::size_t inputs) { return {Vector::Ones(static_cast<Index>(inputs)), 1}; }

Task<Standardisation> standardise_privately(Run& net, const SecureSum& secure_sum, const ColumnFacts& facts,
                                            const Crew& mine) {
  const auto sums = standardise_sums(facts);
  Values first = column_sums(facts, mine);
  first.push_back(static_cast<double>(mine.rows()));
  Values means = co_await secure_sum.sum(net, std::move(first), sums[0].range);

  const double n = std::round(means.back());
  if (!(n >= 1 && n <= static_cast<double>(facts.agents * facts.rows)))
    throw Error(fmt::format("the agents' rows add up to {:g}, which is impossible; the sum has not converged",
                            means.back()));
  for (double& mean : means) mean = std::clamp(mean / n, -1.0, 1.0);

  Values second = column_sums(facts, mine, {means.begin(), means.end() - 1});
  const Values squares = co_await secure_sum.sum(net, std::move(second), sums[1].range);

  Standardisation result;
  result.rows = static_cast<std::size_t>(n);
  result.inputs = scaling(facts.inputs, 0, means, squares, facts, result);
  result.outputs = scaling(facts.outputs, facts.inputs.size(), means, squares, facts, result);
  co_return result;
}

}  // namespace tacit
