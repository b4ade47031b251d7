#include "tacit/charter/bounds/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit {

std::size_t attack_rounds(const Observer& observer, const AttackSettings& settings) {
  // Later rounds reveal little, because the effect of each value has spread by then. An attack that stops
  // early is weaker, but not wrong.
  const std::size_t sums = std::max<std::size_t>(1, observer.seen.size());
  const std::size_t enough = 4 * (observer.honest.size() + observer.coalition.size()) + 20;
  return std::max<std::size_t>(1, std::min({settings.iterations, enough, settings.most_sums / sums}));
}

std::vector<double> step_weights(const AttackSettings& settings, std::size_t rounds) {
  std::vector<double> omega(rounds, 1);
  if (settings.hardening.acceleration == Acceleration::none) return omega;
  const double square = settings.lambda * settings.lambda;
  for (std::size_t t = 1; t < rounds; ++t)
    omega[t] = t == 1 ? 1 / (1 - square / 2) : 1 / (1 - square * omega[t - 1] / 4);
  return omega;
}

TrajectoryAttack::TrajectoryAttack(Observer observer, const AttackSettings& settings)
    : observer_(std::move(observer)), rounds_(attack_rounds(observer_, settings)) {
  if (!(settings.lz > 0) || !(settings.value_bound > 0) || !std::isfinite(settings.value_bound / settings.lz))
    throw InputError("the attack needs a positive L_z (`lz`) and a positive bound on values (`value_bound`)");
  omega_ = step_weights(settings, rounds_);
  prior_ = Real(settings.value_bound) * settings.value_bound / 3;
  rounding_ = Real(settings.lz) * settings.lz / 12;

  const RealMatrix states = this->states();
  RealMatrix covariance = noise() * rounding_;
  covariance.noalias() += states * states.transpose() * prior_;
  if (settings.hardening.blinding > 0) add_blinding(states, covariance, settings.hardening.blinding);
  factor_.compute(covariance);
  if (factor_.info() != Eigen::Success)
    throw Error("the equations of the attack could not be solved; raise L_z or reduce the iterations");
  gain_ = factor_.matrixL().solve(states);
}

// The sums o, one in each row.
TrajectoryAttack::RealMatrix TrajectoryAttack::sum_rows() const {
  const Eigen::Index n = static_cast<Eigen::Index>(observer_.honest.size());
  RealMatrix rows = RealMatrix::Zero(static_cast<Eigen::Index>(observer_.seen.size()), n);
  for (std::size_t k = 0; k < observer_.seen.size(); ++k)
    for (const auto& [agent, weight] : observer_.seen[k])
      rows(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(agent)) =
          Real(weight) / observer_.denominator;
  return rows;
}

// rows · A.
TrajectoryAttack::RealMatrix TrajectoryAttack::later(const RealMatrix& rows) const {
  RealMatrix next = RealMatrix::Zero(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < observer_.dynamics.size(); ++i)
    for (const auto& [j, weight] : observer_.dynamics[i])
      next.col(static_cast<Eigen::Index>(j)) +=
          rows.col(static_cast<Eigen::Index>(i)) * (Real(weight) / observer_.denominator);
  return next;
}

// The observations of all rounds per unit of each initial value.
TrajectoryAttack::RealMatrix TrajectoryAttack::states() const {
  RealMatrix now = sum_rows(), before = RealMatrix::Zero(now.rows(), now.cols());
  const Eigen::Index k = now.rows();
  RealMatrix all(k * static_cast<Eigen::Index>(rounds_), now.cols());
  for (std::size_t t = 0; t < rounds_; ++t) {
    all.middleRows(static_cast<Eigen::Index>(t) * k, k) = now;
    RealMatrix next = later(now) * Real(omega_[t]) + before * Real(1 - omega_[t]);
    before = std::exchange(now, std::move(next));
  }
  return all;
}

// The covariance of the observations per unit of variance of the rounding errors. The error g(s) enters the
// sums of round s directly, and the state of round s+1 as ω(s) (A - I) g(s). From there it evolves like a
// state.
TrajectoryAttack::RealMatrix TrajectoryAttack::noise() const {
  const RealMatrix sums = sum_rows();
  const Eigen::Index k = sums.rows(), n = static_cast<Eigen::Index>(rounds_);
  RealMatrix covariance = RealMatrix::Zero(n * k, n * k);
  const bool alike = std::all_of(omega_.begin(), omega_.end(), [](double w) { return w == 1; });
  RealMatrix effect(n * k, sums.cols());  // of g(s) on rounds s, s+1, ...
  for (Eigen::Index s = 0; s < (alike ? 1 : n); ++s) {
    effect.topRows(k) = sums;
    // o p_t(A) for the states from round s+1 on. Earlier steps do not contain this error.
    RealMatrix now = sums, before = RealMatrix::Zero(k, sums.cols());
    for (Eigen::Index t = s + 1; t < n; ++t) {
      // Rows are polynomials in A, which commute, so (A - I) may come last.
      effect.middleRows((t - s) * k, k) = (later(now) - now) * Real(omega_[static_cast<std::size_t>(s)]);
      const Real w(omega_[static_cast<std::size_t>(t)]);
      RealMatrix next = later(now) * w + before * (1 - w);
      before = std::exchange(now, std::move(next));
    }
    const Eigen::Index size = (n - s) * k;
    const RealMatrix square = effect.topRows(size) * effect.topRows(size).transpose();
    if (!alike) {
      covariance.bottomRightCorner(size, size) += square;
      continue;
    }
    // Without acceleration, an error of round s has the effect of one of round 0, but s rounds later.
    for (Eigen::Index r = 0; r < size; ++r)
      for (Eigen::Index c = 0; c < size; ++c)
        covariance(r, c) = r < k || c < k ? square(r, c) : Real(square(r, c) + covariance(r - k, c - k));
  }
  return covariance;
}

// Each edge between honest agents carries noise of ±2^bits B, which one end adds and the other subtracts. The
// coalition knows the noise on its own edges.
void TrajectoryAttack::add_blinding(const RealMatrix& states, RealMatrix& covariance, unsigned bits) const {
  RealMatrix spread = RealMatrix::Zero(states.rows(), states.cols());  // states · Laplacian
  for (std::size_t i = 0; i < observer_.dynamics.size(); ++i)
    for (const auto& [j, weight] : observer_.dynamics[i]) {
      if (j == i) continue;
      const auto a = static_cast<Eigen::Index>(i), b = static_cast<Eigen::Index>(j);
      spread.col(a) += states.col(a) - states.col(b);
    }
  covariance.noalias() += spread * states.transpose() * (prior_ * ldexp(Real(1), static_cast<int>(2 * bits)));
}

TrajectoryAttack::Real TrajectoryAttack::variance(const RealMatrix& combination) const {
  return prior_ * combination.squaredNorm() - prior_ * prior_ * (gain_ * combination).squaredNorm();
}

std::vector<double> TrajectoryAttack::errors() const {
  std::vector<double> result;
  for (Eigen::Index j = 0; j < gain_.cols(); ++j) {
    const Real left = prior_ - prior_ * prior_ * gain_.col(j).squaredNorm();
    result.push_back(std::sqrt(std::max(0.0, static_cast<double>(left))));
  }
  return result;
}

double TrajectoryAttack::error(const Combination& combination) const {
  RealMatrix factors = RealMatrix::Zero(gain_.cols(), 1);
  for (const auto& [agent, factor] : combination.terms) {
    const auto at = std::lower_bound(observer_.honest.begin(), observer_.honest.end(), agent);
    factors(at - observer_.honest.begin(), 0) = factor;
  }
  return std::sqrt(std::max(0.0, static_cast<double>(variance(factors))));
}

double TrajectoryAttack::guess() const {
  const double n = static_cast<double>(observer_.honest.size());
  return std::sqrt(static_cast<double>(prior_) * (1 - 1 / n));
}

std::vector<double> TrajectoryAttack::estimate(const std::vector<std::vector<double>>& own,
                                               const std::vector<std::vector<double>>& seen) const {
  // The coalition knows the effect of its own values on the honest agents' states and subtracts it: run the
  // dynamics from zero with these values as input.
  const RealMatrix sums = sum_rows();
  const Eigen::Index n = sums.cols(), k = sums.rows();
  RealMatrix now = RealMatrix::Zero(n, 1), before = now, left(k * static_cast<Eigen::Index>(rounds_), 1);
  for (std::size_t t = 0; t < rounds_; ++t) {
    const RealMatrix expected = sums * now;
    for (Eigen::Index r = 0; r < k; ++r)
      left(static_cast<Eigen::Index>(t) * k + r, 0) =
          Real(seen[t][static_cast<std::size_t>(r)]) - expected(r, 0);
    RealMatrix next = later(now.transpose()).transpose();  // A is symmetric
    for (std::size_t i = 0; i < observer_.honest.size(); ++i)
      for (const auto& [c, weight] : observer_.from_coalition[i])
        next(static_cast<Eigen::Index>(i), 0) += Real(weight) / observer_.denominator * own[t][c];
    next = next * Real(omega_[t]) + before * Real(1 - omega_[t]);
    before = std::exchange(now, std::move(next));
  }
  const RealMatrix found = gain_.transpose() * factor_.matrixL().solve(left) * prior_;
  std::vector<double> values;
  for (Eigen::Index j = 0; j < n; ++j) values.push_back(static_cast<double>(found(j, 0)));
  return values;
}

}  // namespace tacit
