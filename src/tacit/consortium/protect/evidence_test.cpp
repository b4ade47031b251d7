#include "tacit/consortium/protect/evidence.hpp"

#include <gtest/gtest.h>

#include "tacit/consortium/protect/protect_testing.hpp"
#include "tacit/consortium/protect/tuning.hpp"
#include "tacit/gp/expert/likelihood.hpp"

namespace tacit {
namespace {

TEST(OwnEvidence, IsThatOfKnownAnswers) {
  const auto answer = testing::protect_answer("evidence");
  const OwnEvidence evidence({2, false, 1}, answer.matrix("inputs", 7, 2).transpose(),
                             answer.matrix("targets", 7, 1), {answer.matrix("part", 7, 7)});
  const auto found = evidence.at(answer.numbers.at("at"));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, answer.numbers.at("value")[0], 1e-9);
  for (std::size_t k = 0; k < found->slopes.size(); ++k)
    EXPECT_NEAR(found->slopes[k], answer.numbers.at("slopes")[k], 1e-6) << k;
  const auto posterior = evidence.posterior(answer.numbers.at("at"));
  for (Index k = 0; k < 7; ++k)
    EXPECT_NEAR(posterior->left_out(k), answer.numbers.at("left_out")[static_cast<std::size_t>(k)], 1e-9);
}

TEST(OwnEvidence, IsTheSameWithManyRowsAsOfTheLibrary) {
  const Samples rows = testing::smooth_rows(OwnEvidence::plain_rows + 10, 3);
  const Vector targets = (rows.outputs.col(0).array() - 10) / 5;
  const OwnEvidence evidence({3, false, 0}, rows.inputs.transpose(), targets, {});
  const Prior prior(se({1.2, 2.0, 3.0}, 0.9), 0.3);
  const auto found = evidence.at(prior.logarithms());
  const Likelihood reference = log_marginal_likelihood(rows.inputs, targets, prior);
  const double constant = 0.5 * static_cast<double>(targets.size()) * std::log(2 * 3.141592653589793);
  EXPECT_NEAR(found->value - constant, reference.value, 1e-4);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(found->slopes[k], reference.slopes[k], 1e-3);
}

TEST(OwnEvidence, HasNoValueForACovarianceThatIsNotPositive) {
  const OwnEvidence evidence({0, false, 1}, Matrix(), Vector::Ones(2), {-4 * Matrix::Identity(2, 2)});
  EXPECT_FALSE(evidence.at({0, 0}));
  OwnEvidenceSearch search{{0, 0}, {-1, -1}, {1, 1}, {0, 0}, {0, 0}, 5};
  EXPECT_EQ(most_likely(evidence, search), search.start);
}

TEST(Tuning, DealsKeysToChunksByPublicNumbers) {
  const ChunkPlan few = plan_chunks(350, 10);
  EXPECT_EQ(few.kept, 1u);
  EXPECT_EQ(few.dealt, 1u);
  const ChunkPlan many = plan_chunks(10'000, 20);
  EXPECT_EQ(many.kept, 3u);
  EXPECT_EQ(many.dealt, 5u);
  EXPECT_EQ(many.chunk(0.99), 4u);
}

TEST(Tuning, FindsLengthScales) {
  testing::RecordingRun run({.agents = 3});
  const Samples rows = testing::smooth_rows(240, 3);
  const OwnRows mine = testing::own_rows(rows);
  const Scales scales =
      testing::finished(open_scales(run, {{-3, 3}, {-3, 3}, {-3, 3}, {-5, 25}}, mine, 720, 1));
  const TuningPlan plan = plan_tuning(run, 3, 720, 1);
  EXPECT_TRUE(plan.useful);
  EXPECT_EQ(plan.chunks.kept, 4u);
  // Two other agents with the same rows: a third of the terms count three times.
  const Prior found = testing::finished(tune_protected(run, scales, mine, plan, 1));
  EXPECT_EQ(run.openings.size(), 1 + tuning_steps);
  const auto& lengths = found.kernel.leaves()[0].lengthscale;
  EXPECT_LT(lengths[0], lengths[1]);
  EXPECT_LT(found.noise, 0.25 + 0.1);
  for (const auto& opening : run.openings)
    if (opening.name.starts_with("tuning"))
      for (const Values& term : opening.terms) {
        double square = 0;
        for (const double number : term) square += number * number;
        EXPECT_LE(square, 1);
      }
}

}  // namespace
}  // namespace tacit
