// Checks against the results of an independent tool, scikit-learn (known_answers.py).
#include <gtest/gtest.h>

#include <cmath>

#include "tacit/gp/answers_testing.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/expert/likelihood.hpp"

namespace tacit {
namespace {

constexpr double relative_tolerance = 1e-8;

using testing::Case;

std::vector<Case> known_answers() { return testing::read_answers("fit/known_answers.csv"); }

void expect_close(const Matrix& actual, const Matrix& expected) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  for (Index j = 0; j < expected.cols(); ++j)
    for (Index i = 0; i < expected.rows(); ++i)
      EXPECT_NEAR(actual(i, j), expected(i, j), relative_tolerance * std::abs(expected(i, j)))
          << i << ' ' << j;
}

TEST(KnownAnswers, AreAllThere) { EXPECT_EQ(known_answers().size(), 30u); }

TEST(KnownAnswers, OfThePosterior) {
  for (const Case& c : known_answers()) {
    SCOPED_TRACE(c.name);
    std::size_t clamped = 0;
    const Prediction p =
        Expert::of(c.inputs(), c.outputs(), c.prior()).predict(c.points(), {.clamped = &clamped});
    expect_close(p.mean, c.matrix("mean", c.size(3), c.size(2)));
    expect_close(p.latent_variance, c.matrix("latent", c.size(3), 1).replicate(1, c.size(2)));
    EXPECT_EQ(clamped, 0u);
  }
}

TEST(KnownAnswers, OfTheLikelihood) {
  for (const Case& c : known_answers()) {
    SCOPED_TRACE(c.name);
    const Matrix expected = c.matrix("likelihood", c.size(2), 1);
    const Expert expert = Expert::of(c.inputs(), c.outputs(), c.prior());
    EXPECT_EQ(expert.jitter(), 0);
    expect_close(expert.log_marginal_likelihood(), expected);
    for (Index o = 0; o < c.size(2); ++o) {
      const Vector y = c.outputs().col(o);
      const double value = log_marginal_likelihood(c.inputs(), y, c.prior()).value;
      EXPECT_NEAR(value, expected(o), relative_tolerance * std::abs(expected(o)));
    }
  }
}

TEST(KnownAnswers, OfTheGradient) {
  for (const Case& c : known_answers()) {
    SCOPED_TRACE(c.name);
    const Likelihood l = log_marginal_likelihood(c.inputs(), c.outputs(), c.prior());
    Matrix expected = c.matrix("gradient", static_cast<Index>(l.slopes.size()), 1);
    if (c.kernel.empty())  // with respect to the parameters, not their logarithms
      for (Index k = 0; k < 3; ++k) expected(k) *= c.numbers.at("parameters")[static_cast<std::size_t>(k)];
    expect_close(Eigen::Map<const Vector>(l.slopes.data(), expected.rows()), expected);
  }
}

}  // namespace
}  // namespace tacit
