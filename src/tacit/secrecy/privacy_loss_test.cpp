#include "tacit/secrecy/privacy_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

TEST(PrivacyLoss, DeltaIsTheLeastOverAllOrders) {
  for (const double rho : {0.01, 0.22, 1.5, 4.0, 10.0})
    for (const double epsilon : {0.3, 1.0, 5.0, 20.0, 40.0}) {
      double least = 1;
      for (int k = -4000; k <= 4000; ++k) {
        const long double over = std::exp(static_cast<long double>(k) / 400), order = 1 + over;
        const long double log =
            over * (order * rho - epsilon) + order * std::log1p(-1 / order) - std::log(over);
        least = std::min(least, static_cast<double>(std::exp(log)));
      }
      const double delta = delta_of(rho, epsilon);
      EXPECT_GE(delta, least * (1 - 1e-3)) << rho << " " << epsilon;  // the grid misses the least a little
      EXPECT_LE(delta, least * (1 + 1e-8)) << rho << " " << epsilon;
    }
}

TEST(PrivacyLoss, EpsilonsAreThoseOfAnIndependentComputation) {  // in Python, over 40,000 orders
  EXPECT_NEAR(epsilon_of(4, 1e-5), 16.51141, 2e-5);
  EXPECT_NEAR(epsilon_of(10, 1e-5), 30.11086, 2e-5);
  EXPECT_NEAR(epsilon_of(1.5, 1e-5), 9.00988, 2e-5);
}

TEST(PrivacyLoss, RhoInvertsEpsilon) {
  for (const double epsilon : {0.5, 1.0, 3.0, 10.0, 30.0})
    for (const double delta : {1e-9, 1e-6, 1e-5, 1e-2}) {
      const double rho = rho_of(epsilon, delta);
      EXPECT_NEAR(epsilon_of(rho, delta), epsilon, 1e-6 * epsilon);
      EXPECT_LE(delta_of(rho, epsilon), delta * (1 + 1e-7));
    }
  EXPECT_NEAR(rho_of(0.5, 1e-5), 0.0085, 5e-5);  // findings 11
  EXPECT_NEAR(rho_of(1, 1e-5), 0.0306, 5e-5);
  EXPECT_NEAR(rho_of(3, 1e-5), 0.224, 5e-4);
  EXPECT_NEAR(rho_of(10, 1e-5), 1.78, 5e-3);
}

// The probabilities of a sum of independent discrete Gaussians, from -reach to reach.
std::vector<long double> sum_of_gaussians(double variance, std::size_t agents, int reach) {
  std::vector<long double> one(static_cast<std::size_t>(2 * reach + 1)), sum;
  long double all = 0;
  for (int x = -reach; x <= reach; ++x) {
    const long double weight = std::exp(-static_cast<long double>(x) * x / (2 * variance));
    one[static_cast<std::size_t>(x + reach)] = weight;
    all += weight;
  }
  for (long double& p : one) p /= all;
  sum = one;
  for (std::size_t k = 1; k < agents; ++k) {
    std::vector<long double> next(sum.size());
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        if (std::abs(x + y) <= reach)
          next[static_cast<std::size_t>(x + y + reach)] +=
              sum[static_cast<std::size_t>(x + reach)] * one[static_cast<std::size_t>(y + reach)];
    sum = next;
  }
  return sum;
}

// The largest D_α / α of a distribution against itself shifted by `change`, over some orders α.
double exact_rho(const std::vector<long double>& p, std::size_t change) {
  double most = 0;
  for (const long double order : {1.1L, 1.5L, 2.0L, 4.0L, 8.0L}) {
    long double sum = 0;
    for (std::size_t k = change; k < p.size(); ++k)
      if (p[k] > 0 && p[k - change] > 0) sum += std::pow(p[k], order) * std::pow(p[k - change], 1 - order);
    most = std::max(most, static_cast<double>(std::log(sum) / (order - 1) / order));
  }
  return most;
}

TEST(PrivacyLoss, BoundsTheExactLossOfSummedDiscreteGaussians) {
  for (const double variance : {0.5, 1.0, 2.0})
    for (const std::size_t agents : {1u, 2u, 5u})
      for (const std::size_t change : {1u, 3u}) {
        const double exact = exact_rho(sum_of_gaussians(variance, agents, 60), change);
        const double bound = rho_of_sum({agents, variance}, static_cast<double>(change), 1);
        EXPECT_LE(exact, bound) << variance << " " << agents << " " << change;
      }
}

TEST(PrivacyLoss, SummedNoiseOfFourUnitsLosesNothing) {
  EXPECT_NEAR(rho_of_sum({1, 16}, 4, 10), 0.5, 1e-8);  // one discrete Gaussian: Δ²/(2σ²) exactly
  EXPECT_NEAR(rho_of_sum({20, 16}, 40, 1000), 40. * 40 / (2 * 20 * 16), 1e-6);
  EXPECT_GT(rho_of_sum({20, 0.5}, 1, 1000), 1.1 / (2 * 20 * 0.5));  // at 0.7 units the sum does lose
}

TEST(PrivacyLoss, OddsAreThoseOfTwoGaussians) {
  EXPECT_NEAR(guessed_correctly(4), 0.9214, 1e-4);
  EXPECT_NEAR(guessed_correctly(10), 0.9873, 1e-4);
  EXPECT_NEAR(detected(4, 0.01), 0.692, 1e-3);
  EXPECT_NEAR(detected(10, 0.01), 0.984, 1e-3);
}

TEST(PrivacyLoss, RefusesArgumentsOutsideTheirRanges) {
  EXPECT_THROW(delta_of(0, 1), InputError);
  EXPECT_THROW(epsilon_of(-1, 1e-5), InputError);
  EXPECT_THROW(epsilon_of(1, 0), InputError);
  EXPECT_THROW(rho_of(1, 1), InputError);
  EXPECT_THROW(rho_of_sum({0, 16}, 1, 1), InputError);
  EXPECT_THROW(rho_of_sum({3, 0.4}, 1, 1), InputError);
}

}  // namespace
}  // namespace tacit
