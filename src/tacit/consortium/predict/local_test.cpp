#include "tacit/consortium/predict/local.hpp"

#include <gtest/gtest.h>

#include "tacit/gp/expert/expert.hpp"

namespace tacit {
namespace {

// Outputs that share an expert must give the same results as outputs with separate experts, wherever the runs
// of equal priors begin.
TEST(Local, OutputsThatShareAnExpertAreAsIfAlone) {
  Samples data{Matrix::Random(12, 3), Matrix::Random(12, 4)};
  const Matrix points = Matrix::Random(5, 3);
  const Hyperparameters a{0.7, 1.2, 0.3}, b{1.5, 0.8, 0.3};
  const OutputHyperparameters each{a, b, b, a};
  const Prediction together = predict_alone(data, points, priors_of(each));
  double likelihood = 0;
  for (Index k = 0; k < 4; ++k) {
    const Expert expert = Expert::of(data.inputs, data.outputs.col(k), each[static_cast<std::size_t>(k)]);
    const Prediction alone = expert.predict(points);
    EXPECT_LT((together.mean.col(k) - alone.mean).norm(), 1e-12) << k;
    EXPECT_LT((together.latent_variance.col(k) - alone.latent_variance).norm(), 1e-12) << k;
    likelihood += expert.log_marginal_likelihood()[0];
  }
  EXPECT_NEAR(LocalExperts(data).likelihood(priors_of(each)).value, likelihood, 1e-10);
}

TEST(Local, ASharedPriorHasTheSumOfTheOutputsSlopes) {
  Samples data{Matrix::Random(12, 3), Matrix::Random(12, 2)};
  const Prior prior{se(ard) + linear(), 0.3};
  const LocalExperts experts(data, {.expert_rows = 5});
  const Likelihood apart = experts.likelihood({prior, prior}),
                   shared = experts.likelihood({prior, prior}, true);
  EXPECT_EQ(experts.experts(), 3u);
  EXPECT_NEAR(apart.value, shared.value, 1e-10);
  ASSERT_EQ(shared.slopes.size(), 6u);
  ASSERT_EQ(apart.slopes.size(), 12u);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(shared.slopes[k], apart.slopes[k] + apart.slopes[6 + k], 1e-10);
}

// Kept factors are used again instead of the rows: after the rows have changed, only experts that were not
// kept give another answer.
TEST(Local, KeptExpertsAreNotFittedAgain) {
  Samples data{Matrix::Random(12, 3), Matrix::Random(12, 2)};
  const Matrix points = Matrix::Random(5, 3);
  const Priors priors{{se(0.7), 0.3}, {se(1.5), 0.3}};
  const Fusion rule = Fusion::rbcm;
  LocalExperts kept(data, {.expert_rows = 5}), fresh(data, {.expert_rows = 5}), too_large = fresh;
  kept.keep(priors, 1 << 20);
  too_large.keep(priors, 100);  // bytes
  const auto mean = [&](const LocalExperts& experts, const Priors& asked) {
    return experts.evidence(points, asked, std::span(&rule, 1)).by_rule[0].weighted_mean;
  };
  const Matrix before = mean(fresh, priors);
  EXPECT_EQ(mean(kept, priors), before);
  const Priors others{priors[1], priors[0]};
  const Matrix others_before = mean(kept, others);
  data.outputs *= 2;
  EXPECT_EQ(mean(kept, priors), before);
  EXPECT_NE(mean(fresh, priors), before);
  EXPECT_NE(mean(too_large, priors), before);
  EXPECT_NE(mean(kept, others), others_before);  // kept only for these priors
}

TEST(Local, MeansOfEqualsAreExact) {
  const OutputHyperparameters one{{0.1, 0.2, 0.3}};
  const auto mean = mean_hyperparameters({one, one, one});
  EXPECT_EQ(mean[0].lengthscale, 0.1);
  EXPECT_EQ(mean_hyperparameters({{{1, 2, 3}}, {{3, 4, 5}}})[0].signal, 3);
}

}  // namespace
}  // namespace tacit
