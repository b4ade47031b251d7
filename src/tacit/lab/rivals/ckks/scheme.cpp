#include "tacit/lab/rivals/ckks/scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// Uniform from -1, 0, 1. The value 255 is rejected, as the other 255 values of a byte are a multiple of
// three.
std::vector<std::int64_t> ternary(std::size_t n, Prg& randomness) {
  std::vector<std::int64_t> result;
  result.reserve(n);
  std::vector<std::uint8_t> bytes(n);
  while (result.size() < n) {
    randomness.fill(std::as_writable_bytes(std::span(bytes)));
    for (std::size_t k = 0; k < n && result.size() < n; ++k)
      if (bytes[k] < 255) result.push_back(bytes[k] % 3 - 1);
  }
  return result;
}

std::vector<std::uint64_t> words(std::size_t n, Prg& randomness) {
  std::vector<std::uint64_t> result(n);
  randomness.fill(std::as_writable_bytes(std::span(result)));
  return result;
}

// A centred binomial of 2 x 21 bits. Its standard deviation of 3.24 is close to the usual 3.2 of a discrete
// Gaussian.
std::int64_t error_of(std::uint64_t word) {
  constexpr std::uint64_t mask = (1u << 21) - 1;
  return std::popcount(word & mask) - std::popcount((word >> 21) & mask);
}

}  // namespace

Ckks::Ckks(const CkksParameters& parameters, std::size_t parties)
    : parameters_(parameters),
      parties_(parties),
      smudging_bits_(smudging_bits(parameters, parties)),
      ring_(parameters.log_n, parameters.limbs),
      embedding_(parameters.log_n, parameters.scale_bits) {}

CkksPolynomial Ckks::errors(Prg& randomness) const {
  std::vector<std::int64_t> coefficients;
  coefficients.reserve(ring_.n());
  for (const std::uint64_t word : words(ring_.n(), randomness)) coefficients.push_back(error_of(word));
  return ring_.transformed(coefficients, ring_.limbs());
}

CkksPolynomial Ckks::secret(Prg& randomness) const {
  return ring_.transformed(ternary(ring_.n(), randomness), ring_.limbs());
}

CkksPolynomial Ckks::key_share(const CkksPolynomial& a, const CkksPolynomial& secret, Prg& randomness) const {
  CkksPolynomial share = errors(randomness);
  ring_.subtract_product(share, a, secret);
  return share;
}

std::vector<Integer128> Ckks::encode(std::span<const double> values) const {
  const double most = largest_value(parameters_, parties_);
  for (const double value : values)
    if (!(std::abs(value) <= most))
      throw InputError(
          fmt::format("{:g} is too large for a CKKS sum of {} parties; the largest value is {:g}", value,
                      parties_, most));
  return embedding_.encode(values);
}

CkksCiphertext Ckks::encrypt(std::span<const Integer128> message, const CkksPolynomial& b,
                             const CkksPolynomial& a, Prg& randomness) const {
  // The sum of the message and its error is small, so they are transformed together.
  std::vector<Integer128> hidden(message.begin(), message.end());
  const std::vector<std::uint64_t> noise = words(ring_.n(), randomness);
  for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] += error_of(noise[i]);
  const CkksPolynomial v = secret(randomness);
  CkksCiphertext result{ring_.transformed(hidden), errors(randomness)};
  ring_.add_product(result.c0, v, b);
  ring_.add_product(result.c1, v, a);
  return result;
}

CkksPolynomial Ckks::partial(const CkksPolynomial& c1, const CkksPolynomial& secret, Prg& randomness) const {
  std::vector<std::int64_t> smudging;
  smudging.reserve(ring_.n());
  const std::int64_t centre = std::int64_t{1} << smudging_bits_;
  for (const std::uint64_t word : words(ring_.n(), randomness))
    smudging.push_back(static_cast<std::int64_t>(word >> (63 - smudging_bits_)) - centre);
  CkksPolynomial part = ring_.transformed(smudging, opened_limbs);
  ring_.add_product(part, c1, secret);
  return part;
}

std::vector<double> Ckks::decode(const CkksPolynomial& opened, std::size_t count) const {
  return embedding_.decode(ring_.coefficients(opened), count);
}

CkksPolynomial Ckks::lowered(const CkksPolynomial& polynomial) const {
  const auto end = polynomial.values.begin() + static_cast<std::ptrdiff_t>(opened_limbs * ring_.n());
  return {std::vector<long>(polynomial.values.begin(), end)};
}

}  // namespace tacit
