#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/lab/rivals/shares/kernel.hpp"
#include "tacit/lab/rivals/shares/shares_testing.hpp"

namespace tacit::shares {
namespace {

Task<Words> truncated(Server& server, Words secret, unsigned bits) {
  const Masked x = co_await server.truncate(share_of_secret(server, secret), bits);
  co_return server.share_of(x);
}

Words truncate_together(const Words& secret, unsigned bits, std::uint64_t seed) {
  return sum_of(on_two_servers<Words>([&](Dealer& dealer) { deal_truncate(dealer, secret.size(), bits); },
                                      [&](Server& server) { return truncated(server, secret, bits); }, seed)
                    .results);
}

TEST(Words, EncodesToHalfAUnitAndRefusesWhatDoesNotFit) {
  for (const double x : {0.0, 1.0, -1.0, 3.14159, -1023.999, 1e-8})
    EXPECT_LE(std::abs(decode(encode(x)) - x), 0x1p-27);
  EXPECT_THROW(encode(0x1p36), Error);
  EXPECT_THROW(encode(std::nan("")), Error);
}

TEST(Words, ProductsOfMatricesAgreeWithPlainIntegers) {
  std::mt19937_64 draw(1);
  const std::size_t m = 5, n = 7, k = 3;
  Words a(m * k), b(n * k), out(m * n), expected;
  for (Word& x : a) x = draw();
  for (Word& x : b) x = draw();
  for (Word& x : out) expected.push_back(x = draw());
  add_product(out, a, b, k);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < k; ++l) expected[i * n + j] += a[i * k + l] * b[j * k + l];
  EXPECT_EQ(out, expected);
}

// Never fails, even at the ends of the range. Separate truncation of each share would fail there every other
// time.
RC_GTEST_PROP(Truncation, IsWithinOneUnitForAllNumbersUnder2To62, (std::uint64_t seed)) {
  const unsigned bits = *rc::gen::inRange(0U, 33U);
  Words secret;
  for (int i = 0; i < 50; ++i) {
    const auto size = *rc::gen::inRange(0, 63);
    const auto z = static_cast<std::int64_t>(*rc::gen::arbitrary<std::uint64_t>() % (Word{1} << size));
    secret.push_back(static_cast<Word>(i % 2 ? z : -z));
  }
  secret.push_back((Word{1} << 62) - 1);
  secret.push_back(-((Word{1} << 62) - 1));
  const Words result = truncate_together(secret, bits, seed);
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const auto exact = static_cast<std::int64_t>(secret[i]) >> bits,
               got = static_cast<std::int64_t>(result[i]);
    RC_ASSERT(got - exact >= -1);
    RC_ASSERT(got - exact <= 1);
  }
}

// Truncates the numbers first, so that they have masks, and then multiplies them, exactly in Z_2^64.
Task<std::vector<Words>> multiplied(Server& server, Words a, Words b, unsigned bits_a, unsigned bits_b) {
  const Masked x = co_await server.truncate(share_of_secret(server, a), bits_a);
  const Masked y = co_await server.truncate(share_of_secret(server, b), bits_b);
  const Opened c = co_await server.open(server.share_of(x));
  Words masked = server.product(x, y), opened = server.product(c, y), squared = server.square(x);
  co_return std::vector<Words>{server.share_of(x), server.share_of(y), masked, opened, squared};
}

RC_GTEST_PROP(Products, AreExactInTheRing, (std::uint64_t seed)) {
  const unsigned bits_a = *rc::gen::inRange(0U, 33U), bits_b = *rc::gen::inRange(0U, 33U);
  std::mt19937_64 draw(seed);
  Words a(20), b(20);
  for (Word& x : a) x = draw() >> 2;
  for (Word& x : b) x = -(draw() >> 2);
  const auto run = on_two_servers<std::vector<Words>>(
      [&](Dealer& dealer) {
        const DealtMask x = deal_truncate(dealer, a.size(), bits_a),
                        y = deal_truncate(dealer, b.size(), bits_b);
        const Words c = deal_open(dealer, a.size());
        deal_product(dealer, x, y);
        deal_product(dealer, c, y);
        deal_square(dealer, x);
      },
      [&](Server& server) { return multiplied(server, a, b, bits_a, bits_b); }, seed);
  std::array<Words, 5> opened;
  for (std::size_t k = 0; k < 5; ++k) opened[k] = sum_of({run.results[0][k], run.results[1][k]});
  for (std::size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(opened[2][i] == opened[0][i] * opened[1][i]);
    RC_ASSERT(opened[3][i] == opened[0][i] * opened[1][i]);
    RC_ASSERT(opened[4][i] == opened[0][i] * opened[0][i]);
  }
  RC_ASSERT(run.cost.rounds == 3U);
}

Task<Words> inverted(Server& server, Words secret, const Newton& newton) {
  const Masked d = co_await server.truncate(share_of_secret(server, secret), fraction);
  const Masked y = co_await reciprocal(server, d, newton);
  co_return server.share_of(y);
}

// Checks the reciprocals of numbers from low to high, evenly spaced in their logarithms.
void check_reciprocals(double low, double high, unsigned scale, unsigned bits, std::size_t steps,
                       double tolerance) {
  const Newton plan = newton(low, high, scale, bits, steps);
  EXPECT_LE(plan.error, 0x1p-27);
  Words secret;
  std::vector<double> numbers;
  for (int i = 0; i <= 200; ++i) {
    numbers.push_back(low * std::pow(high / low, i / 200.0));
    secret.push_back(encode(numbers.back(), 2 * fraction));
  }
  const auto run = on_two_servers<Words>(
      [&](Dealer& dealer) { deal_reciprocal(dealer, deal_truncate(dealer, secret.size(), fraction), plan); },
      [&](Server& server) { return inverted(server, secret, plan); });
  EXPECT_EQ(run.cost.rounds, 1 + 2 * plan.factors.size());
  const Words found = sum_of(run.results);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double exact = std::ldexp(1 / numbers[i], -static_cast<int>(scale));
    // One unit of d, and one unit of the result for each of the last roundings.
    EXPECT_NEAR(decode(found[i], bits), exact, exact / numbers[i] * 0x1p-25 + exact * 0x1p-24 + tolerance)
        << numbers[i];
  }
}

TEST(Reciprocal, AgreesWithLongDivisionOverItsWholeRange) {
  check_reciprocals(0.01, 1, 0, fraction, pivot_steps, 0x1p-24);   // a pivot
  check_reciprocals(0.002, 1, 0, fraction, pivot_steps, 0x1p-24);  // a pivot that takes 9 steps
  check_reciprocals(0.0001, 0.99, 14, 34, 1, 0x1p-32);             // a variance
  check_reciprocals(20 * 0x1p-14, 20 * 0.61, 14, 34, 1, 0x1p-32);  // a sum of 20 weights
  EXPECT_EQ(newton(1.0 / 300, 1, 0, fraction, pivot_steps).factors.size(), 8U);
  EXPECT_EQ(newton(0.002, 1, 0, fraction, pivot_steps).factors.size(), 9U);
  EXPECT_THROW(newton(0, 1, 0, fraction, pivot_steps), InputError);
}

Task<Words> exponentials(Server& server, Words secret, double root) {
  const Masked e =
      co_await exponential(server, share_of_secret(server, secret), std::vector<double>(secret.size(), root));
  co_return server.share_of(e);
}

TEST(Exponential, AgreesWithTheRealOneInTwoRounds) {
  for (const double root : {1.0, 0.7}) {
    std::vector<double> numbers;
    Words secret;
    for (int i = 0; i <= 5000; ++i) {  // enough numbers for all cases of the carry
      numbers.push_back(-0.99 * i / 5000);
      secret.push_back(encode(numbers.back(), 2 * fraction));
    }
    const auto run =
        on_two_servers<Words>([&](Dealer& dealer) { deal_exponential(dealer, secret.size()); },
                              [&](Server& server) { return exponentials(server, secret, root); });
    EXPECT_EQ(run.cost.rounds, 2U);
    const Words found = sum_of(run.results);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(decode(found[i]), root * std::exp(numbers[i]), 0x1p-24) << numbers[i];
  }
}

Task<std::vector<Words>> seen(Server& server, Words secret) {
  const Masked x = co_await server.truncate(share_of_secret(server, secret), fraction);
  const Opened y = co_await server.open(share_of_secret(server, secret));
  co_return std::vector<Words>{x.open, y.open};
}

TEST(Servers, SeeUniformNumbersWhateverTheSecret) {
  const Words secret(8000, encode(0.75, 2 * fraction));
  const auto run = on_two_servers<std::vector<Words>>(
      [&](Dealer& dealer) {
        deal_truncate(dealer, secret.size(), fraction);
        deal_open(dealer, secret.size());
      },
      [&](Server& server) { return seen(server, secret); });
  EXPECT_EQ(run.results[0], run.results[1]);
  for (const unsigned shift : {0U, 20U, 33U}) EXPECT_LT(chi_squared(run.results[0][0], shift), 60);
  for (const unsigned shift : {0U, 30U, 60U}) EXPECT_LT(chi_squared(run.results[0][1], shift), 60);

  // The control: masks of 40 bits, as for statistical hiding in a small ring, reveal the secret's top bits.
  Words weak = secret;
  Prg stream = Prg::from_seed(2, "weak masks", 0);
  for (Word& x : weak) {
    Word mask = 0;
    stream.fill(std::as_writable_bytes(std::span(&mask, 1)));
    x += mask >> 24;
  }
  EXPECT_LT(chi_squared(weak, 10), 60);
  EXPECT_GT(chi_squared(weak, 60), 60);
}

}  // namespace
}  // namespace tacit::shares
