#include "tacit/consortium/score/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

double log_scale(double variance) { return 0.5 * std::log(2 * std::numbers::pi * variance); }

}  // namespace

SumShape score_sum(const ScoreFacts& facts) {
  const double least = facts.noise * facts.noise, most = least + facts.signal * facts.signal;
  const double squares = facts.error * facts.error / least;
  const double density = squares / 2 + std::max(std::abs(log_scale(least)), std::abs(log_scale(most)));
  constexpr double slack = 1 + 1e-9;  // rounding must not make honest data break the bound
  const double bound = slack * static_cast<double>(facts.rows) * std::max({1.0, squares, density});
  return {1 + 2 * facts.outputs, {bound, 0x1p-30}};
}

Task<Score> score_privately(Run& net, const SecureSum& secure_sum, const ScoreFacts& facts,
                            const Prediction& predicted, const Matrix& truth) {
  const double least = facts.noise * facts.noise;
  const auto outputs = static_cast<Index>(facts.outputs);
  Values mine(1 + 2 * facts.outputs);
  mine[0] = static_cast<double>(truth.rows());
  for (Index k = 0; k < outputs && truth.rows() > 0; ++k) {
    const auto squares = (predicted.mean.col(k) - truth.col(k)).array().square();
    const auto variance = predicted.observed_variance.col(k).array();
    mine[static_cast<std::size_t>(1 + k)] = squares.sum() / least;
    mine[static_cast<std::size_t>(1 + outputs + k)] =
        -(squares / (2 * variance) + variance.unaryExpr(&log_scale)).sum();
  }
  const Values sums = co_await secure_sum.sum(net, std::move(mine), score_sum(facts).range);

  const double rows = std::round(sums[0]);
  if (!(rows >= 1)) throw Error("no agent has held out a row to score, or the sum has not converged");
  Score score{static_cast<std::size_t>(rows), Vector(outputs), Vector(outputs)};
  for (Index k = 0; k < outputs; ++k) {
    score.mean_square(k) = std::max(0.0, least * sums[static_cast<std::size_t>(1 + k)] / rows);
    score.log_density(k) = sums[static_cast<std::size_t>(1 + outputs + k)] / rows;
  }
  co_return score;
}

}  // namespace tacit
