// Compares the parts of the CKKS rival with slow, independent implementations: sums over all roots, products
// term by term, decryption by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <set>

#include "tacit/base/base_testing.hpp"
#include "tacit/lab/rivals/ckks/scheme.hpp"

namespace tacit {
namespace {

using testing::error_of;
using Integers = std::vector<Integer128>;

CkksParameters toy(unsigned log_n = 6, std::size_t limbs = 3) {
  return {.name = "toy", .log_n = log_n, .limbs = limbs};
}

// X^N = -1.
Integers slow_product(const Integers& a, const Integers& b) {
  const std::size_t n = a.size();
  Integers result(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (i + j < n)
        result[i + j] += a[i] * b[j];
      else
        result[i + j - n] -= a[i] * b[j];
    }
  return result;
}

Integer128 centred(Integer128 value, Integer128 modulus) {
  value %= modulus;
  if (value > modulus / 2) value -= modulus;
  if (value < -modulus / 2) value += modulus;
  return value;
}

std::complex<double> slow_slot(const Integers& coefficients, std::size_t slot) {
  const std::size_t n = coefficients.size();
  std::size_t exponent = 1;
  for (std::size_t j = 0; j < slot; ++j) exponent = 5 * exponent % (2 * n);
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum += static_cast<double>(coefficients[i]) *
           std::polar(
               1.0, std::numbers::pi * static_cast<double>(exponent * i % (2 * n)) / static_cast<double>(n));
  return sum;
}

std::vector<double> some_values(std::size_t count, double size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(-size, size);
  std::vector<double> values(count);
  for (double& value : values) value = draw(engine);
  return values;
}

Integers some_integers(std::size_t count, int bits, unsigned seed) {
  std::mt19937_64 engine(seed);
  Integers values(count);
  for (Integer128& value : values) {
    value = (Integer128{static_cast<std::int64_t>(engine())} << 64) + static_cast<Integer128>(engine());
    value >>= 127 - bits;
  }
  return values;
}

Integer128 size_of(Integer128 value) { return value < 0 ? -value : value; }

TEST(CkksParameters, AreSecureByTheStandardsTable) {
  EXPECT_EQ(most_modulus_bits(1024), 27u);
  EXPECT_EQ(most_modulus_bits(8192), 218u);
  EXPECT_EQ(most_modulus_bits(32768), 881u);
  EXPECT_EQ(most_modulus_bits(65536), 881u);  // the table ends here, and a larger ring is not weaker
  EXPECT_EQ(most_modulus_bits(512), 0u);
  EXPECT_NO_THROW(check_security(usual_ckks()));
  EXPECT_NO_THROW(check_security(lean_ckks()));
  CkksParameters weak = lean_ckks();
  weak.log_n = 12;  // 109 bits are allowed there
  EXPECT_NE(
      error_of([&] { check_security(weak); }).find("modulus of 120 bits has less than 128 bits of security"),
      std::string::npos);
  weak = usual_ckks();
  weak.limbs = 15;
  EXPECT_NE(error_of([&] { check_security(weak); }).find("allows 881 bits"), std::string::npos);
}

TEST(CkksParameters, RefuseNoiseThatFitsNoWord) {
  CkksParameters loud = lean_ckks();
  loud.hiding_bits = 50;
  EXPECT_NE(error_of([&] { smudging_bits(loud, 40); }).find("at most 62 are supported"), std::string::npos);
}

TEST(CkksEmbedding, IsTheValueAtTheRoots) {
  constexpr unsigned log_n = 5;
  const CkksEmbedding embedding(log_n, 84);
  const std::vector<double> values = some_values(16, 1000, 1);
  const Integers coefficients = embedding.encode(values);
  ASSERT_EQ(coefficients.size(), 32u);
  for (std::size_t j = 0; j < values.size(); ++j) {
    const std::complex<double> slot = slow_slot(coefficients, j) * 0x1p-84;
    EXPECT_NEAR(slot.real(), values[j], 1e-11) << j;
    EXPECT_NEAR(slot.imag(), 0, 1e-11) << j;
  }
  const Integers any = some_integers(32, 100, 2);
  const std::vector<double> decoded = embedding.decode(any, 16);
  for (std::size_t j = 0; j < decoded.size(); ++j) {
    const double slow = slow_slot(any, j).real() * 0x1p-84;
    EXPECT_NEAR(decoded[j], slow, 1e-11 * std::ldexp(1, 21)) << j;
  }
  // Fewer values than slots: the others are 0.
  EXPECT_NEAR(embedding.decode(embedding.encode(std::vector<double>{3, -4}), 16)[7], 0, 1e-12);
}

TEST(CkksRing, MultipliesLikeTermByTerm) {
  const CkksRing ring(6, 3);
  const Integers a = some_integers(64, 100, 3), b = some_integers(64, 12, 4);
  CkksPolynomial product{std::vector<long>(3 * 64)};
  ring.add_product(product, ring.transformed(a), ring.transformed(b));
  EXPECT_EQ(ring.coefficients(product), slow_product(a, b));
  const Integers c = some_integers(64, 110, 5);
  ring.add(product, ring.transformed(c));
  Integers sum = slow_product(a, b);
  for (std::size_t i = 0; i < 64; ++i) sum[i] += c[i];
  EXPECT_EQ(ring.coefficients(product), sum);
  ring.subtract_product(product, ring.transformed(a), ring.transformed(b));
  EXPECT_EQ(ring.coefficients(product), c);
  std::vector<std::int64_t> small(64, INT64_MIN / 2);  // larger than all primes
  EXPECT_TRUE(ring.coefficients(ring.transformed(small, 2))[9] == INT64_MIN / 2);
}

Word128 slow_power(Word128 base, Word128 exponent, Word128 q) {
  Word128 result = 1;
  for (; exponent; exponent >>= 1, base = base * base % q)
    if (exponent & 1) result = result * base % q;
  return result;
}

// For each prime, the numbers are the polynomial's values at all ψ with ψ^N = -1, in any order.
TEST(CkksRing, EveryPrimeHasTheValuesAtItsRoots) {
  constexpr std::size_t n = 16;
  const CkksRing ring(4, 3);
  const Integers a = some_integers(n, 90, 6);
  const CkksPolynomial transformed = ring.transformed(a);
  std::set<Word128> primes;
  for (std::size_t l = 0; l < 3; ++l) {
    const auto q = static_cast<Word128>(ring.prime(l));
    primes.insert(q);
    std::multiset<Word128> slow, found;
    Word128 base = 2;
    while (slow_power(base, (q - 1) / 2, q) != q - 1) ++base;
    for (std::size_t k = 0; k < n; ++k) {
      const Word128 root = slow_power(base, (q - 1) / (2 * n) * (2 * k + 1), q);
      Word128 value = 0;
      for (std::size_t i = n; i-- > 0;)
        value = (value * root +
                 static_cast<Word128>(a[i] % static_cast<Integer128>(q) + static_cast<Integer128>(q))) %
                q;
      slow.insert(value);
      found.insert(static_cast<Word128>(transformed.values[l * n + k]));
    }
    EXPECT_TRUE(slow == found) << l;
  }
  EXPECT_EQ(primes.size(), 3u);
}

class CkksByHand : public ::testing::Test {
 protected:
  static constexpr std::size_t parties = 3;
  const Ckks scheme{toy(), parties};
  const CkksRing& ring = scheme.ring();
  const Integer128 modulus = Integer128{ring.prime(0)} * ring.prime(1);
  Prg randomness = Prg::from_seed(1, "test", 0);
  const CkksPolynomial a = scheme.common_random(randomness);
  std::vector<CkksPolynomial> secrets;
  CkksPolynomial key{std::vector<long>(3 * 64)};

  CkksByHand() {
    for (std::size_t i = 0; i < parties; ++i) {
      secrets.push_back(scheme.secret(randomness));
      ring.add(key, scheme.key_share(a, secrets[i], randomness));
    }
  }

  // c0 + c1 s, term by term, where s has small coefficients.
  Integers opened(const CkksPolynomial& c0, const CkksPolynomial& c1) const {
    Integers s(64);
    for (const CkksPolynomial& secret : secrets) {
      const Integers one = ring.coefficients(secret);
      for (std::size_t i = 0; i < 64; ++i) s[i] += one[i];
    }
    // c1 in two halves, so that no result exceeds 128 bits.
    Integers high = ring.coefficients(c1), low = high;
    for (std::size_t i = 0; i < 64; ++i) {
      low[i] &= (Integer128{1} << 60) - 1;
      high[i] >>= 60;
    }
    const Integers upper = slow_product(high, s), lower = slow_product(low, s);
    Integers result = ring.coefficients(c0);
    for (std::size_t i = 0; i < 64; ++i) {
      Integer128 shifted = upper[i];
      for (int bit = 0; bit < 60; ++bit) shifted = centred(2 * shifted, modulus);
      result[i] = centred(centred(result[i] + shifted, modulus) + lower[i], modulus);
    }
    return result;
  }

  std::vector<double> merged(const CkksCiphertext& sum, const std::vector<CkksPolynomial>& helping) {
    CkksPolynomial opened = scheme.lowered(sum.c0);
    for (const CkksPolynomial& secret : helping)
      ring.add(opened, scheme.partial(scheme.lowered(sum.c1), secret, randomness));
    return scheme.decode(opened, 32);
  }
};

TEST_F(CkksByHand, SecretsAreTernaryAndKeysHideThem) {
  int counts[3] = {};
  for (const CkksPolynomial& secret : secrets)
    for (const Integer128 s : ring.coefficients(secret)) {
      ASSERT_TRUE(s >= -1 && s <= 1);
      ++counts[static_cast<int>(s) + 1];
    }
  for (const int count : counts) EXPECT_NEAR(count, 64, 30);
  for (const Integer128 e : opened(key, a))
    EXPECT_LE(size_of(e), 3 * 21);                                     // the key's errors, of three parties
  EXPECT_GT(size_of(ring.coefficients(key)[5]), Integer128{1} << 90);  // without the secrets, it is large
}

TEST_F(CkksByHand, EncryptionIsTheMessageAndLittleNoise) {
  const std::vector<double> values = some_values(32, 1e5, 7);
  const Integers message = scheme.encode(values);
  const CkksCiphertext one = scheme.encrypt(message, key, a, randomness);
  const Integers found = opened(one.c0, one.c1);
  const Integer128 bound = Integer128{1} << noise_bits(scheme.parameters(), parties);
  double squares = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    const Integer128 noise = found[i] - message[i];
    EXPECT_LT(size_of(noise), bound) << i;
    squares += std::pow(static_cast<double>(noise), 2) / 64;
  }
  // v e + e0 + s e1 by hand: 2 · 64 · 3 · 2/3 · 10.5 + 10.5.
  EXPECT_NEAR(std::sqrt(squares), std::sqrt(2688 + 10.5), 20);
  EXPECT_GT(size_of(ring.coefficients(one.c0)[5] - message[5]), Integer128{1} << 90);
  const CkksCiphertext again = scheme.encrypt(message, key, a, randomness);
  EXPECT_NE(one.c0.values, again.c0.values);
}

// Uses the same random bytes, which are decoded here independently: errors of the message, v, and errors of
// c1.
TEST_F(CkksByHand, EncryptionIsTermByTermWhatItShouldBe) {
  const Integers message = scheme.encode(some_values(32, 1e5, 8));
  Prg ours = Prg::from_seed(4, "encryption", 0), theirs = Prg::from_seed(4, "encryption", 0);
  const CkksCiphertext found = scheme.encrypt(message, key, a, ours);

  const auto bits_set = [](std::uint64_t word, int from, int count) {
    int set = 0;
    for (int bit = from; bit < from + count; ++bit) set += static_cast<int>((word >> bit) & 1);
    return set;
  };
  const auto errors = [&] {
    std::vector<std::uint64_t> words(64);
    theirs.fill(std::as_writable_bytes(std::span(words)));
    Integers result;
    for (const std::uint64_t word : words) result.push_back(bits_set(word, 0, 21) - bits_set(word, 21, 21));
    return result;
  };
  const Integers e0 = errors();
  Integers v;
  while (v.size() < 64) {
    std::vector<std::uint8_t> bytes(64);
    theirs.fill(std::as_writable_bytes(std::span(bytes)));
    for (const std::uint8_t byte : bytes)
      if (byte != 255 && v.size() < 64) v.push_back(byte % 3 - 1);
  }
  const Integers e1 = errors();
  // The sum of 64 numbers below 2^119 is below 2^126.
  const Integers vb = slow_product(v, ring.coefficients(key)), va = slow_product(v, ring.coefficients(a));
  const Integers c0 = ring.coefficients(found.c0), c1 = ring.coefficients(found.c1);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_TRUE(c0[i] == centred(centred(vb[i], modulus) + message[i] + e0[i], modulus)) << i;
    EXPECT_TRUE(c1[i] == centred(centred(va[i], modulus) + e1[i], modulus)) << i;
  }
}

TEST_F(CkksByHand, SmudgingIsUniformAndLarge) {
  const CkksPolynomial nothing{std::vector<long>(2 * 64)};
  const Integers noise = ring.coefficients(scheme.partial(nothing, scheme.lowered(secrets[0]), randomness));
  const unsigned bits = smudging_bits(scheme.parameters(), parties);
  EXPECT_EQ(bits, noise_bits(scheme.parameters(), parties) + 40);
  double most = 0, mean = 0;
  for (const Integer128 one : noise) {
    const double unit = std::ldexp(static_cast<double>(one), -static_cast<int>(bits));
    most = std::max(most, std::abs(unit));
    mean += unit / 64;
  }
  EXPECT_LE(most, 1);
  EXPECT_GT(most, 0.8);
  EXPECT_LT(std::abs(mean), 0.35);
}

TEST_F(CkksByHand, OnlyAllPartiesTogetherOpenTheSum) {
  std::vector<double> plain(32);
  CkksCiphertext sum{{std::vector<long>(3 * 64)}, {std::vector<long>(3 * 64)}};
  for (unsigned i = 0; i < parties; ++i) {
    const std::vector<double> values = some_values(32, 1e3, 20 + i);
    for (std::size_t k = 0; k < 32; ++k) plain[k] += values[k];
    const CkksCiphertext one = scheme.encrypt(scheme.encode(values), key, a, randomness);
    ring.add(sum.c0, one.c0);
    ring.add(sum.c1, one.c1);
  }
  const auto worst = [&](const std::vector<double>& found) {
    double most = 0;
    for (std::size_t k = 0; k < 32; ++k) most = std::max(most, std::abs(found[k] - plain[k]));
    return most;
  };
  std::vector<CkksPolynomial> all;
  for (const CkksPolynomial& secret : secrets) all.push_back(scheme.lowered(secret));
  const double bound = error_bound(scheme.parameters(), parties), error = worst(merged(sum, all));
  EXPECT_LT(error, bound);
  EXPECT_GT(error, bound / 100);  // the smudging noise is present
  // Without one party, with the share of another one, or with one share twice: noise as large as the modulus.
  EXPECT_GT(worst(merged(sum, {all[0], all[1]})), 1e8);
  EXPECT_GT(worst(merged(sum, {all[0], all[1], scheme.lowered(scheme.secret(randomness))})), 1e8);
  EXPECT_GT(worst(merged(sum, {all[0], all[1], all[2], all[2]})), 1e8);
}

TEST_F(CkksByHand, RefusesWhatCouldWrap) {
  const double most = largest_value(scheme.parameters(), parties);
  EXPECT_NO_THROW(scheme.encode(std::vector<double>{most, -most}));
  EXPECT_NE(error_of([&] { scheme.encode(std::vector<double>{2 * most}); }).find("too large"),
            std::string::npos);
  EXPECT_NE(error_of([&] { scheme.encode(std::vector<double>{std::nan("")}); }).find("too large"),
            std::string::npos);
}

}  // namespace
}  // namespace tacit
