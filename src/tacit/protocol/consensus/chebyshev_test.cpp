#include "tacit/protocol/consensus/chebyshev.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/spectrum.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/protocol_testing.hpp"

namespace tacit {
namespace {

PlanRequest accelerated(double value_bound, double lz) {
  PlanRequest request;
  request.value_bound = value_bound;
  request.lz = lz;
  request.hardening = {.masks = MaskSource::seeded, .acceleration = Acceleration::chebyshev, .blinding = 0};
  return request;
}

// The largest error over all agents.
double largest_error(const Graph& graph, const ConsensusPlan& plan, const std::vector<double>& start) {
  Simulator simulator(graph);
  const auto end = simulator.run<Values>(
      [&](tacit::Run& net) { return secure_average(net, plan, Values(1, start[net.self()])); });
  double average = 0, worst = 0;
  for (double z : start) average += z / static_cast<double>(start.size());
  for (const Values& z : end) worst = std::max(worst, std::abs(z[0] - average));
  return worst;
}

TEST(Chebyshev, WeightsAreThoseOfTheRecursion) {
  for (double lambda : {0.5, 0.8236, 0.952, 0.9877, 0.99999}) {
    ChebyshevWeights weights(lambda);
    EXPECT_EQ(weights.next(), 1u << 30);
    const long double l = (std::floor(lambda * 0x1p30L) + 1) * 0x1p-30L;
    long double omega = 2;
    for (int t = 1; t < 3000; ++t) {
      omega = 1 / (1 - l * l * omega / 4);
      EXPECT_NEAR(static_cast<double>(weights.next()), static_cast<double>(omega * 0x1p30L), 0.501);
    }
  }
}

// ω(t) = 2 T_t(1/λ) / (λ T_{t+1}(1/λ)), so that the dynamics are T_t(W/λ)/T_t(1/λ).
TEST(Chebyshev, WeightsMakeChebyshevsPolynomials) {
  const double lambda = 0.875;  // a multiple of 2^-30; the weights use the next one
  const double theta = std::acosh(1 / (lambda + 0x1p-30));
  ChebyshevWeights weights(lambda);
  weights.next();
  for (int t = 1; t < 60; ++t)
    EXPECT_NEAR(static_cast<double>(weights.next()) * 0x1p-30,
                2 * std::cosh(t * theta) / (lambda * std::cosh((t + 1) * theta)), 1e-8);
}

// The paper's table ends at T = 100, where the error of its iteration is 0.6 (M = 20) and 22 (M = 40).
TEST(Chebyshev, ThePapersRingsEndWithinThreeLzAtAHundredRounds) {
  for (std::size_t agents : {20u, 40u})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Graph graph = ring_lattice(agents, 4);
      PlanRequest request = accelerated(100, 1e-4);
      request.iterations = 100;
      std::mt19937_64 random(seed);
      std::vector<double> start;
      for (std::size_t i = 0; i < agents; ++i)
        start.push_back(200 * static_cast<double>(random() >> 11) * 0x1p-53 - 100);
      EXPECT_LE(largest_error(graph, make_plan(graph, request), start), 3e-4)
          << agents << " agents, seed " << seed;
      request.hardening.acceleration = Acceleration::none;
      EXPECT_GT(largest_error(graph, make_plan(graph, request), start), 3e-2)
          << "otherwise the test proves nothing";
    }
}

TEST(Chebyshev, PlannedRoundsLeaveThePlannedErrorAndAreFarFewer) {
  for (std::size_t agents : {10u, 40u, 100u}) {
    const Graph graph = ring_lattice(agents, 4);
    PlanRequest request = accelerated(100, 1e-4);
    const ConsensusPlan plan = make_plan(graph, request);
    EXPECT_LE(plan.transient(), plan.lz);
    request.hardening.acceleration = Acceleration::none;
    EXPECT_LT(1.8 * static_cast<double>(plan.iterations),
              static_cast<double>(make_plan(graph, request).iterations));
    std::vector<double> start;
    for (std::size_t i = 0; i < agents; ++i) start.push_back(i < agents / 2 ? 100 : -100);
    const double error = largest_error(graph, plan, start);
    EXPECT_LE(error, 3 * plan.lz) << agents << " agents";
    EXPECT_LE(error, plan.quantiser_error() + plan.transient()) << agents << " agents";
  }
}

// Rounding ω(t) (W z − z') moves the average; the guard bits keep that below L_z/100. No state may leave the
// plan's range, otherwise the run stops; starts at the corners of the bound come closest.
TEST(Chebyshev, AverageDriftsLessThanAHundredthOfLzAndStatesStayInRange) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const Graph graph = testing::random_connected_graph(2 + random() % 14, random() % 20, random);
    PlanRequest request = accelerated(50, std::pow(10.0, -static_cast<double>(random() % 5)));
    request.iterations = 1 + random() % 400;
    const ConsensusPlan plan = make_plan(graph, request);
    std::vector<Integer128> start;
    for (std::size_t i = 0; i < graph.agents(); ++i)
      start.push_back(static_cast<Integer128>((random() % 2 ? 50 : -50) / plan.unit()));
    Simulator simulator(graph);
    const auto end = simulator.run<WipedVector<Integer128>>([&](tacit::Run& net) {
      return secure_average_state<Word128>(net, plan, WipedVector<Integer128>(1, start[net.self()]));
    });
    Integer128 drift = 0;
    for (std::size_t i = 0; i < end.size(); ++i) drift += end[i][0] - start[i];
    const double in_lz = std::abs(static_cast<double>(static_cast<long double>(drift) * plan.unit())) /
                         static_cast<double>(graph.agents()) / plan.lz;
    worst = std::max(worst, in_lz);
    ASSERT_LT(in_lz, 0.01) << "case " << seed;
  }
  EXPECT_GT(worst, 0) << "nothing was rounded, so nothing was tested";
}

// The bound proved in docs/decisions.md, checked against the dynamics: |z_i(t)| ≤ √M (B + ...).
TEST(Chebyshev, StatesCanExceedTheirStartButNotTheBound) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const Graph graph = testing::random_connected_graph(3 + random() % 12, random() % 4, random);
    const MetropolisWeights weights(graph);
    ConsensusPlan plan = make_plan(graph, accelerated(50, 0.01));
    std::vector<Integer128> start;
    for (std::size_t i = 0; i < graph.agents(); ++i)
      start.push_back(static_cast<Integer128>((random() % 2 ? 50 : -50) / plan.unit()));
    for (plan.iterations = 1; plan.iterations < 25; ++plan.iterations)
      for (Integer128 s : testing::plain_run(weights, plan, start)) {
        const double z = std::abs(static_cast<double>(static_cast<long double>(s) * plan.unit()));
        ASSERT_LE(z, plan.state_bound) << "case " << seed;
        worst = std::max(worst, z);
      }
  }
  EXPECT_GT(worst, 51) << "the range lemma of the plain dynamics would suffice";
}

TEST(Chebyshev, WhatTheBoundsDoNotCoverIsRefused) {
  const Graph graph = ring_lattice(10, 4);
  auto refused = [&](PlanRequest request) {
    try {
      make_plan(graph, request);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  PlanRequest request = accelerated(1, 1e-4);
  request.iterations = most_chebyshev_iterations;
  EXPECT_EQ(refused(request), "");
  request.iterations = most_chebyshev_iterations + 1;
  EXPECT_NE(refused(request).find("10001 iterations are more than the 10000"), std::string::npos);
  request.iterations = 10;
  EXPECT_THROW(make_plan(ring_lattice(20'000, 2), request), InputError);  // 1 − λ is 2e-8
  EXPECT_NE(refused(accelerated(1e31, 1e-4)).find("states would need"), std::string::npos);
  request = accelerated(1, 1e-4);
  request.modulus_bits = make_plan(graph, request).required_bits - 1;
  EXPECT_NE(refused(request).find("range bound needs"), std::string::npos);
}

// A sum so large that shifting it would lose all of its bits.
TEST(Chebyshev, ASumThatNoHonestNeighboursGiveIsNoticed) {
  const Graph graph = complete_graph(4);
  ConsensusPlan plan = make_plan(graph, accelerated(1, 1e-4));
  ASSERT_GT(plan.guard_bits, 4u);
  plan.modulus_bits = 64;
  for (Word64 sum : {Word64{0}, Word64{1} << 60, Word64{0} - (Word64{1} << 60)}) {
    ChebyshevUpdate<Word64> update(plan, WipedVector<std::int64_t>(1));
    update.begin_round();
    if (sum == 0)
      EXPECT_NO_THROW(update.move({&sum, 1}, 3, 0));
    else
      EXPECT_THROW(update.move({&sum, 1}, 3, 0), Error);
  }
}

}  // namespace
}  // namespace tacit
