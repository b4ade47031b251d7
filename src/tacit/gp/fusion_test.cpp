#include "tacit/gp/fusion.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

struct Experts {
  std::vector<Matrix> means, variances;
};

Experts random_experts(int count, Index points, Index outputs, unsigned seed, bool shared_variance = false) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Experts e;
  for (int i = 0; i < count; ++i) {
    e.means.push_back(Matrix::NullaryExpr(points, outputs, [&](Index, Index) { return normal(engine); }));
    e.variances.push_back(Matrix::NullaryExpr(points, shared_variance ? 1 : outputs,
                                              [&](Index, Index) { return std::exp(3 * normal(engine)); }));
  }
  return e;
}

std::string error_of(const Experts& e) {
  try {
    fuse_poe(e.means, e.variances);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

RC_GTEST_PROP(FusePoe, IsTheFormula, ()) {
  const bool shared = *rc::gen::arbitrary<bool>();
  const Experts e = random_experts(*rc::gen::inRange(1, 12), *rc::gen::inRange(0, 9), *rc::gen::inRange(0, 4),
                                   *rc::gen::arbitrary<unsigned>(), shared);
  const Fused fused = fuse_poe(e.means, e.variances);
  RC_ASSERT(fused.mean.rows() == e.means[0].rows());
  RC_ASSERT(fused.variance.cols() == e.means[0].cols());
  for (Index o = 0; o < fused.mean.cols(); ++o)
    for (Index x = 0; x < fused.mean.rows(); ++x) {
      double precision = 0;
      double weighted = 0;
      double size = 0;
      for (std::size_t i = 0; i < e.means.size(); ++i) {
        const double v = e.variances[i](x, shared ? 0 : o);
        precision += 1 / v;
        weighted += e.means[i](x, o) / v;
        size += std::abs(e.means[i](x, o)) / v;
      }
      RC_ASSERT(std::abs(fused.variance(x, o) * precision - 1) < 1e-14);
      RC_ASSERT(std::abs(fused.mean(x, o) - weighted / precision) <= 1e-14 * size / precision);
    }
}

TEST(FusePoe, OfOneExpertIsTheExpert) {
  const Experts e = random_experts(1, 20, 3, 1);
  const Fused fused = fuse_poe(e.means, e.variances);
  EXPECT_TRUE(fused.mean.isApprox(e.means[0], 1e-15));
  EXPECT_TRUE(fused.variance.isApprox(e.variances[0], 1e-15));
}

TEST(FusePoe, OfEqualExpertsDividesTheVariance) {
  const Experts one = random_experts(1, 5, 2, 1);
  const Experts four{std::vector(4, one.means[0]), std::vector(4, one.variances[0])};
  const Fused fused = fuse_poe(four.means, four.variances);
  EXPECT_TRUE(fused.mean.isApprox(one.means[0], 1e-15));
  EXPECT_TRUE(fused.variance.isApprox(one.variances[0] / 4, 1e-15));
}

TEST(FusePoe, RefusesWhatCannotBeFused) {
  EXPECT_EQ(error_of({}), "no expert to fuse; give at least one");

  Experts e = random_experts(3, 4, 2, 1);
  e.variances.pop_back();
  EXPECT_EQ(error_of(e), "3 experts gave means but 2 gave variances; give both for each");

  e = random_experts(3, 4, 2, 1);
  e.means[1].conservativeResize(5, 2);
  EXPECT_EQ(error_of(e),
            "the means of expert 1 are 5 x 2, those of expert 0 4 x 2; all must predict the same outputs at "
            "the same points");

  e = random_experts(3, 4, 3, 1);
  e.variances[2].conservativeResize(4, 2);
  EXPECT_EQ(error_of(e),
            "the variances of expert 2 are 4 x 2, its means 4 x 3; give one variance for each mean, or one "
            "column for all outputs");

  e = random_experts(3, 4, 2, 1);
  e.means[2](3, 1) = NAN;
  EXPECT_EQ(
      error_of(e),
      "means of expert 2: the value at row 3, column 1 (from 0) is nan; remove the row or fill in a number");

  for (double bad : {0.0, -1.0, 1e-310, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    e = random_experts(3, 4, 2, 1);
    e.variances[1](2, 0) = bad;
    EXPECT_NE(error_of(e).find("variances of expert 1: the value at row 2, column 0 (from 0) is"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace tacit
