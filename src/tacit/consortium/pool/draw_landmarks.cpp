#include "tacit/consortium/pool/draw_landmarks.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/consortium/standardise/column_jobs.hpp"
#include "tacit/gp/normal.hpp"

namespace tacit {
namespace {

// Landmarks need no exact position, but n must be exact.
constexpr double moment_unit = 0x1p-24;
// Landmarks are multiples of this, so that all machines draw the same ones although their last digits differ.
constexpr double grid = 0x1p-16;

// Returns a factor of the covariance. If a false sum or rounding has made the covariance invalid, it is moved
// towards its diagonal first.
Matrix spread_of(const Matrix& covariance) {
  const Vector diagonal = covariance.diagonal().cwiseMax(0);
  for (double aside = 1e-6; aside < 1; aside = std::min(1.0, 10 * aside)) {
    Matrix safe = (1 - aside) * covariance;
    safe.diagonal() = diagonal.array() + 1e-12;
    const Eigen::LLT<Matrix> factor(safe);
    if (factor.info() == Eigen::Success) return factor.matrixL();
  }
  return diagonal.cwiseSqrt().asDiagonal();
}

Index drawn_level(std::mt19937_64& random, const Vector& mean, Index first, Index levels) {
  // The share of a level is the mean of its column of zeros and ones.
  const Vector shares = ((mean.segment(first, levels).array() + 1) / 2).max(0).matrix();
  double left = uniform(random) * shares.sum();
  for (Index k = 0; k + 1 < levels; ++k)
    if ((left -= shares(k)) < 0) return k;
  return levels - 1;
}

}  // namespace

std::uint64_t landmark_numbers(std::size_t landmarks, std::size_t outputs, std::size_t priors) {
  const std::uint64_t m = landmarks;
  return priors * (m * (m + 1) / 2) + m * outputs;
}

std::uint64_t held_numbers(std::size_t rows, std::size_t inputs, std::size_t outputs) {
  return static_cast<std::uint64_t>(rows) * (inputs + outputs);
}

std::size_t landmark_ceiling(std::size_t rows, std::size_t inputs, std::size_t outputs, std::size_t priors) {
  const std::uint64_t held = held_numbers(rows, inputs, outputs);
  std::size_t most = 0;
  while (most < most_landmarks && 4 * landmark_numbers(most + 1, outputs, priors) <= held) ++most;
  return most;
}

SumShape moments_sum(const ColumnFacts& facts, bool standardised) {
  const std::size_t d = facts.inputs.size(), pairs = d * (d - 1) / 2;
  constexpr double slack = 1 + 1e-9;         // rounding must not make honest data break the bound
  const double most = standardised ? 4 : 1;  // |u| ≤ 1 relative to the middle, ≤ 2 relative to the mean
  return {standardised ? pairs : 1 + 2 * d + pairs,
          {slack * most * static_cast<double>(facts.rows), moment_unit}};
}

Task<InputMoments> moments_privately(Run& net, const SecureSum& secure_sum, const ColumnFacts& facts,
                                     const Crew& rows,
                                     const std::optional<Standardisation>& standardisation) {
  const auto d = static_cast<Index>(facts.inputs.size());
  InputMoments moments{0, Vector::Zero(d), Matrix::Zero(d, d)};
  Vector deviation = Vector::Ones(d);
  if (standardisation) {
    moments.rows = standardisation->rows;
    for (Index c = 0; c < d; ++c) {
      const ColumnRange& range = facts.inputs[static_cast<std::size_t>(c)];
      moments.mean(c) = (standardisation->inputs.shift(c) - range.centre()) / range.half();
      deviation(c) = standardisation->inputs.scale(c) / range.half();
    }
  }
  const Index first = standardisation ? 1 : 0;  // start of a column, relative to the diagonal
  const SumRange range = moments_sum(facts, standardisation.has_value()).range;
  const MomentsJob job(facts.inputs, standardisation
                                         ? std::vector<double>(moments.mean.begin(), moments.mean.end())
                                         : std::vector<double>());
  const ExpertSums own = rows.add_up(job);
  Values mine(own.sums.begin(), own.sums.end());
  Values total;
  if (!mine.empty()) total = co_await secure_sum.sum(net, std::move(mine), range);

  auto next = total.begin();
  if (!standardisation) {
    const double n = std::round(*next);
    if (!(n >= 1 && n <= static_cast<double>(facts.agents * facts.rows)))
      throw Error(fmt::format("the agents' rows add up to {:g}, which is impossible", *next));
    moments.rows = static_cast<std::size_t>(n);
    ++next;
    for (double& mean : moments.mean) mean = std::clamp(*next++ / n, -1.0, 1.0);
  }
  const auto n = static_cast<double>(moments.rows);
  for (Index c = 0; c < d; ++c)
    for (Index r = c + first; r < d; ++r) {
      const double about_mean = standardisation ? 0 : moments.mean(c) * moments.mean(r);
      moments.covariance(r, c) = moments.covariance(c, r) = *next++ / n - about_mean;
    }
  if (standardisation) moments.covariance.diagonal() = deviation.cwiseAbs2();
  co_return moments;
}

Matrix draw_landmarks(const InputMoments& moments, const ColumnFacts& facts,
                      const std::vector<std::size_t>& levels, std::size_t count, std::uint64_t seed) {
  const Index d = moments.mean.size();
  const Matrix spread = spread_of(moments.covariance);
  std::mt19937_64 random(seed);
  Normal normal(random());
  std::set<std::vector<double>> known;
  Matrix drawn(static_cast<Index>(count), d);
  Index found = 0;
  constexpr std::size_t patience = 1000;  // consecutive draws without a new point
  for (std::size_t tried = 0; found < drawn.rows() && tried < patience; ++tried) {
    Vector free(d);
    for (double& value : free) value = normal();
    Vector at = moments.mean + spread * free;
    Index first = 0;
    for (const std::size_t many : levels) {
      if (many == 0) {
        at(first) = grid * std::round(std::clamp(at(first), -1.0, 1.0) / grid);
        ++first;
        continue;
      }
      const auto width = static_cast<Index>(many);
      const Index level = drawn_level(random, moments.mean, first, width);
      for (Index k = 0; k < width; ++k) at(first + k) = k == level ? 1 : -1;
      first += width;
    }
    for (Index c = 0; c < d; ++c) {
      const ColumnRange& range = facts.inputs[static_cast<std::size_t>(c)];
      at(c) = std::clamp(range.centre() + range.half() * at(c), range.low, range.high);
    }
    // Checked here, because points that differed only in a constant column are now equal.
    if (!known.emplace(at.begin(), at.end()).second) continue;
    drawn.row(found++) = at;
    tried = 0;
  }
  return drawn.topRows(found);
}

}  // namespace tacit
