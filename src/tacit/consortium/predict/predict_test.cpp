#include "tacit/consortium/predict/predict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/bounds.hpp"

namespace tacit {
namespace {

std::vector<Prediction> random_experts(std::size_t agents, Index points, Index outputs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> mean(-5, 5), variance(0.2, 3);
  std::vector<Prediction> experts;
  for (std::size_t i = 0; i < agents; ++i) {
    experts.push_back({Matrix(points, outputs), Matrix(points, outputs)});
    for (double& v : experts.back().mean.reshaped()) v = mean(random);
    for (double& v : experts.back().latent_variance.reshaped()) v = variance(random);
  }
  return experts;
}

Prediction plain(const std::vector<Prediction>& experts) {
  std::vector<Matrix> means, variances;
  for (const Prediction& expert : experts) {
    means.push_back(expert.mean);
    variances.push_back(expert.latent_variance);
  }
  return fuse_poe(means, variances);
}

std::vector<Prediction> run(const Graph& graph, const ConsensusSum& sum,
                            const std::vector<Prediction>& experts) {
  std::vector<Evidence> evidence;
  for (const Prediction& expert : experts) evidence.push_back(poe_evidence(expert));
  const Matrix prior;
  const PredictionSum poe;
  Simulator simulator(graph);
  return simulator.run<Prediction>(
      [&](tacit::Run& net) { return predict_privately(net, sum, poe, evidence[net.self()], prior); });
}

// Theorem 4: after the transient, every agent is within β and γ of plain distributed GPR.
TEST(PredictPrivately, EveryAgentIsWithinBetaAndGamma) {
  for (const Graph& graph : {ring_lattice(8, 4), complete_graph(5)})
    for (double lz : {1e-1, 1e-3, 1e-6}) {
      const auto experts = random_experts(graph.agents(), 6, 3, graph.agents());
      const Prediction reference = plain(experts);
      PlanRequest request;
      request.dimension = prediction_dimension(6, 3);
      request.value_bound = 25.0 * static_cast<double>(graph.agents());
      request.lz = lz;
      request.iterations = 3 * make_plan(graph, request).iterations;
      const auto results = run(graph, ConsensusSum(make_plan(graph, request)), experts);
      for (const Prediction& agent : results)
        for (Index k = 0; k < reference.mean.size(); ++k) {
          const double v = reference.latent_variance.data()[k], f = reference.mean.data()[k];
          EXPECT_LE(std::abs(agent.latent_variance.data()[k] - v), gamma_bound(lz, v) * (1 + 1e-9) + 1e-13);
          EXPECT_LE(std::abs(agent.mean.data()[k] - f),
                    beta_bound(lz, v, std::abs(f / v)) * (1 + 1e-9) + 1e-13);
        }
    }
}

TEST(PredictPrivately, TooFewIterationsAreVisible) {
  const Graph graph = ring_lattice(12, 4);
  auto experts = random_experts(12, 1, 1, 1);
  experts[0].latent_variance(0, 0) = 1e-6;  // one agent is certain where the others are far away
  PlanRequest request;
  request.dimension = 2;
  request.value_bound = 1e9;
  request.lz = 1e-4;
  request.iterations = 1;
  const Prediction reference = plain(experts);
  double worst = 0;
  for (const Prediction& agent : run(graph, ConsensusSum(make_plan(graph, request)), experts))
    worst = std::max(worst, std::abs(agent.latent_variance(0, 0) - reference.latent_variance(0, 0)));
  EXPECT_GT(worst, 0.01);
}

TEST(Contribution, IsThePapersInitialValueWithoutM) {
  const Prediction one{Matrix{{6.0, -1.0}}, Matrix{{2.0, 0.5}}};
  const Values values = contribution(poe_evidence(one), {});
  EXPECT_EQ(values, (Values{3.0, -2.0, 0.5, 2.0}));
  const Prediction back = fuse(Fusion::poe, from_sums(values, 1, 2, {}), {});
  EXPECT_EQ(back.mean, one.mean);
  EXPECT_EQ(back.latent_variance, one.latent_variance);
}

TEST(Contribution, PrecisionThatIsNotPositiveIsCounted) {
  EXPECT_EQ(unconverged(fuse(Fusion::poe, from_sums({1, 1, 1, 2}, 2, 1, {}), {})), 0u);
  EXPECT_EQ(unconverged(fuse(Fusion::poe, from_sums({1, 1, 0, -2}, 2, 1, {}), {})), 2u);
}

// Every rule by exact sums equals the rule without secrecy, up to the unit of the sum.
TEST(PredictPrivately, EveryFusionRuleIsTheRuleInTheOpen) {
  const Graph graph = ring_lattice(7, 4);
  const auto experts = random_experts(7, 6, 2, 3);
  const Matrix prior = Matrix::Constant(6, 2, 3.5);
  std::vector<Matrix> means, variances;
  for (const Prediction& expert : experts) {
    means.push_back(expert.mean);
    variances.push_back(expert.latent_variance);
  }
  const ExactSecureSum exact({.agents = 7});
  for (Fusion rule : all_fusions) {
    const PredictionSum sum{rule, {1000, 0x1p-40}, 0.25};
    std::vector<Evidence> evidence;
    for (const Prediction& expert : experts) {
      evidence.emplace_back(6, 2);
      add_expert(evidence.back(), rule, expert.mean, expert.latent_variance, prior);
    }
    EXPECT_EQ(contribution(evidence[0], sum).size(), prediction_dimension(6, 2, rule));
    Simulator simulator(graph);
    const auto results = simulator.run<Prediction>(
        [&](tacit::Run& net) { return predict_privately(net, exact, sum, evidence[net.self()], prior); });
    const Prediction expected = fuse(rule, means, variances, prior);
    for (const Prediction& agent : results) {
      EXPECT_LT((agent.mean - expected.mean).cwiseAbs().maxCoeff(), 1e-9) << to_string(rule);
      EXPECT_LT((agent.latent_variance - expected.latent_variance).cwiseAbs().maxCoeff(), 1e-9)
          << to_string(rule);
    }
  }
}

}  // namespace
}  // namespace tacit
