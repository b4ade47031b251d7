#include "tacit/gp/fit/initial_prior.hpp"

#include <gtest/gtest.h>

#include "tacit/gp/gp_testing.hpp"
#include "tacit/gp/kernel/covariance.hpp"

namespace tacit {
namespace {

TEST(Start, ScalesAreDeviationsAndOutliersDoNotMoveThem) {
  Matrix x = testing::random_matrix(500, 3, 1), y = 7 * testing::random_matrix(500, 1, 2);
  x.col(1) *= 1000;
  x.col(2).setConstant(4);
  x(0, 0) = 1e9;
  const DataScale scale = data_scale_of(x, y);
  EXPECT_NEAR(scale.inputs(0), 1, 0.1);
  EXPECT_NEAR(scale.inputs(1), 1000, 100);
  EXPECT_EQ(scale.inputs(2), 1);  // constant
  EXPECT_NEAR(scale.output, 7, 0.7);
  Matrix mostly_zero = Matrix::Zero(100, 1);  // the median distance is 0
  mostly_zero(3, 0) = 10;
  EXPECT_NEAR(data_scale_of(mostly_zero, y.topRows(100)).inputs(0), 1, 0.1);
}

TEST(Start, UsualKernelsHaveTheOutputsVarianceAndForgetAtTheDataScale) {
  const DataScale scale{Vector{{2.0, 30.0}}, 5};
  const Matrix typical{{2.0, 30.0}};  // a row one deviation away in every column
  for (const Kernel& form :
       {se(), se(ard), matern32() + constant(), rational_quadratic(ard), linear() + constant(), linear(ard),
        se() * periodic(), se(ard) + linear() + constant()}) {
    const Kernel kernel = initial_kernel(form, scale);
    EXPECT_NEAR(kernel.prior_variance(typical)(0), 25, 1e-9) << kernel.text();
    EXPECT_EQ(kernel.form(), form.form());
  }
  EXPECT_NEAR(covariance(Matrix::Zero(1, 2), typical, initial_kernel(se(ard), scale))(0, 0),
              25 * std::exp(-0.5), 1e-9);
  EXPECT_EQ(initial_prior(se(3.), scale).kernel, se(3.));
  EXPECT_EQ(initial_prior(se(), scale).noise, 2.5);
  EXPECT_TRUE(has_no_numbers(se(ard) + linear()));
  EXPECT_FALSE(has_no_numbers(se(ard) + linear(2)));
  for (const char* text :
       {"se", "se-ard", "linear-ard * constant", "(rq + periodic) * se-ard", "se(signal=1)"})
    EXPECT_TRUE(has_no_numbers(parse_kernel(text))) << text;
  for (const char* text :
       {"se(lengthscale=2)", "se-ard(lengthscale=[1,1])", "se * se(signal=2)", "rq(alpha=2)",
        "linear-ard(lengthscale=[2])", "periodic(period=12)", "constant(signal=0.5)"})
    EXPECT_FALSE(has_no_numbers(parse_kernel(text))) << text;
  EXPECT_EQ(with_lengthscale(se(ard).for_inputs(2) + periodic(2), 9), se({9, 9}) + periodic(2));
}

}  // namespace
}  // namespace tacit
