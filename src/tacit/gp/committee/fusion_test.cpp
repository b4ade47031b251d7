#include "tacit/gp/committee/fusion.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tacit/base/base_testing.hpp"

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
  return testing::error_of([&] { fuse_poe(e.means, e.variances); });
}

RC_GTEST_PROP(FusePoe, IsTheFormula, ()) {
  const bool shared = *rc::gen::arbitrary<bool>();
  const Experts e = random_experts(*rc::gen::inRange(1, 12), *rc::gen::inRange(0, 9), *rc::gen::inRange(0, 4),
                                   *rc::gen::arbitrary<unsigned>(), shared);
  const Prediction fused = fuse_poe(e.means, e.variances);
  RC_ASSERT(fused.mean.rows() == e.means[0].rows());
  RC_ASSERT(fused.latent_variance.cols() == e.means[0].cols());
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
      RC_ASSERT(std::abs(fused.latent_variance(x, o) * precision - 1) < 1e-14);
      RC_ASSERT(std::abs(fused.mean(x, o) - weighted / precision) <= 1e-14 * size / precision);
    }
}

TEST(FusePoe, OfOneExpertIsTheExpert) {
  const Experts e = random_experts(1, 20, 3, 1);
  const Prediction fused = fuse_poe(e.means, e.variances);
  EXPECT_TRUE(fused.mean.isApprox(e.means[0], 1e-15));
  EXPECT_TRUE(fused.latent_variance.isApprox(e.variances[0], 1e-15));
}

TEST(FusePoe, OfEqualExpertsDividesTheVariance) {
  const Experts one = random_experts(1, 5, 2, 1);
  const Experts four{std::vector(4, one.means[0]), std::vector(4, one.variances[0])};
  const Prediction fused = fuse_poe(four.means, four.variances);
  EXPECT_TRUE(fused.mean.isApprox(one.means[0], 1e-15));
  EXPECT_TRUE(fused.latent_variance.isApprox(one.variances[0] / 4, 1e-15));
}

TEST(FusePoe, RefusesWhatCannotBeFused) {
  EXPECT_EQ(error_of({}), "there are no predictions to fuse; give those of at least one expert");

  Experts e = random_experts(3, 4, 2, 1);
  e.variances.pop_back();
  EXPECT_EQ(error_of(e), "there are means of 3 experts but variances of 2; give both for each");

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

// The rules as in their papers, in long double; those of committees with three sums.
TEST(Fuse, EveryRuleIsItsTextbookFormula) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Experts e = random_experts(1 + static_cast<int>(seed % 7), 5, 2, seed);
    const Matrix prior = Matrix::NullaryExpr(5, 2, [&](Index x, Index o) {
      double largest = 0;
      for (const Matrix& v : e.variances) largest = std::max(largest, v(x, o));
      return largest * (1 + 0.1 * static_cast<double>(x));
    });
    const auto experts = static_cast<long double>(e.means.size());
    for (Fusion rule : all_fusions) {
      const Prediction fused = fuse(rule, e.means, e.variances, prior);
      for (Index o = 0; o < 2; ++o)
        for (Index x = 0; x < 5; ++x) {
          const long double k = prior(x, o);
          long double betas = 0, precision = 0, weighted = 0;
          for (std::size_t i = 0; i < e.means.size(); ++i) {
            const long double v = e.variances[i](x, o);
            const long double beta = rule == Fusion::gpoe   ? 1 / experts
                                     : rule == Fusion::rbcm ? (std::log(k) - std::log(v)) / 2
                                                            : 1;
            betas += beta;
            precision += beta / v;
            weighted += beta * e.means[i](x, o) / v;
          }
          if (rule == Fusion::bcm || rule == Fusion::rbcm) precision += (1 - betas) / k;
          EXPECT_NEAR(fused.latent_variance(x, o) * static_cast<double>(precision), 1, 1e-11)
              << to_string(rule);
          EXPECT_NEAR(fused.mean(x, o), static_cast<double>(weighted / precision),
                      1e-11 * (1 + std::abs(fused.mean(x, o))))
              << to_string(rule);
        }
    }
  }
}

TEST(Fuse, OneExpertIsItselfExceptForTheRobustCommittee) {
  const Experts e = random_experts(1, 6, 3, 4);
  const Matrix prior = e.variances[0] * 1.5;
  for (Fusion rule : {Fusion::poe, Fusion::gpoe, Fusion::bcm}) {
    const Prediction fused = fuse(rule, e.means, e.variances, prior);
    EXPECT_TRUE(fused.mean.isApprox(e.means[0], 1e-14));
    EXPECT_TRUE(fused.latent_variance.isApprox(e.variances[0], 1e-14));
  }
  EXPECT_FALSE(
      fuse(Fusion::rbcm, e.means, e.variances, prior).latent_variance.isApprox(e.variances[0], 1e-3));
}

TEST(Fuse, AnExpertThatKnowsNothingChangesNothingInACommittee) {
  Experts e = random_experts(3, 4, 1, 9);
  Matrix prior = e.variances[0].cwiseMax(e.variances[1]).cwiseMax(e.variances[2]) * 2;
  for (Fusion rule : {Fusion::bcm, Fusion::rbcm}) {
    const Prediction before = fuse(rule, e.means, e.variances, prior);
    Experts more = e;
    more.means.push_back(Matrix::Zero(4, 1));
    more.variances.push_back(prior);
    const Prediction after = fuse(rule, more.means, more.variances, prior);
    EXPECT_EQ(after.mean, before.mean);
    EXPECT_EQ(after.latent_variance, before.latent_variance);
  }
}

TEST(Fuse, SumsOfSumsAreTheSum) {
  const Experts e = random_experts(6, 4, 2, 11);
  const Matrix prior = Matrix::Constant(4, 2, 1e6);
  for (Fusion rule : all_fusions) {
    Evidence all(4, 2), first(4, 2), second(4, 2);
    for (std::size_t i = 0; i < 6; ++i) {
      add_expert(all, rule, e.means[i], e.variances[i], prior);
      add_expert(i < 2 ? first : second, rule, e.means[i], e.variances[i], prior);
    }
    first += second;
    EXPECT_EQ(first.experts, 6);
    EXPECT_TRUE(fuse(rule, first, prior).mean.isApprox(fuse(rule, all, prior).mean, 1e-13));
    EXPECT_TRUE(
        fuse(rule, first, prior).latent_variance.isApprox(fuse(rule, all, prior).latent_variance, 1e-13));
  }
}

TEST(Fuse, RefusesAPriorOfAnotherShapeAndUnknownRules) {
  const Experts e = random_experts(2, 4, 2, 1);
  EXPECT_THROW(fuse(Fusion::bcm, e.means, e.variances, {}), InputError);
  EXPECT_THROW(fuse(Fusion::rbcm, e.means, e.variances, Matrix::Ones(3, 2)), InputError);
  EXPECT_THROW(parse_fusion("moe"), InputError);
  for (Fusion rule : all_fusions) EXPECT_EQ(parse_fusion(to_string(rule)), rule);
}

}  // namespace
}  // namespace tacit
