// Converts real numbers to polynomials with integer coefficients and back, by the canonical embedding: slot j
// is the polynomial's value at ζ^(5^j), ζ = exp(iπ/N). Part of the CKKS rival: a baseline for measurements.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "tacit/secrecy/ring.hpp"

namespace tacit {

class CkksEmbedding {
 public:
  /// For N = 2^log_n coefficients, in units of 2^-scale_bits.
  CkksEmbedding(unsigned log_n, unsigned scale_bits);

  /// Encodes up to N/2 numbers; the remaining slots are 0. Except for rounding, no coefficient exceeds the
  /// largest of the numbers times the scale.
  std::vector<Integer128> encode(std::span<const double> values) const;

  /// The real parts of the first `count` slots.
  std::vector<double> decode(std::span<const Integer128> coefficients, std::size_t count) const;

 private:
  std::size_t n_;
  unsigned scale_bits_;
  std::vector<std::complex<double>> powers_;  // ζ^i
  std::vector<std::size_t> places_;           // slot j is element places_[j] of the transform
};

}  // namespace tacit
