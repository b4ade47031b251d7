#include "tacit/regression/public_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

void check_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{} must be a positive number, not {}", what, value));
}

}  // namespace

PublicBounds public_bounds(const PublicFacts& facts) {
  check_positive(facts.signal_low, "the signal θ_s (--signal)");
  check_positive(facts.signal_high, "the signal θ_s (--signal)");
  check_positive(facts.noise, "the noise σ_ε (--noise)");
  check_positive(facts.output_max, "the bound on |y| (--y-max)");
  const double m = static_cast<double>(facts.agents), n = static_cast<double>(facts.rows);
  PublicBounds bounds;
  const double precision = 1 / (facts.signal_low * facts.signal_low) + n / (facts.noise * facts.noise);
  bounds.variance_low = 1 / precision;
  bounds.variance_high = facts.signal_high * facts.signal_high / m;
  const double reach = std::sqrt(n) * facts.output_max / facts.noise;
  bounds.mean = facts.signal_high * reach;
  bounds.weighted_mean = reach * std::sqrt(precision);
  // Rounding in the posterior must not make honest data break the bound.
  constexpr double slack = 1 + 1e-9;
  bounds.value = slack * m * std::max(precision, bounds.weighted_mean);
  return bounds;
}

double usual_lz(const PublicBounds& bounds) { return 1e-6 / bounds.variance_high; }
double usual_unit(const PublicBounds& bounds) { return usual_lz(bounds) / 1024; }

}  // namespace tacit
