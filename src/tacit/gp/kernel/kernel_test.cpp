#include "tacit/gp/kernel/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tacit/base/base_testing.hpp"
#include "tacit/gp/gp_testing.hpp"
#include "tacit/gp/kernel/covariance.hpp"

namespace tacit {
namespace {

using testing::random_points;

TEST(Kernel, NumbersItsParametersLeafByLeaf) {
  const Kernel k = (se(ard) + linear(2)).for_inputs(3) + rational_quadratic(4., 5, 6);
  EXPECT_EQ(k.parameters(), 8u);
  const std::vector<double> expected{1, 1, 1, 1, 2, 4, 5, 6};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(std::exp(k.logarithms()[i]), expected[i], 1e-14);
  EXPECT_EQ(k.names(), (std::vector<std::string>{"se.lengthscale[0]", "se.lengthscale[1]",
                                                 "se.lengthscale[2]", "se.signal", "linear.signal",
                                                 "rq.lengthscale", "rq.alpha", "rq.signal"}));
  std::vector<double> logs = k.logarithms();
  logs[5] = std::log(7);
  EXPECT_NEAR(k.at(logs).leaves()[2].lengthscale[0], 7, 1e-14);
  EXPECT_THROW(k.at(std::vector<double>(7)), InputError);
  EXPECT_EQ((se() + se()).names()[2], "se#2.lengthscale");
}

TEST(Kernel, AProductHasOneSignalAndKeepsItsMeaning) {
  const Matrix x = random_points(12, 2, 2, 1);
  const Kernel left = se(0.7, 3), right = (linear(0.5) + constant(2)) + matern32(1., 4);
  const Kernel product = left * right;
  EXPECT_EQ(product.parameters(), left.parameters() + right.parameters() - 1);
  const Matrix expected = covariance(x, x, left).cwiseProduct(covariance(x, x, right));
  EXPECT_LE((covariance(x, x, product) - expected).norm(), 1e-13 * expected.norm());
  const Kernel turned = right * left;
  EXPECT_EQ(turned.parameters(), product.parameters());
  EXPECT_LE((covariance(x, x, turned) - expected).norm(), 1e-13 * expected.norm());
  const Kernel ards = linear({1, 2}) * (linear({2, 3}) + se());
  EXPECT_LE((covariance(x, x, ards) -
             covariance(x, x, linear({1, 2})).cwiseProduct(covariance(x, x, linear({2, 3}) + se())))
                .norm(),
            1e-13 * covariance(x, x, ards).norm());
}

TEST(Kernel, ArdTakesOneLengthscaleForEachInput) {
  EXPECT_EQ(se(ard).for_inputs(4).parameters(), 5u);
  EXPECT_EQ(se({1, 2}).for_inputs(2).leaves()[0].lengthscale, (std::vector<double>{1, 2}));
  EXPECT_THROW(se({1, 2}).for_inputs(3), InputError);
  EXPECT_EQ(se(2.).for_inputs(3), se(2.));
}

TEST(Kernel, RefusesNumbersThatAreNotPositive) {
  EXPECT_THROW(se(0.), InputError);
  EXPECT_THROW(se({1, -1}), InputError);
  EXPECT_THROW(matern32(1., NAN), InputError);
  EXPECT_THROW(periodic(0), InputError);
  EXPECT_THROW(rational_quadratic(1., 1e101), InputError);
  EXPECT_THROW(constant(1e80) * constant(1e80), InputError);
}

TEST(CheckHyperparameters, NamesParameterValueAndCure) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto error_of = [](const Hyperparameters& h) {
    return testing::error_of([&] { check_hyperparameters(h); });
  };
  EXPECT_EQ(error_of({}), "");
  EXPECT_EQ(error_of({1, 1, 1e-12}), "");
  EXPECT_EQ(error_of({-2, 1, 1}),
            "lengthscale is -2, but must lie between 1e-100 and 1e100; set it to the distance over which the "
            "function changes, in the unit of the inputs");
  EXPECT_EQ(error_of({1, nan, 1}),
            "signal is nan, but must lie between 1e-100 and 1e100; set it to about the standard deviation of "
            "the outputs");
  EXPECT_EQ(error_of({1, 1, 0}),
            "noise is 0, but must lie between 1e-100 and 1e100; set it to the standard deviation of the "
            "noise, or for exact data to 1e-6 of the signal");
}

TEST(Prior, ThePapersIsASpecialCase) {
  const Prior prior = Hyperparameters{2, 3, 0.5};
  EXPECT_EQ(prior, Prior(se(2., 3), 0.5));
  EXPECT_EQ(hyperparameters_of(prior), (Hyperparameters{2, 3, 0.5}));
  EXPECT_THROW(hyperparameters_of({se() + linear(), 1}), InputError);
  EXPECT_THROW(hyperparameters_of({se(ard), 1}), InputError);
  EXPECT_THROW(hyperparameters_of({constant(), 1}), InputError);
  EXPECT_EQ(prior.names().back(), "noise");
  EXPECT_NEAR(prior.at(prior.logarithms()).noise, 0.5, 1e-15);
}

}  // namespace
}  // namespace tacit
