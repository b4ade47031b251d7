#include "tacit/consortium/pool/pooled.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/consortium/pool/draw_landmarks.hpp"

namespace tacit {

double pooled_unit(std::size_t agents, std::size_t landmarks, double ratio) {
  const double weights = static_cast<double>(landmarks) * ratio * ratio,
               spread = std::sqrt(static_cast<double>(agents) / 12 * (1 + weights));  // if the unit is 1
  return std::exp2(std::floor(std::log2(0.01 / (4 * spread))));
}

SumShape pooled_sum(const PooledFacts& facts) {
  const double reach = static_cast<double>(facts.rows) / (facts.noise * facts.noise);
  constexpr double slack = 1 + 1e-6;  // rounding must not make honest data break the bound
  const double bound =
      slack * reach * std::max(facts.prior_high, std::sqrt(facts.prior_high) * facts.output_max);
  // A tuned prior is correct within a factor of two; numbers given by hand may be arbitrary.
  const double ratio = std::max(1.0, facts.output_usual / (2 * std::sqrt(facts.prior_high)));
  return {landmark_numbers(facts.landmarks, facts.outputs, facts.priors),
          {bound, pooled_unit(facts.agents, facts.landmarks, ratio)}};
}

double most_weight_square(double rows, double output_max, double noise) {
  return rows * std::pow(output_max / noise, 2);
}

Task<std::vector<PooledTotals>> pool_privately(Run& net, const SecureSum& secure_sum,
                                               const PooledFacts& facts,
                                               const std::vector<LandmarkSums>& mine) {
  const auto m = static_cast<Index>(facts.landmarks);
  const SumShape shape = pooled_sum(facts);
  Values values;
  values.reserve(shape.dimension);
  for (const LandmarkSums& one : mine) {
    for (Index c = 0; c < m; ++c)
      values.insert(values.end(), &one.precision(c, c), &one.precision(c, c) + (m - c));
    values.insert(values.end(), one.weighted.data(), one.weighted.data() + one.weighted.size());
  }
  const Values total = co_await secure_sum.sum(net, std::move(values), shape.range);

  std::vector<PooledTotals> all;
  auto next = total.begin();
  for (const LandmarkSums& one : mine) {
    PooledTotals& totals = all.emplace_back(PooledTotals{Matrix(m, m), Matrix(m, one.weighted.cols())});
    for (Index c = 0; c < m; ++c)
      for (Index r = c; r < m; ++r) totals.precision(r, c) = totals.precision(c, r) = *next++;
    for (double& value : totals.weighted.reshaped()) value = *next++;
  }
  co_return all;
}

}  // namespace tacit
