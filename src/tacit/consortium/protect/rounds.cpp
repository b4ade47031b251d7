#include "tacit/consortium/protect/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/base/rounded.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/consortium/protect/normal_scores.hpp"

namespace tacit {
namespace {

// Directions are chosen for noise that suits terms clipped at this many deviations.
constexpr double planned_clip = 1.5;
// The share of a round's ρ that counts clipped terms, and the most noise of that count, relative to all keys.
constexpr double count_share = 0.05, most_count_noise = 0.03;
constexpr int settling_steps = 6;

Vector chosen(const Vector& all, const std::vector<Index>& directions) { return all(directions); }

// Spreads what the noise allows over directions, as water fills a vessel: the precision of a direction is
// (1/level - 1/λ)/(1 + λ) where that is positive.
void choose_directions(RoundsState& state, const Vector& lambda, double budget) {
  const auto filled = [&](double level) {
    return ((lambda / level).array() - 1).max(0).cwiseQuotient(lambda.array() + 1).sum();
  };
  double low = 1e-14, high = lambda.maxCoeff();
  for (int step = 0; step < 100; ++step) {
    const double middle = std::sqrt(low * high);
    (filled(middle) > budget ? low : high) = middle;
  }
  const double level = low;
  for (Index j = 0; j < lambda.size(); ++j)
    if (lambda(j) > level * 1.0001 || (j == 0 && lambda.size() > 0)) state.directions.push_back(j);
  const Vector kept = chosen(lambda, state.directions);
  state.weights = (1 / level - kept.cwiseInverse().array()).max(1e-300).cwiseQuotient(kept.array() + 1);
  state.weights /= state.weights.maxCoeff();
}

// An earlier state as it would be with all keys of a refit.
void rescale(RoundsState& state, OwnRounds& own, double share) {
  state.rounds.observed /= share;
  state.rounds.noise /= share * share;
  own.added /= share;
  state.rounds.old = state.rounds.observed.rows();
  // Rounds before the last refit keep their offset.
  state.rounds.offset = state.rounds.offset / share + std::abs(1 / share - 1);
}

// D and what follows from it, all public.
struct Clip {
  double bound = 0;    // D, the largest norm of a term
  double kept = 1;     // the share of the slope that clipping leaves
  double clipped = 0;  // the expected share of clipped terms
};

Clip clip_for(const Basis& basis, const RoundsState& state, const Vector& reference, double factor) {
  Clip clip;
  const Vector variance = (state.information.array() + 1).inverse();
  const Vector deviation =
      ((basis.synthetic().cwiseAbs2().transpose() * variance + basis.synthetic_lambda()).cwiseSqrt())
          .cwiseMin(1.0) *
      state.clip;
  const Vector norms = reference.cwiseProduct(deviation);
  const double rms = std::sqrt(norms.squaredNorm() / static_cast<double>(norms.size()));
  if (!std::isfinite(factor)) {
    clip.bound = factor;
    return clip;
  }
  // Rounded, so that all machines use the same grid.
  clip.bound = static_cast<double>(static_cast<float>(factor * rms));
  double kept = 0, all = 0, outside = 0;
  for (const double norm : norms) {
    kept += norm * norm * (2 * normal_share(clip.bound / norm) - 1);
    all += norm * norm;
    outside += normal_share(-clip.bound / norm);
  }
  clip.kept = rounded(kept / all);
  clip.clipped = 2 * outside / static_cast<double>(norms.size());
  return clip;
}

void append(Matrix& rows, const Vector& row) {
  rows.conservativeResize(rows.rows() + 1, row.size());
  rows.row(rows.rows() - 1) = row.transpose();
}

// Solves for the weights with all rounds so far.
void settle(RoundsState& state, const Vector& lambda) {
  const Vector observed = chosen(lambda, state.directions);
  const RoundsRegression regression(state.rounds, state.weights, observed, lambda);
  state.mismatch = regression.likely_mismatch();
  for (int step = 0; step < settling_steps; ++step) {
    const auto [value, variance] = regression.at(state.mean, state.mismatch);
    state.mean *= 0.5;
    state.information.setZero();
    for (Index j = 0; j < observed.size(); ++j) {
      const Index at = state.directions[static_cast<std::size_t>(j)];
      const double share = observed(j) / (observed(j) + variance(j));
      state.information(at) = observed(j) * share;
      state.mean(at) += 0.5 * share * value(j) / (1 + state.information(at));
    }
  }
  state.mean = state.mean.unaryExpr([](double w) { return rounded(w); });
  state.information = state.information.unaryExpr([](double i) { return rounded(i); });
}

}  // namespace

BasisRows::BasisRows(const Basis& basis, const Scales& scales, const OwnRows& mine)
    : inputs(scales.standard_inputs(mine.inputs())),
      targets(scales.standard_targets(mine.targets())),
      features(basis.features(inputs)),
      lambda(basis.lambdas(features)) {}

Vector eigenvalues_for(const Basis& basis, double basis_rows, double rows) {
  return basis.eigenvalues() * (rows / basis_rows);
}

Task<Rounds> run_rounds(ProtectedRun& run, const Basis& basis, const Vector& lambda, const OwnRows& keys,
                        const BasisRows& mine, const RoundsPlan& plan, const Rounds* before, double share) {
  Rounds result;
  RoundsState& state = result.state;
  if (before) {
    result = *before;
    rescale(state, result.own, share);
  } else {
    const double budget =
        plan.rho_of_directions * plan.rows / (2 * planned_clip * planned_clip * run.facts().factor());
    choose_directions(state, lambda, budget);
    state.mean = state.information = Vector::Zero(basis.size());
  }
  const Vector observed = chosen(lambda, state.directions), root = state.weights.cwiseSqrt();
  const auto k = static_cast<std::size_t>(observed.size());
  Vector reference(basis.synthetic().cols());
  for (Index row = 0; row < reference.size(); ++row) {
    double square = 0;
    for (std::size_t j = 0; j < k; ++j)
      square += std::pow(root(static_cast<Index>(j)) * basis.synthetic()(state.directions[j], row) /
                             basis.synthetic_lambda()(row),
                         2);
    reference(row) = std::sqrt(square);
  }

  for (std::size_t round = 0; round < plan.rho.size(); ++round) {
    leave_if_stopped();
    const double rho = plan.rho[round];
    const Clip clip = clip_for(basis, state, reference, plan.clip);
    const bool counts =
        std::isfinite(clip.bound) &&
        std::sqrt(run.facts().factor() / (2 * count_share * rho)) < most_count_noise * plan.rows;
    // ±c/2 for a term that was clipped or not. In a sum of both, 4 D² + c² is the squared change, of which
    // the count takes its share.
    const double mark = counts ? clip.bound * std::sqrt(count_share / (1 - count_share)) : 0;
    const double bound = clip.bound * (1 - 1e-12);
    const Opening opening{"round " + std::to_string(round + 1),
                          k + (counts ? 1 : 0),
                          clip.bound * clip.bound + mark * mark,
                          {},
                          rho};
    const Vector w = state.mean;
    const KeyTerms terms = mean_terms(keys, [&](Index row, std::span<double> term) {
      // In loops of fixed order: a term must not depend on other rows in its last bit.
      const double* const phi = mine.features.col(row).data();
      double fitted = 0, square = 0;
      for (Index i = 0; i < w.size(); ++i) fitted += phi[i] * w(i);
      for (std::size_t j = 0; j < k; ++j) {
        term[j] = root(static_cast<Index>(j)) * phi[state.directions[j]] / mine.lambda(row);
        square += term[j] * term[j];
      }
      const double norm = std::max(std::sqrt(square), 1e-12), difference = mine.targets(row) - fitted;
      const double most = bound / norm;
      const double factor = std::clamp(difference, -most, most);
      for (std::size_t j = 0; j < k; ++j) term[j] *= factor;
      if (counts) term[k] = std::abs(difference) > most ? mark : -mark;
    });
    const OpenedSum opened = co_await run.sum(opening, terms);

    Vector total(observed.size()), own(observed.size());
    for (std::size_t j = 0; j < k; ++j) {
      const auto at = static_cast<Index>(j);
      total(at) = opened.total[j] / clip.kept / root(at) + observed(at) * w(state.directions[j]);
      own(at) = opened.own[j] / clip.kept / root(at);
    }
    append(state.rounds.observed, total);
    append(state.rounds.iterates, w);
    append(result.own.added, own);
    state.rounds.noise.conservativeResize(state.rounds.noise.size() + 1);
    // Clipping is not linear. Openings have more noise than one term; without noise, this keeps rounds that
    // contradict each other from being trusted.
    const double least_noise = std::isfinite(clip.bound) ? clip.bound : 0;
    state.rounds.noise(state.rounds.noise.size() - 1) =
        std::pow(std::max(opened.noise, least_noise) / clip.kept, 2);
    state.bounds.push_back(clip.bound);
    settle(state, lambda);
    if (counts) {
      const double clipped = (opened.total[k] / mark / plan.rows + 1) / 2;
      state.clipped.push_back(clipped);
      const double step = std::clamp(4 * (clipped - clip.clipped), -0.7, 0.7);
      state.clip = rounded(std::clamp(state.clip * std::exp(step), 0.25, 2.0));
    }
  }
  co_return result;
}

OthersInformation others_information(const Rounds& rounds, const Vector& lambda, std::size_t agents,
                                     double own_share) {
  const RoundsState& state = rounds.state;
  const Vector observed = chosen(lambda, state.directions);
  const RoundsRegression regression(state.rounds, state.weights, observed, lambda);
  const Matrix weights = regression.round_weights(state.mean, state.mismatch);
  const Vector variance = regression.at(state.mean, state.mismatch).variance;
  const double others = 1 - own_share;
  const double noise = static_cast<double>(agents - 1) / static_cast<double>(agents);
  OthersInformation result{Vector::Zero(lambda.size()), Vector::Zero(lambda.size())};
  for (Index j = 0; j < observed.size(); ++j) {
    const Index at = state.directions[static_cast<std::size_t>(j)];
    double value = 0;
    for (Index t = 0; t < weights.rows(); ++t)
      value += weights(t, j) * (state.rounds.observed(t, j) - rounds.own.added(t, j) -
                                observed(j) * state.rounds.iterates(t, at) * own_share);
    const double theirs = observed(j) * others;
    const double share = theirs / (theirs + variance(j) * noise);
    result.information(at) = theirs * share;
    result.weighted(at) = share * value;
  }
  return result;
}

}  // namespace tacit
