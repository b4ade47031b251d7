// CKKS whose key nobody has alone: parties' secrets add up, so all of them must help to decrypt a sum. Only
// what a sum takes. A baseline for measuring: never part of what agents run, and not offered to anybody as
// encryption.
#pragma once

#include "tacit/lab/rivals/ckks/embedding.hpp"
#include "tacit/lab/rivals/ckks/parameters.hpp"
#include "tacit/lab/rivals/ckks/ring.hpp"

namespace tacit {

/// c0 + c1 s is the message and noise.
struct CkksCiphertext {
  CkksPolynomial c0, c1;
};

class Ckks {
 public:
  /// Sums are decrypted modulo the first two primes, which are enough for them.
  static constexpr std::size_t opened_limbs = 2;

  /// `parties` is how many secrets add up to the key.
  Ckks(const CkksParameters& parameters, std::size_t parties);

  const CkksParameters& parameters() const { return parameters_; }
  std::size_t parties() const { return parties_; }
  const CkksRing& ring() const { return ring_; }
  const CkksEmbedding& embedding() const { return embedding_; }

  /// The random polynomial a that all keys have in common; anybody may know it.
  CkksPolynomial common_random(Prg& randomness) const { return ring_.uniform(randomness); }

  /// A party's secret s_i, uniform from -1, 0, 1.
  CkksPolynomial secret(Prg& randomness) const;
  /// Its share of the common key, b_i = -a s_i + e_i. The common key is their sum.
  CkksPolynomial key_share(const CkksPolynomial& a, const CkksPolynomial& secret, Prg& randomness) const;

  /// v (b, a) + (m + e0, e1). Throws InputError for a value that could make the sum wrap.
  CkksCiphertext encrypt(std::span<const Integer128> message, const CkksPolynomial& b,
                         const CkksPolynomial& a, Prg& randomness) const;
  std::vector<Integer128> encode(std::span<const double> values) const;

  /// A party's part of the decryption of a sum, c1 s_i and smudging noise, at opened_limbs.
  CkksPolynomial partial(const CkksPolynomial& c1, const CkksPolynomial& secret, Prg& randomness) const;

  /// The values of a sum, from c0 and everybody's parts added to it.
  std::vector<double> decode(const CkksPolynomial& opened, std::size_t count) const;

  /// The first two limbs.
  CkksPolynomial lowered(const CkksPolynomial& polynomial) const;

 private:
  CkksPolynomial errors(Prg& randomness) const;

  CkksParameters parameters_;
  std::size_t parties_;
  unsigned smudging_bits_;
  CkksRing ring_;
  CkksEmbedding embedding_;
};

}  // namespace tacit
