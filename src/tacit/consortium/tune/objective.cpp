#include "tacit/consortium/tune/objective.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/gp/kernel/bounds.hpp"

namespace tacit {

std::size_t tuned_numbers(const Priors& trial, bool shared) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < (shared ? 1 : trial.size()); ++k) count += trial[k].kernel.parameters() + 1;
  return count;
}

SumShape likelihood_sum(const TuneFacts& facts, const ExactTuneOptions& options, const Priors& trial) {
  const double n = static_cast<double>(facts.rows);
  double value = 0, slope = n, slopes = 0;
  for (const Prior& prior : trial) {
    const KernelBounds kernel =
        kernel_bounds(prior.kernel, static_cast<Index>(facts.inputs), facts.input_max);
    const double noise = prior.noise * prior.noise, ratio = kernel.high / noise;
    // yᵀ(K + σ²I)⁻¹y ≤ |y|²/σ². σ²ᴺ ≤ |K + σ²I| ≤ (k + σ²)ᴺ, from the eigenvalues and their mean.
    const double fit = n * facts.output_max * facts.output_max / noise;
    const double volume = std::max(std::abs(std::log(noise)), std::abs(std::log(noise * (1 + ratio))));
    value += (fit + n * (volume + std::log(2 * std::numbers::pi))) / 2;
    // dK/d(log θ) has entries of at most s, so its norm is at most sN and its nuclear norm √N times that. The
    // slope in log σ_ε is below max(fit, N).
    double steepest = 0;
    for (double s : kernel.slopes) steepest = std::max(steepest, s);
    slope = std::max({slope, fit, n * steepest / noise * (fit + std::sqrt(n)) / 2});
    slopes += slope;  // shared priors add up over outputs
  }
  const double most = std::max(value, options.shared ? slopes : slope);
  return {1 + tuned_numbers(trial, options.shared), {std::exp2(std::ceil(std::log2(most) + 1e-6)), 0x1p-30}};
}

Task<Evaluated> LocalObjective::evaluate(Run& net, const SecureSum& secure_sum,
                                         const ExactTuneOptions& options, const Priors& trial) const {
  const SumRange range = likelihood_sum(facts(), options, trial).range;
  const Likelihood mine = mine_.likelihood(trial, options.shared);
  Values values{mine.value};
  values.insert(values.end(), mine.slopes.begin(), mine.slopes.end());
  Values total = co_await secure_sum.sum(net, std::move(values), range);
  co_return Evaluated{std::move(total), mine.value};
}

}  // namespace tacit
