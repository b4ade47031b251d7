#include "tacit/protocol/consensus/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit {

long double modulus_bound_paper(const ModulusQuestion& question) {
  const long double m = static_cast<long double>(question.agents);
  const long double root = std::sqrt(m * static_cast<long double>(question.dimension));
  const long double average = question.value_bound, deviation = 2 * average;
  return m * static_cast<long double>(question.denominator) *
         (0.5L + (average + root * deviation) / question.lz +
          root / (2 * (1 - static_cast<long double>(question.lambda))));
}

long double modulus_bound_range(const ModulusQuestion& question) {
  return 2 * static_cast<long double>(question.denominator) *
         (question.value_bound / static_cast<long double>(question.lz) + 2);
}

unsigned bits_above(long double bound) {
  if (!(bound >= 1)) return 1;
  return static_cast<unsigned>(std::ilogb(bound)) + 1;
}

std::size_t iterations_for(double lambda, std::size_t agents, double deviation, double target) {
  const double start = std::sqrt(static_cast<double>(agents)) * deviation;
  if (start <= target || lambda <= 0) return 1;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(std::log(start / target) / -std::log(lambda))));
}

double transient_error(double lambda, std::size_t agents, double deviation, std::size_t iterations) {
  return std::pow(lambda, static_cast<double>(iterations)) * std::sqrt(static_cast<double>(agents)) *
         deviation;
}

double quantiser_bound(double lambda, std::size_t agents, double lz, std::size_t iterations) {
  const double rounds = 1 + 0.5 * std::log(static_cast<double>(iterations));
  const double mixing = 1.5 + 0.5 * std::log(1 / (1 - lambda));
  return 0.5 * lz * std::sqrt(static_cast<double>(agents)) * std::min(rounds, mixing);
}

bool precision_suffices(double lz, double variance) { return 1 / variance > lz; }

double gamma_bound(double error, double variance) {
  if (!precision_suffices(error, variance)) return std::numeric_limits<double>::infinity();
  return error / ((1 / variance - error) / variance);
}

double beta_bound(double error, double variance, double weighted_sum) {
  return gamma_bound(error, variance) * (weighted_sum + error) + error * variance;
}

}  // namespace tacit
