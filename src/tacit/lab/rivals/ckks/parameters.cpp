#include "tacit/lab/rivals/ckks/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// Homomorphic Encryption Security Standard (2018), classical attacks, 128 bits, ternary secrets.
struct Entry {
  std::size_t n, modulus_bits;
};
constexpr std::array<Entry, 6> standard{
    {{1024, 27}, {2048, 54}, {4096, 109}, {8192, 218}, {16384, 438}, {32768, 881}}};

constexpr double error_variance = 10.5;       // of a centred binomial of 2 x 21 bits
constexpr double ternary_variance = 2.0 / 3;  // of a uniform draw from -1, 0, 1
constexpr double deviations = 10;             // 2^16 numbers all stay below it except with probability 2^-50

// The noise is v e + e0 + s e1 for each party, where e and s are the sums of all parties' errors and secrets.
// Each coefficient of a product is a sum of N products.
double noise_deviation(const CkksParameters& p, std::size_t parties) {
  const double m = static_cast<double>(parties), n = static_cast<double>(p.n());
  return std::sqrt(m * (2 * n * m * ternary_variance * error_variance + error_variance));
}

}  // namespace

CkksParameters usual_ckks() { return {.name = "usual", .log_n = 16, .limbs = 13}; }
CkksParameters lean_ckks() { return {.name = "lean", .log_n = 13, .limbs = 2}; }

std::size_t most_modulus_bits(std::size_t n) {
  std::size_t most = 0;
  for (const Entry& entry : standard)
    if (entry.n <= n) most = entry.modulus_bits;
  return most;
}

void check_security(const CkksParameters& p) {
  const std::size_t most = most_modulus_bits(p.n());
  if (p.modulus_bits() > most)
    throw InputError(fmt::format(
        "CKKS with N = {} and a modulus of {} bits has less than 128 bits of security; the standard "
        "allows {} bits; use a larger ring or fewer primes",
        p.n(), p.modulus_bits(), most));
}

unsigned noise_bits(const CkksParameters& p, std::size_t parties) {
  return static_cast<unsigned>(std::ceil(std::log2(deviations * noise_deviation(p, parties))));
}

unsigned smudging_bits(const CkksParameters& p, std::size_t parties) {
  const unsigned bits = noise_bits(p, parties) + p.hiding_bits;
  if (bits > 62)
    throw InputError(
        fmt::format("CKKS with N = {} and {} parties needs smudging noise of {} bits, but at most 62 are "
                    "supported; use a smaller ring or fewer parties",
                    p.n(), parties, bits));
  return bits;
}

double error_bound(const CkksParameters& p, std::size_t parties) {
  const double smudging = std::ldexp(1, static_cast<int>(smudging_bits(p, parties)));
  const double fresh = noise_deviation(p, parties), m = static_cast<double>(parties);
  // A slot is a sum of N coefficients, each times a number of absolute value 1. Encoding rounds each by up to
  // 1/2.
  const double slot =
      std::sqrt(static_cast<double>(p.n()) * (m * smudging * smudging / 3 + fresh * fresh + m / 12));
  return std::ldexp(deviations * slot, -static_cast<int>(p.scale_bits));
}

double largest_value(const CkksParameters& p, std::size_t parties) {
  // The product of two primes above 2^59 holds the sum. One bit is for the sign and one for all noise.
  return std::ldexp(1, 116 - static_cast<int>(p.scale_bits)) / static_cast<double>(parties);
}

}  // namespace tacit
