#include "tacit/lab/study/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/gp/committee/fusion.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/study/data_terms.hpp"
#include "tacit/lab/study/parties/row_groups.hpp"

namespace tacit {
namespace {

Parties small_consortium(std::size_t agents, Index rows, Index outputs) {
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
  Parties parties;
  parties.columns.inputs = {"a", "b"};
  for (Index k = 0; k < outputs; ++k)
    parties.columns.targets.push_back(std::string("y").append(std::to_string(k)));
  for (std::size_t i = 0; i < agents; ++i) {
    parties.names.push_back(std::to_string(i));
    parties.agents.push_back(samples(rows));
  }
  parties.test = {samples(9)};
  parties.measure_targets();
  return parties;
}

StudyOptions by_consensus() {
  StudyOptions options;
  options.protocol.sums = SumProtocol::consensus;
  return options;
}

TEST(Study, ColumnsOfTargetsHaveTheRangeOfAllRowsOrTheAgreedBound) {
  Parties parties = small_consortium(2, 3, 1);
  parties.agents[0].outputs << -7, 1, 2;
  parties.agents[1].outputs << 3, 4, 5;
  parties.measure_targets();
  EXPECT_EQ(parties.target_range.most(), 7);
  EXPECT_EQ(named_target_columns(parties), (std::vector<Column>{{"y0", -7, 5, {}}}));
  parties.target_range.agreed = 9;
  EXPECT_EQ(parties.target_range.most(), 9);
  EXPECT_EQ(named_target_columns(parties), (std::vector<Column>{{"y0", -9, 9, {}}}));
}

TEST(Study, EveryAgentEndsNearPlainDistributedRegression) {
  const StudyReport report = run_study(small_consortium(6, 12, 2), by_consensus());
  ASSERT_EQ(report.predictions.together.size(), 6u);
  for (const Prediction& agent : report.predictions.together) {
    EXPECT_LT((agent.mean - report.predictions.reference.mean).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((agent.latent_variance - report.predictions.reference.latent_variance).cwiseAbs().maxCoeff(),
              1e-5);
  }
  EXPECT_GT(report.predictions.disagreement.mean, 0);
  EXPECT_EQ(report.predictions.unconverged, 0u);
  ASSERT_TRUE(report.accuracy);
  EXPECT_LT(report.accuracy->private_model.rmse, report.accuracy->mean_local().rmse);
}

TEST(Study, TuningEachOutputRaisesTheLikelihood) {
  StudyOptions options = by_consensus();
  options.model.start = {se(0.5, 0.5), 0.2};
  options.paper_tuning = {.steps = {.iterations = 20, .step = 0.01}, .start = {{0.4, 0.9}}};
  const StudyReport report = run_study(small_consortium(5, 12, 2), options);
  ASSERT_TRUE(report.tuning.paper);
  EXPECT_GT(report.tuning.paper->likelihood_after, report.tuning.paper->likelihood_before);
  EXPECT_NE(report.model.priors[0][0], report.model.priors[0][1]);
  EXPECT_LT(report.tuning.paper->spread, 0.5);
  EXPECT_LT(report.predictions.rmse.mean, 1e-5);
}

TEST(Study, AHelperMendsAGraphWithoutTriangles) {
  StudyOptions options = by_consensus();
  options.topology = parse_topology("ring:2");
  EXPECT_THROW(run_study(small_consortium(6, 12, 1), options), InputError);
  options.helpers = 1;
  const StudyReport report = run_study(small_consortium(6, 12, 1), options);
  EXPECT_EQ(report.predictions.together.size(), 6u);
  EXPECT_LT(report.predictions.rmse.mean, 1e-5);
  EXPECT_EQ(report.privacy.collusion, 1u);
  EXPECT_EQ(report.network.mask_edges, 6u);
}

// Columns in units that are far from standardised ones.
Parties in_odd_units(Parties parties) {
  auto change = [](Samples& samples) {
    samples.inputs.col(0) = 1000 * samples.inputs.col(0).array() + 5e4;
    samples.outputs = 70 * samples.outputs.array() - 200;
  };
  for (Samples& agent : parties.agents) change(agent);
  change(parties.test);
  parties.measure_targets();
  return parties;
}

// Means and deviations of all agents' rows, computed without privacy.
Scaling pooled_scaling(const std::vector<Samples>& agents, Matrix Samples::*part) {
  const Index columns = (agents[0].*part).cols();
  Scaling scaling{Vector::Zero(columns), Vector::Zero(columns)};
  double n = 0;
  for (const Samples& agent : agents) {
    scaling.shift += (agent.*part).colwise().sum().transpose();
    n += static_cast<double>((agent.*part).rows());
  }
  scaling.shift /= n;
  for (const Samples& agent : agents)
    scaling.scale +=
        ((agent.*part).rowwise() - scaling.shift.transpose()).cwiseAbs2().colwise().sum().transpose();
  scaling.scale = (scaling.scale / n).cwiseSqrt();
  return scaling;
}

// The expected result of a study, computed without protocols: experts in standardised units, fused, in the
// data's units.
struct Plain {
  Scaling inputs, outputs;
  std::vector<Samples> agents;  // standardised

  explicit Plain(const std::vector<Samples>& original)
      : inputs(pooled_scaling(original, &Samples::inputs)),
        outputs(pooled_scaling(original, &Samples::outputs)) {
    for (const Samples& agent : original)
      agents.push_back({inputs.standard(agent.inputs), outputs.standard(agent.outputs)});
  }

  Prediction original(const Prediction& standard) const {
    return {outputs.original(standard.mean),
            standard.latent_variance.array().rowwise() * outputs.scale.transpose().array().square()};
  }
  Prediction alone(std::size_t agent, const Matrix& points, const Priors& h) const {
    return original(predict_alone(agents[agent], inputs.standard(points), h));
  }
  Prediction fused(const Matrix& points, const Priors& h) const {
    std::vector<Matrix> means, variances;
    for (const Samples& agent : agents) {
      const Prediction one = predict_alone(agent, inputs.standard(points), h);
      means.push_back(one.mean);
      variances.push_back(one.latent_variance);
    }
    return original(fuse_poe(means, variances));
  }
};

TEST(Study, StandardisesInPrivateAndPredictsInTheDatasUnits) {
  const Parties parties = in_odd_units(small_consortium(6, 12, 2));
  StudyOptions options = by_consensus();
  options.model.standardise = true;
  options.model.start = {se(), 0.3};
  const StudyReport report = run_study(parties, options);
  const Plain plain(parties.agents);
  const Prediction expected = plain.fused(parties.test.inputs, Priors(2, options.model.start));
  for (const Prediction& agent : report.predictions.together) {
    EXPECT_LT((agent.mean - expected.mean).cwiseAbs().maxCoeff(), 70 * 1e-4);
    EXPECT_LT((agent.latent_variance - expected.latent_variance).cwiseAbs().maxCoeff(), 70 * 70 * 1e-4);
  }
  EXPECT_LT((report.predictions.reference.mean - expected.mean).cwiseAbs().maxCoeff(), 1e-6);
  ASSERT_TRUE(report.standardising);
  EXPECT_EQ(report.standardising->found.rows, 72u);
  EXPECT_LT(report.standardising->spread, 1e-10);
  EXPECT_NEAR(report.standardising->found.inputs.scale(0), plain.inputs.scale(0), 1e-6);
  EXPECT_NEAR(report.model.noise_variance(1), std::pow(0.3 * plain.outputs.scale(1), 2), 1e-6);
  EXPECT_LT(report.accuracy->private_model.rmse, report.accuracy->mean_local().rmse);
  EXPECT_LT(report.accuracy->pooled->rmse, 70 * 0.3);
}

TEST(Study, HeldOutRowsScoreAsInTheOpen) {
  const Parties parties = in_odd_units(small_consortium(6, 12, 2));
  StudyOptions options = by_consensus();
  options.model.standardise = true;
  options.model.start = {se(), 0.3};
  const Priors h(2, options.model.start);

  std::vector<Samples> train, held;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto [kept, out] = hold_out(12, 0.25, options.seed + i);
    const Samples& all = parties.agents[i];
    train.push_back({all.inputs(kept, Eigen::all), all.outputs(kept, Eigen::all)});
    held.push_back({all.inputs(out, Eigen::all), all.outputs(out, Eigen::all)});
  }
  const Plain plain(train);
  for (bool fused : {false, true}) {
    double squares = 0, density = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const Prediction p = fused ? plain.fused(held[i].inputs, h) : plain.alone(i, held[i].inputs, h);
      for (Index r = 0; r < 3; ++r)
        for (Index k = 0; k < 2; ++k) {
          const double error = held[i].outputs(r, k) - p.mean(r, k);
          const double v = p.latent_variance(r, k) + std::pow(0.3 * plain.outputs.scale(k), 2);
          squares += error * error / 36;
          density -= (error * error / v + std::log(2 * std::numbers::pi * v)) / 2 / 36;
        }
    }
    options.holdout = HoldOut{.fraction = 0.25, .fused = fused};
    const StudyReport report = run_study(parties, options);
    ASSERT_TRUE(report.holdout);
    EXPECT_EQ(report.holdout->rows, 18u);
    EXPECT_NEAR(report.holdout->rmse, std::sqrt(squares), fused ? 1e-2 : 1e-6);
    EXPECT_NEAR(report.holdout->log_density, density, fused ? 1e-4 : 1e-7);
  }
  options.holdout->fraction = 1.2;
  EXPECT_THROW(run_study(parties, options), InputError);
}

TEST(Study, TuningOverSumsEndsAtTheTopAndPlansForIt) {
  StudyOptions options = by_consensus();
  options.model.start = {se(0.5, 0.5), 0.2};
  options.tuning.search = ExactTuneOptions{};
  const Parties parties = small_consortium(5, 12, 2);
  const StudyReport report = run_study(parties, options);
  ASSERT_TRUE(report.tuning.exact);
  EXPECT_GT(report.tuning.exact->best.likelihood, report.tuning.exact->trials[0].likelihood);
  for (std::size_t k = 0; k < 2; ++k) {
    const Prior& prior = report.model.priors[0][k];
    EXPECT_EQ(report.model.priors[4][k], prior);
    double slope[3] = {};
    for (const Samples& agent : parties.agents) {
      const Likelihood one =
          log_marginal_likelihood(agent.inputs, agent.outputs.col(static_cast<Index>(k)), prior);
      for (std::size_t j = 0; j < 3; ++j) slope[j] += one.slopes[j];
    }
    for (double part : slope) EXPECT_LT(std::abs(part), 0.05);
  }
  const auto [low, high] = std::minmax({hyperparameters_of(report.model.priors[0][0]).signal,
                                        hyperparameters_of(report.model.priors[0][1]).signal});
  EXPECT_DOUBLE_EQ(report.plan.bounds.variance_high, high * high / 5);
  EXPECT_LT(report.predictions.rmse.mean, 1e-5);
  EXPECT_LT(low, high);

  options.helpers = 1;
  EXPECT_THROW(run_study(parties, options), InputError);
}

// All rules, a composed kernel, several experts per agent, both protocols: agents get the rule's prediction.
TEST(Study, EveryRuleAndManyExpertsThroughEitherProtocol) {
  const Parties parties = small_consortium(5, 23, 2);
  for (SumProtocol protocol : {SumProtocol::exact, SumProtocol::consensus})
    for (Fusion rule : all_fusions) {
      SCOPED_TRACE(to_string(rule));
      StudyOptions options = by_consensus();
      options.protocol.sums = protocol;
      options.model.fusion = rule;
      options.model.committee = {.expert_rows = 6, .split = RowSplit::clusters, .seed = 3};
      options.model.start = {matern32(ard) + linear(0.2) + constant(0.3), 0.2};
      const StudyReport report = run_study(parties, options);
      EXPECT_EQ(report.model.experts, 5u * 4u);
      std::vector<Matrix> means, variances;
      const Prior prior = checked_prior(options.model.start, 2);
      const Matrix before = prior.kernel.prior_variance(parties.test.inputs);
      for (const Samples& agent : parties.agents)
        for (const auto& part : split_rows(agent.inputs, options.model.committee)) {
          const Expert expert =
              Expert::of(agent.inputs(part, Eigen::all), agent.outputs(part, Eigen::all), prior);
          const Prediction p = expert.predict(parties.test.inputs);
          means.push_back(p.mean);
          variances.push_back(p.latent_variance);
        }
      const Prediction expected = fuse(rule, means, variances, before);
      for (const Prediction& agent : report.predictions.together) {
        EXPECT_LT((agent.mean - expected.mean).cwiseAbs().maxCoeff(), 1e-4);
        EXPECT_LT((agent.latent_variance - expected.latent_variance).cwiseAbs().maxCoeff(), 1e-4);
      }
      EXPECT_EQ(report.accuracy->rules.size(), 4u);
      for (const auto& [other, quality] : report.accuracy->rules)
        if (other == rule) {
          EXPECT_NEAR(quality.rmse, report.accuracy->private_model.rmse, 1e-4);
        }
    }
}

TEST(Study, QualityCountsWhatTheIntervalCoversAndHowLikelyTheTruthIs) {
  Parties parties = small_consortium(5, 30, 1);
  StudyOptions options = by_consensus();
  options.protocol.sums = SumProtocol::exact;
  options.model.start = {se(), 0.1};
  const StudyReport report = run_study(parties, options);
  double inside = 0, density = 0;
  const Matrix& truth = parties.test.outputs;
  for (Index r = 0; r < truth.rows(); ++r) {
    const double error = truth(r, 0) - report.predictions.reference.mean(r, 0);
    const double variance = report.predictions.reference.latent_variance(r, 0) + 0.01;
    inside += std::abs(error) <= 1.959964 * std::sqrt(variance);
    density += -error * error / variance / 2 - std::log(2 * std::numbers::pi * variance) / 2;
  }
  const auto n = static_cast<double>(truth.rows());
  EXPECT_NEAR(report.accuracy->private_model.coverage, inside / n, 1e-12);
  EXPECT_NEAR(report.accuracy->private_model.log_density, density / n, 1e-6);
}

TEST(Study, OutputsThatShareAPriorAreTunedAsOne) {
  StudyOptions options = by_consensus();
  options.protocol.sums = SumProtocol::exact;
  options.model.start = {se(ard), 0.2};
  options.tuning.search = ExactTuneOptions{};
  options.tuning.search->shared = true;
  const StudyReport report = run_study(small_consortium(5, 15, 3), options);
  EXPECT_EQ(report.model.priors[0][0], report.model.priors[0][2]);
  EXPECT_GT(report.tuning.exact->best.likelihood, report.tuning.exact->trials[0].likelihood);
  options.tuning.search->shared = false;
  const StudyReport apart = run_study(small_consortium(5, 15, 3), options);
  EXPECT_GE(apart.tuning.exact->best.likelihood, report.tuning.exact->best.likelihood - 1e-6);
  EXPECT_FALSE(apart.model.priors[0][0] == apart.model.priors[0][2]);
}

// If the variance of a kernel can vanish, precisions have no bound. Such a kernel is refused before any
// message.
TEST(Study, RefusesAKernelThatCanVanish) {
  StudyOptions options = by_consensus();
  options.model.start = {linear(), 0.2};
  EXPECT_THROW(run_study(small_consortium(5, 8, 1), options), InputError);
}

TEST(Study, NoPooledModelBeyondTheLimit) {
  StudyOptions options = by_consensus();
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
  EXPECT_EQ(paper_rmse(agents, &Prediction::latent_variance, reference), 0);
}

}  // namespace
}  // namespace tacit
