#include "tacit/secrecy/privacy_loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// Results are rounded to the safe side by this share, far above the rounding errors of doubles.
constexpr double slack = 1e-9;

void check_positive(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{} must be a positive number, not {:g}", name, value));
}

void check_share(double value, const char* name) {
  if (!(value > 0 && value < 1))
    throw InputError(fmt::format("{} must be greater than 0 and less than 1, not {:g}", name, value));
}

// log δ at the order α = 1 + e^s. Every order gives a valid δ.
double log_delta(double rho, double epsilon, double s) {
  const double over = std::exp(s);  // α - 1
  return over * ((1 + over) * rho - epsilon) + (1 + over) * (s - std::log1p(over)) - s;
}

// The infimum over s. The function has one minimum, so the interval can be narrowed by golden sections.
double least_log_delta(double rho, double epsilon) {
  double low = -20, high = 20;
  for (int step = 0; step < 100; ++step) {
    const double part = (high - low) * (2 - std::numbers::phi);
    if (log_delta(rho, epsilon, low + part) < log_delta(rho, epsilon, high - part))
      high -= part;
    else
      low += part;
  }
  return log_delta(rho, epsilon, (low + high) / 2);
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// The argument at which the normal distribution function is p.
double normal_quantile(double p) {
  double low = -40, high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return high;
}

}  // namespace

double delta_of(double rho, double epsilon) {
  check_positive(rho, "ρ");
  check_positive(epsilon, "ε");
  return std::min(1.0, std::exp(least_log_delta(rho, epsilon)) * (1 + slack));
}

double epsilon_of(double rho, double delta) {
  check_positive(rho, "ρ");
  check_share(delta, "δ");
  // At the upper end, δ is enough by the simple conversion ε = ρ + 2√(ρ log 1/δ).
  double low = 0, high = rho + 2 * std::sqrt(rho * -std::log(delta));
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (least_log_delta(rho, middle) > std::log(delta) ? low : high) = middle;
  }
  return high * (1 + slack);
}

double rho_of(double epsilon, double delta) {
  check_positive(epsilon, "ε");
  check_share(delta, "δ");
  double low = 0, high = epsilon;  // ε is larger than ρ for every δ below about 1/2
  while (least_log_delta(high, epsilon) < std::log(delta)) high *= 2;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (least_log_delta(middle, epsilon) > std::log(delta) ? high : low) = middle;
  }
  return low * (1 - slack);
}

double rho_of_sum(const NoiseShares& noise, double change, std::size_t dimension) {
  check_positive(change, "the change of a sum");
  if (noise.agents < 1 || !(noise.variance >= 0.5))
    throw InputError(fmt::format("noise of variance {:g} by {} agents protects nothing; use a finer grid",
                                 noise.variance, noise.agents));
  const auto agents = static_cast<double>(noise.agents), numbers = static_cast<double>(dimension);
  double tau = 0;
  for (std::size_t k = 1; k < noise.agents; ++k) {
    const double order = static_cast<double>(k) / static_cast<double>(k + 1);
    const double term = 10 * std::exp(-2 * std::numbers::pi * std::numbers::pi * noise.variance * order);
    // For k ≥ 1 the exponent is at most that of k = 1, so once terms vanish, all later ones do.
    if (term == 0) break;
    tau += term;
  }
  const double plain = change / std::sqrt(agents * noise.variance);
  const double epsilon =
      std::min(std::sqrt(plain * plain + tau * numbers / 2), plain + tau * std::sqrt(numbers));
  return epsilon * epsilon / 2 * (1 + slack);
}

double guessed_correctly(double rho) {
  check_positive(rho, "ρ");
  return normal_cdf(std::sqrt(rho / 2));  // two Gaussians √(2ρ) standard deviations apart
}

double detected(double rho, double false_alarms) {
  check_positive(rho, "ρ");
  check_share(false_alarms, "the share of false alarms");
  return normal_cdf(std::sqrt(2 * rho) + normal_quantile(false_alarms));
}

}  // namespace tacit
