#include "tacit/lab/rivals/ckks/ring.hpp"

#include <NTL/FFT.h>

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr unsigned low_bits = 59;  // all primes are above 2^59

// ψ with ψ^N = -1: a power of a number that is not a square.
long root_of_minus_one(long q, std::size_t n) {
  for (long base = 2;; ++base)
    if (NTL::PowerMod(base, (q - 1) / 2, q) == q - 1)
      return NTL::PowerMod(base, (q - 1) / static_cast<long>(2 * n), q);
}

}  // namespace

CkksRing::CkksRing(unsigned log_n, std::size_t limbs) : log_n_(log_n), n_(std::size_t{1} << log_n) {
  if (log_n < 2 || log_n > 20 || limbs < 2 || limbs > 30)
    throw InputError(fmt::format("a CKKS ring of 2^{} numbers and {} primes is not supported", log_n, limbs));
  for (std::size_t l = 0; l < limbs; ++l) limbs_.push_back(make_limb(l));
  first_inverse_ = NTL::InvMod(limbs_[0].q % limbs_[1].q, limbs_[1].q);
}

CkksRing::Limb CkksRing::make_limb(std::size_t index) const {
  Limb limb;
  limb.index = static_cast<long>(index);
  NTL::UseFFTPrime(limb.index);
  const long q = limb.q = NTL::GetFFTPrime(limb.index);
  if (q >> low_bits != 1 || (q - 1) % static_cast<long>(2 * n_) != 0)
    throw Error(fmt::format("NTL's prime {} does not suit a ring of {} numbers", q, n_));
  const auto inverse = NTL::GetFFTPrimeInv(limb.index);
  limb.shift = (1L << low_bits) % q;
  limb.shift_ready = NTL::PrepMulModPrecon(limb.shift, q, inverse);
  const long root = root_of_minus_one(q, n_), back = NTL::InvMod(root, q);
  long power = 1, power_back = 1;
  for (std::size_t i = 0; i < n_; ++i) {
    limb.twist.push_back(power);
    limb.twist_ready.push_back(NTL::PrepMulModPrecon(power, q, inverse));
    limb.untwist.push_back(power_back);
    limb.untwist_ready.push_back(NTL::PrepMulModPrecon(power_back, q, inverse));
    power = NTL::MulMod(power, root, q, inverse);
    power_back = NTL::MulMod(power_back, back, q, inverse);
  }
  return limb;
}

void CkksRing::transform(const Limb& limb, long* values) const {
  for (std::size_t i = 0; i < n_; ++i)
    values[i] = NTL::MulModPrecon(values[i], limb.twist[i], limb.q, limb.twist_ready[i]);
  NTL::FFTFwd(values, values, log_n_, limb.index);
}

void CkksRing::transform_back(const Limb& limb, long* values) const {
  NTL::FFTRev1(values, values, log_n_, limb.index);
  for (std::size_t i = 0; i < n_; ++i)
    values[i] = NTL::MulModPrecon(values[i], limb.untwist[i], limb.q, limb.untwist_ready[i]);
}

CkksPolynomial CkksRing::transformed(std::span<const std::int64_t> coefficients, std::size_t limbs) const {
  CkksPolynomial result{std::vector<long>(limbs * n_)};
  for (std::size_t l = 0; l < limbs; ++l) {
    long* out = result.values.data() + l * n_;
    const long q = limbs_[l].q;
    for (std::size_t i = 0; i < n_; ++i) {
      long small = coefficients[i];
      if (small >= q || small <= -q)
        small %= q;  // only smudging noise is that large; a division takes as long as all other steps
      out[i] = small < 0 ? small + q : small;
    }
    transform(limbs_[l], out);
  }
  return result;
}

CkksPolynomial CkksRing::transformed(std::span<const Integer128> coefficients) const {
  CkksPolynomial result{std::vector<long>(limbs() * n_)};
  for (std::size_t l = 0; l < limbs(); ++l) {
    const Limb& limb = limbs_[l];
    long* out = result.values.data() + l * n_;
    for (std::size_t i = 0; i < n_; ++i) {
      const long low = static_cast<long>(coefficients[i] & ((Integer128{1} << low_bits) - 1));
      const long high = static_cast<long>(coefficients[i] >> low_bits);  // below 2^58 and so below q
      out[i] = NTL::AddMod(
          NTL::MulModPrecon(high < 0 ? high + limb.q : high, limb.shift, limb.q, limb.shift_ready), low,
          limb.q);
    }
    transform(limb, out);
  }
  return result;
}

std::vector<Integer128> CkksRing::coefficients(const CkksPolynomial& polynomial) const {
  std::vector<long> first(polynomial.values.begin(),
                          polynomial.values.begin() + static_cast<std::ptrdiff_t>(n_)),
      second(polynomial.values.begin() + static_cast<std::ptrdiff_t>(n_),
             polynomial.values.begin() + static_cast<std::ptrdiff_t>(2 * n_));
  transform_back(limbs_[0], first.data());
  transform_back(limbs_[1], second.data());
  const long q0 = limbs_[0].q, q1 = limbs_[1].q;
  const auto inverse = NTL::GetFFTPrimeInv(limbs_[1].index);
  const unsigned long ready = NTL::PrepMulModPrecon(first_inverse_, q1, inverse);
  const Integer128 modulus = Integer128{q0} * q1;
  std::vector<Integer128> result(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    const long difference = NTL::SubMod(second[i], first[i] % q1, q1);
    const Integer128 whole =
        first[i] + Integer128{q0} * NTL::MulModPrecon(difference, first_inverse_, q1, ready);
    result[i] = whole > modulus / 2 ? whole - modulus : whole;
  }
  return result;
}

CkksPolynomial CkksRing::uniform(Prg& randomness) const {
  CkksPolynomial result{std::vector<long>(limbs() * n_)};
  std::vector<std::uint64_t> words(n_);
  for (std::size_t l = 0; l < limbs(); ++l) {
    long* out = result.values.data() + l * n_;
    for (std::size_t made = 0; made < n_;) {  // draws numbers of 60 bits and rejects those not below q
      randomness.fill(std::as_writable_bytes(std::span(words)));
      for (std::size_t w = 0; w < n_ && made < n_; ++w)
        if (const long drawn = static_cast<long>(words[w] >> 4); drawn < limbs_[l].q) out[made++] = drawn;
    }
  }
  return result;
}

void CkksRing::add(CkksPolynomial& sum, const CkksPolynomial& other) const {
  for (std::size_t l = 0; l < count(sum); ++l) {
    const long q = limbs_[l].q;
    long* out = sum.values.data() + l * n_;
    const long* in = other.values.data() + l * n_;
    for (std::size_t i = 0; i < n_; ++i) out[i] = NTL::AddMod(out[i], in[i], q);
  }
}

// sum = combine(sum, a b)
template <class Combine>
void CkksRing::with_product(CkksPolynomial& sum, const CkksPolynomial& a, const CkksPolynomial& b,
                            const Combine& combine) const {
  for (std::size_t l = 0; l < count(sum); ++l) {
    const long q = limbs_[l].q;
    const auto inverse = NTL::GetFFTPrimeInv(limbs_[l].index);
    long* out = sum.values.data() + l * n_;
    const long *left = a.values.data() + l * n_, *right = b.values.data() + l * n_;
    for (std::size_t i = 0; i < n_; ++i)
      out[i] = combine(out[i], NTL::MulMod(left[i], right[i], q, inverse), q);
  }
}

void CkksRing::add_product(CkksPolynomial& sum, const CkksPolynomial& a, const CkksPolynomial& b) const {
  with_product(sum, a, b, [](long x, long y, long q) { return NTL::AddMod(x, y, q); });
}

void CkksRing::subtract_product(CkksPolynomial& sum, const CkksPolynomial& a, const CkksPolynomial& b) const {
  with_product(sum, a, b, [](long x, long y, long q) { return NTL::SubMod(x, y, q); });
}

}  // namespace tacit
