#include "tacit/consortium/predict/public_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

void check_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{} must be a positive number, not {}", what, value));
}

// Rounds up to two digits.
double rounded_up(double value) {
  const double grain = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::ceil(value / grain) * grain;
}

// Smaller noise is lost in the rounding of the covariance to which it is added, and the results of honest
// agents can break the bounds (docs/decisions.md).
void check_noise(const PublicFacts& facts, double expert_rows) {
  const double least = least_noise(expert_rows, facts.prior_high);
  if (facts.noise < least)
    throw InputError(
        fmt::format("the noise σ_ε (`noise`) is {:g}, too small for double precision with {:.0f} rows per "
                    "expert and a prior variance up to {:.3g}; it must be at least {:.2g}",
                    facts.noise, expert_rows, facts.prior_high, rounded_up(least)));
}

}  // namespace

double least_noise(double expert_rows, double prior_high) {
  return std::sqrt(16 * std::numeric_limits<double>::epsilon() * expert_rows * prior_high);
}

PublicBounds public_bounds(const PublicFacts& facts) {
  if (facts.prior_low == 0)
    throw InputError(
        "the prior variance k(x,x) of this kernel can be 0, so experts' precisions have no bound; add "
        "\"+ constant\" to the kernel");
  check_positive(facts.prior_low, "the prior variance k(x,x), from `kernel` and `signal`,");
  check_positive(facts.prior_high, "the prior variance k(x,x), from `kernel` and `signal`,");
  check_positive(facts.noise, "the noise σ_ε (`noise`)");
  check_positive(facts.output_max, "the bound on |y| (`y_max`)");
  const double m = static_cast<double>(facts.agents), n = static_cast<double>(facts.rows);
  const double experts = static_cast<double>(facts.experts), noise = facts.noise * facts.noise;
  const double expert_rows = facts.expert_rows ? std::min(n, static_cast<double>(facts.expert_rows)) : n;
  check_noise(facts, expert_rows);
  const bool committee = facts.fusion == Fusion::bcm || facts.fusion == Fusion::rbcm;
  const double beta =
      facts.fusion == Fusion::rbcm ? 0.5 * std::log1p(expert_rows * facts.prior_high / noise) : 1;
  const double low = facts.residual ? 1 : facts.prior_low;
  const double sum = (experts + n * facts.prior_high / noise) / low;  // the sum of an agent's 1/V
  const double reach = std::sqrt(n) * facts.output_max / facts.noise;

  PublicBounds bounds;
  bounds.experts = m * experts;
  const double high = facts.residual ? 1 : facts.prior_high;
  bounds.count_unit = 1 / high;
  bounds.variance_low = low / (1 + expert_rows * facts.prior_high / noise);
  bounds.variance_high = committee ? high : high / m;
  bounds.precision = beta * sum;
  bounds.weighted_mean = beta * reach * std::sqrt(sum);
  bounds.mean = !committee       ? std::sqrt(facts.prior_high) * reach
                : facts.residual ? m * bounds.weighted_mean * std::sqrt(facts.prior_high)
                                 : m * bounds.weighted_mean * facts.prior_high;
  // Rounding in the posterior must not make honest data break the bound.
  constexpr double slack = 1 + 1e-6;
  bounds.value = slack * m * std::max(bounds.precision, bounds.weighted_mean);
  return bounds;
}

double usual_lz(const PublicBounds& bounds) { return 1e-6 / bounds.variance_high; }
double usual_unit(const PublicBounds& bounds) { return usual_lz(bounds) / 1024; }

}  // namespace tacit
