#include "tacit/consortium/score/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

struct HeldOut {
  std::vector<Prediction> observed;
  std::vector<Matrix> truth;
  ScoreFacts facts{.outputs = 2, .rows = 8, .error = 10, .signal = 2, .noise = 0.5};

  HeldOut() {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> mean(-5, 5), variance(0.25, 4.25);
    for (Index rows : {8, 0, 3, 5, 1, 2}) {  // one agent has held out no rows
      observed.push_back({Matrix(rows, 2), {}, Matrix(rows, 2)});
      truth.emplace_back(rows, 2);
      for (double& v : observed.back().mean.reshaped()) v = mean(random);
      for (double& v : observed.back().observed_variance.reshaped()) v = variance(random);
      for (double& v : truth.back().reshaped()) v = mean(random);
    }
  }

  std::vector<Score> run(const Graph& graph, const SecureSum& secure_sum) const {
    return Simulator(graph).run<Score>([&](tacit::Run& net) {
      return score_privately(net, secure_sum, facts, observed[net.self()], truth[net.self()]);
    });
  }
};

TEST(Score, EqualsThePlainComputation) {
  const HeldOut h;
  double squares[2] = {}, density[2] = {};
  for (std::size_t i = 0; i < h.truth.size(); ++i)
    for (Index r = 0; r < h.truth[i].rows(); ++r)
      for (Index k = 0; k < 2; ++k) {
        const double error = h.truth[i](r, k) - h.observed[i].mean(r, k),
                     v = h.observed[i].observed_variance(r, k);
        squares[k] += error * error / 19;
        density[k] += std::log(std::exp(-error * error / (2 * v)) / std::sqrt(2 * std::numbers::pi * v)) / 19;
      }
  const Graph ring = ring_lattice(6, 4), complete = complete_graph(6);
  const ConsensusSum consensus(ring, {});
  for (const auto& scores : {h.run(complete, testing::PlainSum()), h.run(ring, consensus)})
    for (const Score& score : scores) {
      EXPECT_EQ(score.rows, 19u);
      for (Index k = 0; k < 2; ++k) {
        EXPECT_NEAR(score.mean_square(k), squares[k], 1e-9);
        EXPECT_NEAR(score.log_density(k), density[k], 1e-9);
      }
    }
}

TEST(Score, TheWorstErrorThatFactsAllowFitsTheRange) {
  HeldOut h;
  for (std::size_t i = 0; i < h.truth.size(); ++i) {
    h.observed[i].mean.setConstant(5);
    h.truth[i].setConstant(-5);
    h.observed[i].observed_variance.setConstant(0.25);
  }
  EXPECT_NEAR(h.run(complete_graph(6), testing::PlainSum())[0].mean_square(0), 100, 1e-6);
  h.truth[0](0, 0) = -20;
  for (double& v : h.truth[0].reshaped()) v -= 1;
  EXPECT_THROW(h.run(complete_graph(6), testing::PlainSum()), InputError);
}

TEST(Score, WithoutHeldOutRows) {
  HeldOut h;
  for (std::size_t i = 0; i < h.truth.size(); ++i) {
    h.observed[i] = {Matrix(0, 2), Matrix(0, 2)};
    h.truth[i] = Matrix(0, 2);
  }
  EXPECT_THROW(h.run(complete_graph(6), testing::PlainSum()), Error);
}

}  // namespace
}  // namespace tacit
