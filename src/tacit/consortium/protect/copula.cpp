#include "tacit/consortium/protect/copula.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/base/rounded.hpp"
#include "tacit/consortium/protect/normal_scores.hpp"
#include "tacit/gp/normal.hpp"

namespace tacit {
namespace {

constexpr double draw_grid = 0x1p-16;
constexpr double farthest_draw = 4, farthest_score = 3;

}  // namespace

double score_clip(Index inputs) { return 1.2 * std::sqrt(static_cast<double>(inputs)); }

Vector clipped_scores(const Scales& scales, const double* inputs, double rows) {
  const Index d = scales.inputs();
  const double least = rows < 1000 ? std::min(0.5 / rows, 0.25) : 0.001;
  Vector scores(d);
  for (Index k = 0; k < d; ++k) {
    const Marginal& column = scales.columns[static_cast<std::size_t>(k)];
    scores(k) = scales.bins > 0 ? normal_score(std::clamp(column.share(inputs[k]), least, 1 - least))
                                : std::clamp((inputs[k] - column.centre) / column.spread, -farthest_score,
                                             farthest_score);
  }
  const double norm = scores.norm();
  if (norm > score_clip(d)) scores *= score_clip(d) / norm;
  return scores;
}

Matrix correlation_root(std::span<const double> products, Index d, double noise) {
  Matrix c(d, d);
  auto next = products.begin();
  for (Index column = 0; column < d; ++column)
    for (Index row = column; row < d; ++row, ++next)
      c(row, column) = c(column, row) = row == column ? *next : *next / std::numbers::sqrt2;
  const Vector scale = c.diagonal().cwiseMax(0.3).cwiseSqrt();
  c = scale.cwiseInverse().asDiagonal() * c * scale.cwiseInverse().asDiagonal();
  // Correlations are shrunk towards zero by the share of noise in their squares.
  c.diagonal().setZero();
  const double pairs = static_cast<double>(d * (d - 1));
  const double by_noise = noise * noise / 2 * pairs;
  const double shrink = 1 / (1 + by_noise / std::max(c.squaredNorm() - by_noise, 1e-3));
  c *= shrink;
  c.diagonal().setOnes();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(c);
  const double least = std::max(0.3 * noise * std::sqrt(2.0 * static_cast<double>(d)) * shrink, 0.003);
  c = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(least).asDiagonal() *
      eigen.eigenvectors().transpose();
  const Vector unit = c.diagonal().cwiseSqrt().cwiseInverse();
  c = unit.asDiagonal() * c * unit.asDiagonal();
  c.diagonal().array() += 1e-6;
  Matrix root = Eigen::LLT<Matrix>(c).matrixL();
  return root.unaryExpr([](double number) { return rounded(number); });
}

Task<Copula> open_copula(ProtectedRun& run, const Scales& scales, const OwnRows& mine, double rows,
                         double rho) {
  const Index d = scales.inputs();
  if (d < 2) co_return Copula{scales, Matrix::Identity(d, d)};
  const double clip = score_clip(d);
  // |uu' - vv'|² = |u|⁴ + |v|⁴ - 2(u'v)² ≤ 2 R⁴.
  const Opening opening{"correlations", static_cast<std::size_t>(d * (d + 1) / 2), std::pow(clip, 4),
                        2 * std::pow(clip, 4), rho};
  const KeyTerms terms = mean_terms(mine, [&](Index row, std::span<double> term) {
    const Vector scores = clipped_scores(scales, mine.inputs().col(row).data(), rows);
    auto next = term.begin();
    for (Index b = 0; b < d; ++b)
      for (Index a = b; a < d; ++a) *next++ = (a == b ? 1 : std::numbers::sqrt2) * scores(a) * scores(b);
  });
  const OpenedSum opened = co_await run.sum(opening, terms);
  std::vector<double> products(opened.total.begin(), opened.total.end());
  for (double& number : products) number /= rows;
  co_return Copula{scales, correlation_root(products, d, opened.noise / rows)};
}

Matrix Copula::draw(Index rows, std::uint64_t seed) const {
  const Index d = scales.inputs();
  Normal normal(seed);
  Matrix drawn(d, rows);
  Vector free(d);
  for (Index row = 0; row < rows; ++row) {
    for (double& number : free) number = normal();
    for (Index k = 0; k < d; ++k) {
      double z = 0;
      for (Index j = 0; j <= k; ++j) z += root(k, j) * free(j);
      if (scales.bins > 0) {
        const Marginal& column = scales.columns[static_cast<std::size_t>(k)];
        z = (column.quantile(normal_share(z)) - column.centre) / column.spread;
      }
      drawn(k, row) = draw_grid * std::round(std::clamp(z, -farthest_draw, farthest_draw) / draw_grid);
    }
  }
  return drawn;
}

}  // namespace tacit
