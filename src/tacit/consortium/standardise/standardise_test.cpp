#include "tacit/consortium/standardise/standardise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/consortium/predict/local.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

struct Hospitals {
  std::vector<Samples> agents;
  Samples pooled;
  ColumnFacts facts;

  // Columns with very different scales and positions; the last input is constant.
  explicit Hospitals(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const Vector scale{{1e-4, 1, 3e5, 0}}, shift{{0, 100, -2e5, 42}};
    Index all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      agents.push_back(testing::random_samples(3 + static_cast<Index>(random() % 9), 4, 2, random));
      Samples& s = agents.back();
      s.inputs = (s.inputs * scale.asDiagonal()).rowwise() + shift.transpose();
      s.outputs.col(1) = s.outputs.col(1) * 1000;
      all += s.inputs.rows();
      facts.rows = std::max(facts.rows, static_cast<std::size_t>(s.inputs.rows()));
    }
    facts.agents = count;
    pooled = {Matrix(all, 4), Matrix(all, 2)};
    all = 0;
    for (const Samples& s : agents) {
      pooled.inputs.middleRows(all, s.inputs.rows()) = s.inputs;
      pooled.outputs.middleRows(all, s.inputs.rows()) = s.outputs;
      all += s.inputs.rows();
    }
    for (Index c = 0; c < 4; ++c)
      facts.inputs.push_back({shift(c) - 2 * scale(c), shift(c) + 2.5 * scale(c)});
    facts.outputs = {{-1.5, 1.5}, {-1500, 1500}};
  }

  std::vector<Standardisation> run(const Graph& graph, const SecureSum& secure_sum) const {
    std::vector<std::shared_ptr<const Crew>> crews;
    for (const Samples& rows : agents) crews.push_back(crew_of(rows));
    return Simulator(graph).run<Standardisation>(
        [&](tacit::Run& net) { return standardise_privately(net, secure_sum, facts, *crews[net.self()]); });
  }
};

// Compares with the pooled rows, for an error of at most `error` in the sums, which are in halves of a range.
void expect_pooled(const Standardisation& got, const Hospitals& h, double error) {
  const double n = static_cast<double>(h.pooled.inputs.rows());
  EXPECT_EQ(got.rows, static_cast<std::size_t>(n));
  EXPECT_EQ(got.constant, 1u);
  auto compare = [&](const Matrix& columns, const Scaling& scaling, const std::vector<ColumnRange>& ranges) {
    for (Index c = 0; c < columns.cols(); ++c) {
      const double half = ranges[static_cast<std::size_t>(c)].half(), mean = columns.col(c).mean();
      const double deviation = std::sqrt((columns.col(c).array() - mean).square().mean());
      EXPECT_NEAR(scaling.shift(c), mean, half * error / n + 1e-14 * std::abs(mean)) << "column " << c;
      if (c == 3) {
        EXPECT_EQ(scaling.scale(c), 1);
      } else {  // d√(s/n) = ds / (2 √(s n)), and s is at least n/16 squared halves here
        EXPECT_NEAR(scaling.scale(c), deviation, half * 4 * error / n + 1e-14 * deviation) << "column " << c;
      }
    }
  };
  compare(h.pooled.inputs, got.inputs, h.facts.inputs);
  compare(h.pooled.outputs, got.outputs, h.facts.outputs);
}

TEST(Standardise, EqualsThePooledValuesWithinTheFixedPointError) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const Hospitals h(6, seed);
    const auto exact = h.run(complete_graph(6), testing::PlainSum());
    for (const Standardisation& one : exact) {
      expect_pooled(one, h, 6 * 0x1p-41);
      EXPECT_EQ(one.inputs.shift, exact[0].inputs.shift);
      EXPECT_EQ(one.outputs.scale, exact[0].outputs.scale);
    }
  }
}

TEST(Standardise, OverTheConsensusNearlySo) {
  const Hospitals h(7, 4);
  const Graph graph = ring_lattice(7, 4);
  for (const Standardisation& one : h.run(graph, ConsensusSum(graph, {}))) expect_pooled(one, h, 3 * 0x1p-40);
}

TEST(Standardise, RoundTripsAndKeepsItsBounds) {
  Hospitals h(5, 9);
  h.agents[2].outputs.col(0).setZero();  // Samuelson's inequality is sharp for an outlier
  for (std::size_t i : {0u, 1u, 3u, 4u}) h.agents[i].outputs.col(0).setZero();
  h.agents[2].outputs(0, 0) = 1.5;
  const Standardisation s = h.run(complete_graph(5), testing::PlainSum())[0];
  double most = 0;
  for (const Samples& agent : h.agents) {
    const Samples standard = s.standard(agent);
    most = std::max(most, standard.outputs.cwiseAbs().maxCoeff());
    const Prediction back = s.original({standard.outputs, Matrix::Ones(agent.outputs.rows(), 2)});
    EXPECT_LT((back.mean - agent.outputs).cwiseAbs().maxCoeff(), 1e-12 * 1500);
    EXPECT_NEAR(back.latent_variance(0, 1), s.outputs.scale(1) * s.outputs.scale(1), 1e-9);
    EXPECT_LT((s.inputs.original(standard.inputs) - agent.inputs).cwiseAbs().maxCoeff(), 1e-9);
  }
  EXPECT_LE(most, standard_output_max(h.facts, s.rows));
  EXPECT_GT(most, 0.99 * standard_output_max(h.facts, s.rows));
}

TEST(Standardise, RefusesAValueOutsideItsPublicRange) {
  Hospitals h(4, 5);
  h.agents[1].inputs(2, 1) = 103;
  try {
    h.run(complete_graph(4), testing::PlainSum());
    FAIL();
  } catch (const InputError& error) {
    for (const char* word : {"agent 1", "row 3", "input column 2", "[98, 102.5]"})
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tacit
