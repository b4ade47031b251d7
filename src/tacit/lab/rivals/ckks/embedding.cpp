#include "tacit/lab/rivals/ckks/embedding.hpp"

#include <cmath>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace tacit {

CkksEmbedding::CkksEmbedding(unsigned log_n, unsigned scale_bits)
    : n_(std::size_t{1} << log_n), scale_bits_(scale_bits) {
  for (std::size_t i = 0; i < n_; ++i)
    powers_.push_back(std::polar(1.0, std::numbers::pi * static_cast<double>(i) / static_cast<double>(n_)));
  std::size_t exponent = 1;
  for (std::size_t j = 0; j < n_ / 2; ++j) {
    places_.push_back((exponent - 1) / 2);
    exponent = 5 * exponent % (2 * n_);
  }
}

// m(ζ^(2k+1)) = Σ_i (m_i ζ^i) exp(2πi ik/N) is a Fourier transform. Slots at conjugate places are conjugate.
std::vector<Integer128> CkksEmbedding::encode(std::span<const double> values) const {
  std::vector<std::complex<double>> slots(n_), coefficients;
  for (std::size_t j = 0; j < values.size(); ++j) slots[places_[j]] = slots[n_ - 1 - places_[j]] = values[j];
  Eigen::FFT<double> fourier;
  fourier.fwd(coefficients, slots);
  std::vector<Integer128> result(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    const double coefficient = (coefficients[i] * std::conj(powers_[i])).real() / static_cast<double>(n_);
    // A double times a power of two is exact, and a double of 2^63 or more is already an integer.
    result[i] = static_cast<Integer128>(std::rint(std::ldexp(coefficient, static_cast<int>(scale_bits_))));
  }
  return result;
}

std::vector<double> CkksEmbedding::decode(std::span<const Integer128> coefficients, std::size_t count) const {
  std::vector<std::complex<double>> twisted(n_), slots;
  for (std::size_t i = 0; i < n_; ++i)
    twisted[i] =
        powers_[i] * std::ldexp(static_cast<double>(coefficients[i]), -static_cast<int>(scale_bits_));
  Eigen::FFT<double> fourier;
  fourier.inv(slots, twisted);  // divides by N
  std::vector<double> result(count);
  for (std::size_t j = 0; j < count; ++j) result[j] = slots[places_[j]].real() * static_cast<double>(n_);
  return result;
}

}  // namespace tacit
