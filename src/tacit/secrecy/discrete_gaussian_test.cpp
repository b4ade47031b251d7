#include "tacit/secrecy/discrete_gaussian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"

namespace tacit {
namespace {

std::vector<std::int64_t> drawn(std::uint64_t variance, std::size_t count, std::uint64_t seed) {
  Prg randomness = Prg::from_seed(seed, "test of the discrete Gaussian", variance);
  std::vector<std::int64_t> numbers(count);
  DiscreteGaussian(variance).draw(randomness, numbers);
  return numbers;
}

// The probability that a discrete Gaussian is at least `from` and below `end`, by summation.
long double probability(std::uint64_t variance, std::int64_t from, std::int64_t end) {
  const auto weight = [&](std::int64_t x) {
    return std::exp(-static_cast<long double>(x) * static_cast<long double>(x) /
                    (2 * static_cast<long double>(variance)));
  };
  const auto far = static_cast<std::int64_t>(20 * std::sqrt(static_cast<double>(variance)) + 20);
  long double all = 0, part = 0;
  for (std::int64_t x = -far; x <= far; ++x) {
    all += weight(x);
    if (x >= from && x < end) part += weight(x);
  }
  return part / all;
}

// Pearson's χ² of numbers in about 30 bins within three standard deviations and two tails, in standard
// deviations above its expectation.
double excess(const std::vector<std::int64_t>& numbers, std::uint64_t variance) {
  const auto reach = static_cast<std::int64_t>(3 * std::sqrt(static_cast<double>(variance)));
  const std::int64_t width = std::max<std::int64_t>(1, (2 * reach + 1) / 30);
  constexpr std::int64_t infinite = std::int64_t{1} << 40;
  std::vector<std::int64_t> edges{-infinite};
  for (std::int64_t x = -reach; x <= reach + 1; x += width) edges.push_back(x);
  edges.push_back(infinite);
  double chi = 0;
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
    const double expected = static_cast<double>(numbers.size()) *
                            static_cast<double>(probability(variance, edges[k], edges[k + 1]));
    double counted = 0;
    for (const std::int64_t x : numbers) counted += x >= edges[k] && x < edges[k + 1];
    chi += (counted - expected) * (counted - expected) / expected;
  }
  const auto freedom = static_cast<double>(edges.size() - 2);
  return (chi - freedom) / std::sqrt(2 * freedom);
}

TEST(DiscreteGaussian, HasTheExactProbabilities) {
  for (const std::uint64_t variance : {1u, 2u, 3u, 16u, 17u, 1000u, 123456u})
    EXPECT_LT(excess(drawn(variance, testing::repeats(100'000, 1'000'000), 1), variance), 5)
        << "variance " << variance;
}

TEST(DiscreteGaussian, TheTestDetectsARoundedGaussian) {  // its variance is larger by 1/12
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0, std::sqrt(2.0));
  std::vector<std::int64_t> rounded(100'000);
  for (std::int64_t& x : rounded) x = std::llround(normal(random));
  EXPECT_GT(excess(rounded, 2), 5);
}

TEST(DiscreteGaussian, HasTheRightMomentsAtTheLargestVariance) {
  const std::vector<std::int64_t> numbers = drawn(DiscreteGaussian::most_variance, 20'000, 3);
  const double sd = 0x1p24;
  double mean = 0, square = 0;
  for (const std::int64_t x : numbers) {
    mean += static_cast<double>(x) / sd / 20'000;
    square += static_cast<double>(x) / sd * static_cast<double>(x) / sd / 20'000;
  }
  EXPECT_NEAR(mean, 0, 5 / std::sqrt(20'000.0));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2 / 20'000.0));
}

TEST(DiscreteGaussian, NumbersAreIndependent) {
  const std::vector<std::int64_t> numbers = drawn(100, 100'000, 4);
  double product = 0;
  for (std::size_t k = 1; k < numbers.size(); ++k)
    product += static_cast<double>(numbers[k - 1] * numbers[k]) / 100;
  EXPECT_NEAR(product / 100'000, 0, 5 / std::sqrt(100'000.0));
}

TEST(DiscreteGaussian, DependsOnTheStreamAlone) {
  EXPECT_EQ(drawn(50, 100, 9), drawn(50, 100, 9));
  EXPECT_NE(drawn(50, 100, 9), drawn(50, 100, 10));
}

TEST(DiscreteGaussian, RefusesVariancesThatItCannotUse) {
  EXPECT_THROW(DiscreteGaussian(0), InputError);
  EXPECT_THROW(DiscreteGaussian(DiscreteGaussian::most_variance + 1), InputError);
}

}  // namespace
}  // namespace tacit
