// The parameters of the multi-key CKKS rival (docs/rivals.md). A baseline for measurements: agents never run
// it, and it must not be used as encryption.
#pragma once

#include <cstddef>
#include <string>

namespace tacit {

struct CkksParameters {
  std::string name;
  unsigned log_n = 13;        ///< the ring is Z[X]/(X^N + 1), N = 2^log_n
  std::size_t limbs = 2;      ///< Q is the product of this many primes just below 2^60
  unsigned scale_bits = 88;   ///< a value is an integer in units of 2^-scale_bits
  unsigned hiding_bits = 40;  ///< smudging noise exceeds the noise that it hides by this many bits

  std::size_t n() const { return std::size_t{1} << log_n; }
  std::size_t slots() const { return n() / 2; }  ///< values in a ciphertext
  /// log2 of Q, rounded up.
  std::size_t modulus_bits() const { return 60 * limbs; }
};

/// The parameters of the library that the rival's authors used: N = 2^16, log2 Q near 800.
CkksParameters usual_ckks();

/// The smallest parameters for these sums, as nothing is multiplied: N = 2^13, log2 Q = 120.
CkksParameters lean_ckks();

/// The largest log2 Q for which the tables of the homomorphic encryption standard give 128 bits of security
/// with ternary secrets. For rings above the largest entry, the bound of that entry; for rings below the
/// smallest, 0.
std::size_t most_modulus_bits(std::size_t n);

/// Throws InputError, with both numbers, for parameters with less than 128 bits of security.
void check_security(const CkksParameters& parameters);

/// Returns b such that the fresh noise of a sum of `parties` ciphertexts is below 2^b at all coefficients,
/// except with probability 2^-40.
unsigned noise_bits(const CkksParameters& parameters, std::size_t parties);

/// Returns b such that smudging noise is uniform below 2^b. Throws InputError if this does not fit a word.
unsigned smudging_bits(const CkksParameters& parameters, std::size_t parties);

/// A bound on the error of a decrypted sum by all noise, in units of the values. It holds at all slots except
/// with probability 2^-40. Rounding of doubles is not included.
double error_bound(const CkksParameters& parameters, std::size_t parties);

/// The largest value that a party may encrypt so that a sum of `parties` of them cannot wrap.
double largest_value(const CkksParameters& parameters, std::size_t parties);

}  // namespace tacit
