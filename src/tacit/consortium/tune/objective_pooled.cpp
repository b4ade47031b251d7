#include "tacit/consortium/tune/objective_pooled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "tacit/base/error.hpp"
#include "tacit/gp/kernel/bounds.hpp"
#include "tacit/gp/landmarks/landmark_likelihood.hpp"

namespace tacit {
namespace {

// Rounding A and a to this unit changes the likelihood by only a few units, because μ maximises the parts of
// the likelihood together. This is far less than a search can detect (MaximiserLimits).
constexpr double statistics_unit = 0x1p-20;

// The finest unit of the second sum. Its bounds are wide, so M values in smaller units might not fit into 126
// bits.
constexpr double finest_unit = 0x1p-30;
constexpr double most_units = 0x1p122;

// Outputs that share a prior.
struct Group {
  Index first, count;
};

std::vector<Group> groups(std::size_t outputs, bool shared) {
  if (shared) return {{0, static_cast<Index>(outputs)}};
  std::vector<Group> each;
  for (std::size_t k = 0; k < outputs; ++k) each.push_back({static_cast<Index>(k), 1});
  return each;
}

struct Bounds {
  double statistics = 0, value = 0, slope = 0;
};

// For an agent's n of N rows, p outputs that share a prior, and m landmarks; k ≥ k(x,x) and s ≥ |dk/d(log
// θ)|.
//
// A and a: Λ ≥ σ²I and |φ|² ≤ k. So, with f the row of an agent's Φ for a landmark, |f|² ≤ nk, and
// |A_ij| ≤ |f_i||f_j|/σ² ≤ nk/σ², |a_j| ≤ |f_j||y|/σ² ≤ n√k y_max/σ².
//
// Value: the squares (y − Φ'μ)'Λ⁻¹(y − Φ'μ) of the parts and |μ|² add up to y'C⁻¹y ≤ F = pN y_max²/σ².
// log|Λ_b| has the bounds of log|K + σ²I|, because Λ_b is between σ²I and K + σ²I; 0 ≤ log|I + A| ≤ m log(1 +
// Nk/σ²).
//
// Slopes: c = L⁻ᵀφ(x) = (K_ZZ + J)⁻¹k(Z,x) has J|c|² ≤ |φ|² ≤ k, so |c|² ≤ κ = k/J. J is the jitter that is
// always added to the diagonal of K_ZZ; it changes by at most J s/k̄. A block's slope is ½ tr(W_bb D) +
// tr(U_b'L⁻¹dK_Zb).
//   D_ij = dk_ij − c_i'dk_j − c_j'dk_i + c_i'dK_ZZ c_j is at most d = 3s(1 + mκ). W = Σαα' − pC⁻¹ with
//   Σ|α|² ≤ F/σ² and C⁻¹ ≤ I/σ², and |tr(XD)| ≤ |X|_F |D|_F: at most ½ n d (F + p√n)/σ².
//   U_b = μα_b' − pSΦ_bΛ_b⁻¹, |L⁻¹| ≤ √(κ/k): at most s √(mnκ/k) (F/σ + p √(nk)/σ²).
// The part that does not depend on rows is ½ tr(L⁻ᵀ(p(I − S) − μμ')L⁻¹dK_ZZ), at most s m (κ/k) (F + pm). In
// log σ_ε it is at most F + pn.
//
// S and μ come from rounded sums, so the bounds of everything that follows from them are doubled.
Bounds bounds(const TuneFacts& facts, double agents, const Prior& prior, double outputs,
              const Matrix& landmarks) {
  const double farthest = std::max(facts.input_max, landmarks.cwiseAbs().maxCoeff());
  const KernelBounds kernel = kernel_bounds(prior.kernel, static_cast<Index>(facts.inputs), farthest);
  const double n = static_cast<double>(facts.rows), all = agents * n, p = outputs;
  const double m = static_cast<double>(landmarks.rows());
  const double k = kernel.high, noise = prior.noise * prior.noise, y = facts.output_max;
  const double fit = p * all * y * y / noise;
  Bounds most;
  most.statistics = n / noise * std::max(k, std::sqrt(k) * y);
  const double volume = std::max(std::abs(std::log(noise)), std::abs(std::log(noise + k)));
  most.value = fit + p * (n * (volume + std::log(2 * std::numbers::pi)) + m * std::log1p(all * k / noise));
  const double mean_prior = prior.kernel.prior_variance(landmarks).mean();
  const double reach = k / (landmark_jitter * mean_prior);  // κ
  most.slope = fit + p * n;
  for (const double s : kernel.slopes) {
    const double among = n * 3 * s * (1 + m * reach) * (fit + p * std::sqrt(n)) / noise;
    const double between =
        2 * s * std::sqrt(m * n * reach / k) * (fit / prior.noise + p * std::sqrt(n * k) / noise);
    most.slope = std::max(most.slope, among + between + 2 * s * m * reach / k * (fit + p * m));
  }
  return most;
}

double power_of_two(double bound, const Prior& prior) {
  if (!(bound > 0 && std::isfinite(bound)))
    throw InputError(
        fmt::format("kernel {} has no public bound at these landmarks, so no secure sum is possible; choose "
                    "another kernel, "
                    "or landmarks at which the kernel is not 0",
                    prior.kernel.form()));
  return std::exp2(std::ceil(std::log2(bound) + 1e-3));
}

// Appends one prior's part of the first sum.
void append(const LandmarkSums& sums, Values& values) {
  for (Index c = 0; c < sums.precision.cols(); ++c)
    for (Index r = c; r < sums.precision.rows(); ++r) values.push_back(sums.precision(r, c));
  for (const double value : sums.weighted.reshaped()) values.push_back(value);
}

PooledPart pooled_part(std::shared_ptr<const Landmarks> landmarks, Index outputs,
                       Values::const_iterator& next) {
  LandmarkSums sums(landmarks->count(), outputs);
  for (Index c = 0; c < sums.precision.cols(); ++c)
    for (Index r = c; r < sums.precision.rows(); ++r) sums.precision(r, c) = *next++;
  for (double& value : sums.weighted.reshaped()) value = *next++;
  return {std::move(landmarks), sums.precision, sums.weighted};
}

}  // namespace

PooledTrialSums pooled_trial_sums(const TuneFacts& facts, std::size_t agents, const ExactTuneOptions& options,
                                  const Matrix& landmarks, const Priors& trial) {
  const double parties = static_cast<double>(agents);
  const auto m = static_cast<std::size_t>(landmarks.rows());
  PooledTrialSums sums;
  double statistics = 0, value = 0, slope = 0;
  for (const Group& group : groups(facts.outputs, options.shared)) {
    const Prior prior = checked_prior(trial[static_cast<std::size_t>(group.first)], landmarks.cols());
    const auto most = bounds(facts, parties, prior, static_cast<double>(group.count), landmarks);
    statistics = std::max(statistics, most.statistics);
    value += most.value;
    slope = std::max(slope, most.slope);
    sums.statistics.dimension += m * (m + 1) / 2 + m * static_cast<std::size_t>(group.count);
  }
  sums.statistics.range = {power_of_two(statistics, trial[0]), statistics_unit};
  const double bound = power_of_two(std::max(value, slope), trial[0]);
  const double least_unit = power_of_two(parties * bound / most_units, trial[0]);
  sums.likelihood = {1 + tuned_numbers(trial, options.shared), {bound, std::max(finest_unit, least_unit)}};
  return sums;
}

Task<Evaluated> PooledObjective::evaluate(Run& net, const SecureSum& secure_sum,
                                          const ExactTuneOptions& options, const Priors& trial) const {
  const PooledTrialSums sums =
      pooled_trial_sums(facts(), net.neighbourhood().agents, options, landmarks_, trial);
  const std::vector<Group> all = groups(facts().outputs, options.shared);
  const Committee& committee = mine_.committee();
  std::vector<std::shared_ptr<const Landmarks>> seen;
  Values statistics;
  for (const Group& group : all) {
    const Prior& prior = trial[static_cast<std::size_t>(group.first)];
    seen.push_back(std::make_shared<const Landmarks>(landmarks_, prior.kernel));
    append(committee.landmark_sums(prior, group.first, group.count, *seen.back()), statistics);
  }
  statistics = co_await secure_sum.sum(net, std::move(statistics), sums.statistics.range);

  Evaluated result;
  Values mine{0};
  Values::const_iterator next = statistics.begin();
  for (std::size_t g = 0; g < all.size(); ++g) {
    const Prior& prior = trial[static_cast<std::size_t>(all[g].first)];
    const PooledPart pooled = pooled_part(seen[g], all[g].count, next);
    Likelihood part = committee.landmark_likelihood(prior, all[g].first, all[g].count, pooled);
    result.own += part.value;
    if (net.self() == options.originator) {
      const Likelihood common = landmark_likelihood(prior, pooled);
      part.value += common.value;
      for (std::size_t k = 0; k < part.slopes.size(); ++k) part.slopes[k] += common.slopes[k];
    }
    mine[0] += part.value;
    mine.insert(mine.end(), part.slopes.begin(), part.slopes.end());
  }
  result.total = co_await secure_sum.sum(net, std::move(mine), sums.likelihood.range);
  co_return result;
}

}  // namespace tacit
