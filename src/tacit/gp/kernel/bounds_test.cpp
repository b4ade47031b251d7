#include "tacit/gp/kernel/bounds.hpp"

#include <gtest/gtest.h>

#include "tacit/gp/gp_testing.hpp"
#include "tacit/gp/kernel/covariance.hpp"

namespace tacit {
namespace {

// Values and difference quotients at thousands of pairs stay within the bounds.
TEST(KernelBounds, HoldAndAreNotFarOff) {
  const double reach = 3;
  const Matrix x = testing::random_points(60, 2, reach, 1);
  for (double l : {0.05, 0.5, 1.0, 5.0, 100.0})
    for (const Kernel& kernel : testing::every_composition(l, 2)) {
      SCOPED_TRACE(kernel.text());
      const KernelBounds bounds = kernel_bounds(kernel, 2, reach);
      const Kernel ready = kernel.for_inputs(2);
      const Vector diagonal = ready.prior_variance(x);
      EXPECT_GE(diagonal.minCoeff(), bounds.low * (1 - 1e-12));
      EXPECT_LE(diagonal.maxCoeff(), bounds.high * (1 + 1e-12));
      ASSERT_EQ(bounds.slopes.size(), ready.parameters());
      for (std::size_t k = 0; k < bounds.slopes.size(); ++k) {
        std::vector<double> up = ready.logarithms(), down = up;
        up[k] += 1e-4;
        down[k] -= 1e-4;
        const double slope =
            (covariance(x, x, ready.at(up)) - covariance(x, x, ready.at(down))).cwiseAbs().maxCoeff() / 2e-4;
        EXPECT_LE(slope, bounds.slopes[k] * (1 + 1e-3)) << ready.names()[k];
      }
    }
  EXPECT_EQ(kernel_bounds(linear(), 2, 3).low, 0);
  EXPECT_EQ(kernel_bounds(linear() + constant(2), 2, 3).low, 4);
  EXPECT_EQ(kernel_bounds(linear() * se(), 2, 3).low, 0);
  EXPECT_NEAR(kernel_bounds(linear(2), 3, 5).high, 4 * 3 * 25, 1e-9);
}

}  // namespace
}  // namespace tacit
