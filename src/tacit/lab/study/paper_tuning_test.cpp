#include "tacit/lab/study/paper_tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/protocol_testing.hpp"

namespace tacit {
namespace {

std::vector<Samples> random_data(std::size_t agents, Index outputs, std::mt19937_64& random) {
  std::uniform_real_distribution<double> u(-2, 2);
  std::vector<Samples> all;
  for (std::size_t i = 0; i < agents; ++i) {
    const Index n = 5 + static_cast<Index>(random() % 6);
    all.push_back({Matrix(n, 2), Matrix(n, outputs)});
    for (double& v : all.back().inputs.reshaped()) v = u(random);
    for (double& v : all.back().outputs.reshaped()) v = u(random);
  }
  return all;
}

struct Setting {
  Graph graph = ring_lattice(6, 4);
  std::vector<Samples> data;
  std::vector<std::vector<Hyperparameters>> start;
  TuneOptions options;
  ConsensusPlan plan;

  Setting(std::uint64_t seed, Index outputs, TuneOptions how) : options(how) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> u(0.5, 3);
    data = random_data(graph.agents(), outputs, random);
    for (std::size_t i = 0; i < graph.agents(); ++i) {
      start.emplace_back();
      for (Index k = 0; k < outputs; ++k) start.back().push_back({u(random), u(random), 0.3});
    }
    PlanRequest request;
    request.lz = 0x1p-20;
    plan = make_tuning_plan(graph, options, static_cast<std::size_t>(outputs), request);
  }

  std::vector<TuneTrace> run(unsigned threads = 2) const {
    Simulator simulator(graph,
                        {.threads = threads, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
    return simulator.run<TuneTrace>([&](tacit::Run& net) {
      return tune_privately(net, plan, options, data[net.self()], start[net.self()]);
    });
  }
};

// Proposition 1: the result equals (propHyperToShow), computed without masks, messages or agents, to the bit.
TEST(Tune, ProceedsAsPropHyperToShowToTheBit) {
  for (GradientOf gradient : {GradientOf::likelihood, GradientOf::likelihood_per_row})
    for (Index outputs : {1, 3}) {
      TuneOptions how;
      how.iterations = 8;
      how.step = 0.2;
      how.gradient = gradient;
      how.box_low = 0.2;
      how.box_high = 4;  // narrow enough that the projection is used
      const Setting s(7, outputs, how);
      const auto traces = s.run();

      const MetropolisWeights weights(s.graph);
      auto theta = s.start;
      bool projected = false;
      for (std::size_t t = 0; t < how.iterations; ++t) {
        double step = how.step;
        for (std::size_t k = 0; k < t; ++k) step *= how.decay;
        auto next = theta;
        for (std::size_t k = 0; k < static_cast<std::size_t>(outputs); ++k)
          for (double Hyperparameters::*part : {&Hyperparameters::lengthscale, &Hyperparameters::signal}) {
            std::vector<Integer128> state;
            for (const auto& agent : theta)
              state.push_back(static_cast<Integer128>(
                  std::round(agent[k].*part * (static_cast<long double>(s.plan.denominator) / s.plan.lz))));
            state = testing::plain_step(weights, state);
            for (std::size_t i = 0; i < theta.size(); ++i) {
              const Likelihood h = log_marginal_likelihood(
                  s.data[i].inputs, s.data[i].outputs.col(static_cast<Index>(k)), theta[i][k]);
              const double slope = h.slopes[part == &Hyperparameters::signal] / theta[i][k].*part;
              const double rows = static_cast<double>(s.data[i].inputs.rows());
              const double scale = gradient == GradientOf::likelihood ? step : step / rows;
              const double mixed = static_cast<double>(
                  static_cast<long double>(state[i]) *
                  (static_cast<long double>(s.plan.lz) / static_cast<long double>(s.plan.denominator)));
              const double moved = mixed + scale * slope;
              projected |= moved < how.box_low || moved > how.box_high;
              next[i][k].*part = std::min(std::max(moved, how.box_low), how.box_high);
            }
          }
        theta = next;
        for (std::size_t i = 0; i < theta.size(); ++i)
          for (std::size_t k = 0; k < theta[i].size(); ++k) {
            ASSERT_EQ(traces[i][t + 1][k].lengthscale, theta[i][k].lengthscale)
                << "agent " << i << " step " << t;
            ASSERT_EQ(traces[i][t + 1][k].signal, theta[i][k].signal) << "agent " << i << " step " << t;
            ASSERT_EQ(traces[i][t + 1][k].noise, 0.3);
          }
      }
      EXPECT_TRUE(projected || gradient == GradientOf::likelihood_per_row)
          << "this case does not reach the limits of the box";
    }
}

TEST(Tune, ClimbsAndComesTogether) {
  TuneOptions how;
  how.iterations = 60;
  how.step = 0.05;
  how.gradient = GradientOf::likelihood_per_row;
  const Setting s(5, 1, how);
  const auto traces = s.run();
  auto total = [&](std::size_t t) {
    double sum = 0;
    for (std::size_t i = 0; i < traces.size(); ++i)
      sum += log_marginal_likelihood(s.data[i].inputs, s.data[i].outputs, traces[i][t][0]).value;
    return sum;
  };
  auto spread = [&](std::size_t t) {
    double low = 1e9, high = -1e9;
    for (const TuneTrace& trace : traces) {
      low = std::min(low, trace[t][0].lengthscale);
      high = std::max(high, trace[t][0].lengthscale);
    }
    return high - low;
  };
  EXPECT_GT(total(60), total(0));
  EXPECT_LT(spread(60), 0.3 * spread(0));
}

TEST(Tune, SameBitsOnAnyNumberOfThreads) {
  const Setting s(9, 2, {.iterations = 5});
  const auto one = s.run(1), many = s.run(4);
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t t = 0; t < one[i].size(); ++t)
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(one[i][t][k].lengthscale, many[i][t][k].lengthscale);
        EXPECT_EQ(one[i][t][k].signal, many[i][t][k].signal);
      }
}

TEST(Tune, ModulusIsThatOfHypParamsCond) {
  const Graph graph = ring_lattice(20, 4);
  TuneOptions how;
  how.box_high = 15;
  PlanRequest request;
  request.lz = 0x1p-20;
  request.denominator = 40;
  const ConsensusPlan plan = make_tuning_plan(graph, how, 1, request);
  EXPECT_EQ(plan.iterations, 1u);
  const double m = 20, bound = m * 40 *
                               (0.5 + (1 + 2 * std::sqrt(2 * m)) * 15 / 0x1p-20 +
                                std::sqrt(2 * m) / (2 * (1 - plan.lambda)));
  EXPECT_EQ(plan.required_bits, static_cast<unsigned>(std::floor(std::log2(bound))) + 1);
}

TEST(Tune, RefusesOptionsThatMakeNoSense) {
  EXPECT_THROW(check({.iterations = 0}), InputError);
  EXPECT_THROW(check({.step = 0}), InputError);
  EXPECT_THROW(check({.decay = 1.5}), InputError);
  EXPECT_THROW(check({.box_low = 0}), InputError);
  EXPECT_THROW(check({.box_low = 3, .box_high = 2}), InputError);
  EXPECT_NO_THROW(check(TuneOptions{}));
}

}  // namespace
}  // namespace tacit
