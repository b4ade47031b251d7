// Z_Q[X]/(X^N + 1) for the CKKS rival. Q is a product of NTL's primes near 2^60; NTL also computes the
// number-theoretic transforms. A baseline for measurements, which agents never run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/ring.hpp"

namespace tacit {

/// A polynomial, given by its values at all ψ with ψ^N = -1 for each prime, so that polynomials are
/// multiplied number by number. Everything except sampling and decoding uses this form, so keys are never
/// transformed twice.
struct CkksPolynomial {
  std::vector<long> values;  ///< limb by limb, N each, reduced
};

class CkksRing {
 public:
  /// N = 2^log_n, up to 2^20. Computes tables, which takes some time.
  CkksRing(unsigned log_n, std::size_t limbs);

  std::size_t n() const { return n_; }
  std::size_t limbs() const { return limbs_.size(); }
  long prime(std::size_t limb) const { return limbs_[limb].q; }

  /// Transforms small coefficients for the first `limbs` primes.
  CkksPolynomial transformed(std::span<const std::int64_t> coefficients, std::size_t limbs) const;
  /// Transforms coefficients below 2^117 for all primes.
  CkksPolynomial transformed(std::span<const Integer128> coefficients) const;

  /// The coefficients in (-q0 q1 / 2, q0 q1 / 2), from the first two primes.
  std::vector<Integer128> coefficients(const CkksPolynomial& polynomial) const;

  /// Draws a polynomial uniformly for all primes.
  CkksPolynomial uniform(Prg& randomness) const;

  /// sum += other, for the limbs of `sum`.
  void add(CkksPolynomial& sum, const CkksPolynomial& other) const;
  /// sum += a b, for the limbs of `sum`.
  void add_product(CkksPolynomial& sum, const CkksPolynomial& a, const CkksPolynomial& b) const;
  /// sum -= a b, for the limbs of `sum`.
  void subtract_product(CkksPolynomial& sum, const CkksPolynomial& a, const CkksPolynomial& b) const;

 private:
  // Multiplying coefficient i by ψ^i turns X^N + 1 into X^N - 1, for which NTL has transforms.
  struct Limb {
    long index = 0, q = 0;
    long shift = 0;  // 2^59 mod q
    std::vector<long> twist, untwist;
    std::vector<unsigned long> twist_ready, untwist_ready;  // precomputed by NTL for products with them
    unsigned long shift_ready = 0;
  };
  Limb make_limb(std::size_t index) const;
  void transform(const Limb& limb, long* values) const;
  void transform_back(const Limb& limb, long* values) const;
  template <class Combine>
  void with_product(CkksPolynomial& sum, const CkksPolynomial& a, const CkksPolynomial& b,
                    const Combine& combine) const;
  std::size_t count(const CkksPolynomial& polynomial) const { return polynomial.values.size() / n_; }

  unsigned log_n_;
  std::size_t n_;
  std::vector<Limb> limbs_;
  long first_inverse_ = 0;  // of q0 modulo q1
};

}  // namespace tacit
