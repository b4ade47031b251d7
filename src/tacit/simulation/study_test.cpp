#include "tacit/simulation/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

Consortium small_consortium(std::size_t agents, Index rows, Index outputs) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(-2, 2);
  auto samples = [&](Index n) {
    Samples s{Matrix(n, 2), Matrix(n, outputs)};
    for (double& v : s.inputs.reshaped()) v = u(random);
    for (Index r = 0; r < n; ++r)
      for (Index k = 0; k < outputs; ++k)
        s.outputs(r, k) = std::sin(s.inputs(r, 0) + static_cast<double>(k)) + 0.1 * u(random);
    return s;
  };
  Consortium consortium;
  consortium.inputs = {"a", "b"};
  for (Index k = 0; k < outputs; ++k)
    consortium.targets.push_back(std::string("y").append(std::to_string(k)));
  for (std::size_t i = 0; i < agents; ++i) {
    consortium.names.push_back(std::to_string(i));
    consortium.agents.push_back(samples(rows));
  }
  consortium.test = samples(9);
  consortium.y_max = 2;
  return consortium;
}

TEST(Study, EveryAgentEndsNearPlainDistributedRegression) {
  const StudyReport report = run_study(small_consortium(6, 12, 2), {});
  ASSERT_EQ(report.predictions.size(), 6u);
  for (const Prediction& agent : report.predictions) {
    EXPECT_LT((agent.mean - report.reference.mean).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((agent.variance - report.reference.variance).cwiseAbs().maxCoeff(), 1e-5);
  }
  EXPECT_GT(report.disagreement_mean, 0);
  EXPECT_EQ(report.unconverged, 0u);
  ASSERT_TRUE(report.accuracy);
  EXPECT_LT(report.accuracy->private_model, report.accuracy->mean_local());
}

TEST(Study, TuningEachOutputRaisesTheLikelihood) {
  StudyOptions options;
  options.hyperparameters = {0.5, 0.5, 0.2};
  options.tune = TuneOptions{.iterations = 20, .step = 0.01};
  options.tune_start = {0.4, 0.9};
  const StudyReport report = run_study(small_consortium(5, 12, 2), options);
  ASSERT_TRUE(report.tuning);
  EXPECT_GT(report.tuning->likelihood_after, report.tuning->likelihood_before);
  EXPECT_NE(report.hyperparameters[0][0].lengthscale, report.hyperparameters[0][1].lengthscale);
  EXPECT_LT(report.tuning->spread, 0.5);
  EXPECT_LT(report.rmse_mean, 1e-5);
}

TEST(Study, AHelperMendsAGraphWithoutTriangles) {
  StudyOptions options;
  options.topology = "ring:2";
  EXPECT_THROW(run_study(small_consortium(6, 12, 1), options), InputError);
  options.helpers = 1;
  const StudyReport report = run_study(small_consortium(6, 12, 1), options);
  EXPECT_EQ(report.predictions.size(), 6u);
  EXPECT_LT(report.rmse_mean, 1e-5);
  EXPECT_EQ(report.privacy.collusion, 1u);
  EXPECT_EQ(report.mask_edges, 6u);
}

TEST(Study, NoPooledModelBeyondTheLimit) {
  StudyOptions options;
  options.most_pooled_rows = 59;
  EXPECT_FALSE(run_study(small_consortium(5, 12, 1), options).accuracy->pooled);
  options.most_pooled_rows = 60;
  EXPECT_TRUE(run_study(small_consortium(5, 12, 1), options).accuracy->pooled);
}

TEST(Study, PapersRmseAveragesOverAgentsAndSumsOverOutputs) {
  const Matrix reference{{1, 2}, {3, 4}};
  const std::vector<Prediction> agents = {{Matrix{{1, 2}, {3, 4}}, reference},
                                          {Matrix{{4, 6}, {3, 4}}, reference}};
  // Agent 0 is right; agent 1 is off by (3, 4) at one of two points: √(25/2).
  EXPECT_NEAR(paper_rmse(agents, &Prediction::mean, reference), std::sqrt(12.5) / 2, 1e-12);
  EXPECT_EQ(paper_rmse(agents, &Prediction::variance, reference), 0);
}

}  // namespace
}  // namespace tacit
