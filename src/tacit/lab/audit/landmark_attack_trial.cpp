#include "tacit/lab/audit/landmark_attack_trial.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/gp/normal.hpp"

namespace tacit {

MadeUpPool made_up_pool(const PoolShape& shape, std::uint64_t seed, bool tails) {
  if (shape.agents < 1 || shape.agents > shape.rows)
    throw InputError(fmt::format("{} rows are too few for {} agents; each agent needs at least one row",
                                 shape.rows, shape.agents));
  const auto n = static_cast<Index>(shape.rows), d = static_cast<Index>(shape.inputs);
  const Prior prior(se(std::sqrt(static_cast<double>(d)) / 2), 0.2);
  Normal normal(seed);
  const auto draw = [&](Index rows, Index columns) {
    Matrix drawn(rows, columns);
    for (double& number : drawn.reshaped()) number = normal();
    return drawn;
  };
  Matrix rows = draw(n, d + 1);
  if (tails)
    for (Index i = 0; i < n; ++i) rows.row(i).head(d) /= draw(3, 1).norm();
  for (auto column : rows.leftCols(d).colwise())
    column /= tails ? std::sqrt(column.squaredNorm() / static_cast<double>(n)) : 1;
  Matrix noisy = covariance(rows.leftCols(d), rows.leftCols(d), prior.kernel);
  noisy.diagonal().array() += prior.noise * prior.noise;
  rows.col(d) = (Eigen::LLT<Matrix>(noisy).matrixL() * rows.col(d)).eval();
  std::vector<Index> blocks;
  for (std::size_t agent = 0; agent < shape.agents; ++agent)
    blocks.push_back(static_cast<Index>((shape.rows + agent) / shape.agents));
  const Matrix points = draw(static_cast<Index>(shape.landmarks), d);
  return {{Landmarks(points, prior.kernel), prior, std::move(blocks)}, std::move(rows)};
}

double LandmarkTrial::within_reach() const {
  return static_cast<double>((left.array() < found_within).count());
}

double LandmarkTrial::reached() const {
  return static_cast<double>(
      (left.array() < found_within && fitted.distances.array() < found_within).count());
}

LandmarkTrial try_landmark_attack(const MadeUpPool& pool, const LandmarkAttackSettings& settings) {
  LandmarkTrial trial;
  const FittedRows fitted = fit_rows(pool.numbers, pool.numbers.of(pool.rows, settings.unit), settings);
  trial.misfit = fitted.misfit;
  trial.fitted = nearness(pool.rows, fitted.rows);
  trial.chance = nearness_by_chance(pool.rows, 100, settings.seed);
  const Matrix left = left_to_guess(pool.numbers, pool.rows, settings.unit);
  trial.left = left.rowwise().maxCoeff();
  trial.least_left = left.minCoeff();
  return trial;
}

}  // namespace tacit
