// CKKS with a key that is the sum of the parties' secrets, so that all parties must help to decrypt. Contains
// only what a sum needs. A baseline for measurements: agents never run it, and it must not be used as
// encryption.
#pragma once

#include "tacit/lab/rivals/ckks/embedding.hpp"
#include "tacit/lab/rivals/ckks/parameters.hpp"
#include "tacit/lab/rivals/ckks/ring.hpp"

namespace tacit {

/// c0 + c1 s is the message plus noise.
struct CkksCiphertext {
  CkksPolynomial c0, c1;
};

class Ckks {
 public:
  /// Sums are decrypted modulo the first two primes, which suffice for them.
  static constexpr std::size_t opened_limbs = 2;

  /// `parties` is the number of secrets whose sum is the key.
  Ckks(const CkksParameters& parameters, std::size_t parties);

  const CkksParameters& parameters() const { return parameters_; }
  std::size_t parties() const { return parties_; }
  const CkksRing& ring() const { return ring_; }
  const CkksEmbedding& embedding() const { return embedding_; }

  /// The random polynomial a that all keys share; it is public.
  CkksPolynomial common_random(Prg& randomness) const { return ring_.uniform(randomness); }

  /// A party's secret s_i, uniform from -1, 0, 1.
  CkksPolynomial secret(Prg& randomness) const;
  /// A party's share of the common key, b_i = -a s_i + e_i. The common key is the sum of all shares.
  CkksPolynomial key_share(const CkksPolynomial& a, const CkksPolynomial& secret, Prg& randomness) const;

  /// Encrypts as v (b, a) + (m + e0, e1).
  CkksCiphertext encrypt(std::span<const Integer128> message, const CkksPolynomial& b,
                         const CkksPolynomial& a, Prg& randomness) const;
  /// Throws InputError for a value that could make the sum wrap.
  std::vector<Integer128> encode(std::span<const double> values) const;

  /// A party's part of the decryption of a sum, c1 s_i plus smudging noise, for opened_limbs.
  CkksPolynomial partial(const CkksPolynomial& c1, const CkksPolynomial& secret, Prg& randomness) const;

  /// The values of a sum, from c0 plus the parts of all parties.
  std::vector<double> decode(const CkksPolynomial& opened, std::size_t count) const;

  /// The first two limbs of the polynomial.
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
