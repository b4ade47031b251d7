// The numbers of the multi-key CKKS rival (docs/rivals.md). A baseline for measuring: never part of what
// agents run, and not offered to anybody as encryption.
#pragma once

#include <cstddef>
#include <string>

namespace tacit {

struct CkksParameters {
  std::string name;
  unsigned log_n = 13;        ///< the ring is Z[X]/(X^N + 1), N = 2^log_n
  std::size_t limbs = 2;      ///< Q is a product of this many primes just under 2^60
  unsigned scale_bits = 88;   ///< a value is an integer in units of 2^-scale_bits
  unsigned hiding_bits = 40;  ///< smudging noise is this many bits above what it hides

  std::size_t n() const { return std::size_t{1} << log_n; }
  std::size_t slots() const { return n() / 2; }  ///< values in a ciphertext
  /// log2 of Q, rounded up.
  std::size_t modulus_bits() const { return 60 * limbs; }
};

/// Those of the library that the rival's authors used: N = 2^16, log2 Q near 800.
CkksParameters usual_ckks();

/// The smallest that carry these sums, as nothing is ever multiplied: N = 2^13, log2 Q = 120.
CkksParameters lean_ckks();

/// The largest log2 Q for which the homomorphic encryption standard's tables promise 128 bits of security
/// with ternary secrets. A ring larger than its largest gets the bound of that one; a smaller one than its
/// smallest gets 0.
std::size_t most_modulus_bits(std::size_t n);

/// Throws InputError, with both numbers, for parameters with less than 128 bits of security.
void check_security(const CkksParameters& parameters);

/// Fresh noise of a sum of `parties` ciphertexts is below 2^this at every coefficient, but for a chance of
/// 2^-40 in all of them.
unsigned noise_bits(const CkksParameters& parameters, std::size_t parties);

/// Smudging noise is uniform below 2^this. Throws InputError where that does not fit a word.
unsigned smudging_bits(const CkksParameters& parameters, std::size_t parties);

/// The largest error of a decrypted sum's value, in units of the values: all noise, at every slot, but for a
/// chance of 2^-40 in all of them. What doubles round comes on top.
double error_bound(const CkksParameters& parameters, std::size_t parties);

/// The largest value a party may encrypt so that no sum of `parties` of them wraps.
double largest_value(const CkksParameters& parameters, std::size_t parties);

}  // namespace tacit
