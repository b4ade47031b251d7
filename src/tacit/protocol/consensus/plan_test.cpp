#include "tacit/protocol/consensus/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/protocol_testing.hpp"

namespace tacit {
namespace {

TEST(Bounds, ThePapersTuningExample) {
  // Section V-A: M = 20, L_w = 1/40, L_z = 2^-20, Θ in [5,15]²: "approximately 2^37".
  const ModulusQuestion question{20, 2, 0x1p-20, 40, 0.952, 15};
  EXPECT_NEAR(static_cast<double>(std::log2(modulus_bound_paper(question))), 37.3, 0.1);
  EXPECT_EQ(bits_above(modulus_bound_paper(question)), 38u);
}

TEST(Bounds, QboundTermByTerm) {
  // M/L_w (1/2 + (B + √(Mp) 2B)/L_z + √(Mp)/(2(1−λ))) with M = 4, p = 4, 1/L_w = 8, B = 3, L_z = 1/2, λ =
  // 3/4, by hand.
  EXPECT_NEAR(static_cast<double>(modulus_bound_paper({4, 4, 0.5, 8, 0.75, 3})),
              32 * (0.5 + (3 + 4 * 6) / 0.5 + 4 / 0.5), 1e-9);
}

TEST(Bounds, BitsAreTheFewestThatExceedTheBound) {
  EXPECT_EQ(bits_above(1023.5L), 10u);
  EXPECT_EQ(bits_above(1024.0L), 11u);
  EXPECT_EQ(bits_above(0.3L), 1u);
}

TEST(Bounds, ThePapersFunctionsBetaAndGamma) {
  // V = 2, L_z = 0.1: γ = 0.1 / ((0.5 − 0.1)/2) = 0.5; β = 0.5 (3 + 0.1) + 0.1 · 2 = 1.75.
  EXPECT_NEAR(gamma_bound(0.1, 2), 0.5, 1e-12);
  EXPECT_NEAR(beta_bound(0.1, 2, 3), 1.75, 1e-12);
  EXPECT_TRUE(precision_suffices(0.1, 2));
  EXPECT_FALSE(precision_suffices(0.5, 2));
  EXPECT_EQ(gamma_bound(0.5, 2), INFINITY) << "there is no guarantee without (xi)";
  EXPECT_EQ(beta_bound(0.7, 2, 3), INFINITY);
}

// Theorem 4 from its assumptions: sums within L_z of the true ones give V within γ and f̂ within β.
TEST(Bounds, BetaAndGammaHoldForEverySumWithinLz) {
  for (double lz : {1e-4, 1e-2, 0.3})
    for (double precision : {0.5, 1.0, 40.0})
      for (double weighted : {-7.0, 0.0, 100.0})
        for (double e1 : {-1.0, 0.0, 1.0})
          for (double e2 : {-1.0, 0.4, 1.0}) {
            if (!precision_suffices(lz, 1 / precision)) continue;
            const double v = 1 / (precision + e2 * lz), f = v * (weighted + e1 * lz);
            EXPECT_LE(std::abs(v - 1 / precision), gamma_bound(lz, 1 / precision) * (1 + 1e-8));
            EXPECT_LE(std::abs(f - weighted / precision),
                      beta_bound(lz, 1 / precision, std::abs(weighted)) * (1 + 1e-8));
          }
}

// The plan's error bound for few and many iterations, with and without acceleration and blinding, for starts
// that mix as slowly as possible and for others.
TEST(Plan, NoAverageExceedsThePlannedError) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::size_t agents = 4 + random() % 20;
    const Graph graph = repeat % 3 ? testing::random_triangle_graph(agents, random() % agents, random)
                                   : ring_lattice(agents + 2, 4);
    PlanRequest request;
    request.value_bound = 100;
    request.lz = repeat % 2 ? 1e-3 : 5;
    request.iterations = std::size_t{1} << random() % 10;
    request.hardening.acceleration = repeat % 4 == 3 ? Acceleration::chebyshev : Acceleration::none;
    request.hardening.blinding = repeat % 8 == 3 ? 10 : 0;
    const ConsensusPlan plan = make_plan(graph, request);
    std::vector<double> start(graph.agents());
    double average = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
      start[i] = repeat % 5 ? (i < start.size() / 2 ? 100 : -100) : static_cast<double>(random() % 201) - 100;
      average += start[i] / static_cast<double>(start.size());
    }
    Simulator simulator(graph);
    const auto end = simulator.run<Values>(
        [&](tacit::Run& net) { return secure_average(net, plan, Values(1, start[net.self()])); });
    for (const Values& z : end) EXPECT_LE(std::abs(z[0] - average), plan.error()) << "case " << repeat;
  }
}

TEST(Plan, StatesTheIterationsThatAnErrorNeeds) {
  const Graph graph = ring_lattice(20, 4);
  for (Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev}) {
    PlanRequest request;
    request.value_bound = 1000;
    request.lz = 1e-4;
    request.iterations = 5;
    request.hardening.acceleration = acceleration;
    ConsensusPlan plan = make_plan(graph, request);
    for (double target : {3000.0, 10.0, 0.1}) {
      const auto enough = plan.iterations_within(target);
      ASSERT_TRUE(enough) << target;
      plan.iterations = *enough;
      EXPECT_LT(plan.error(), target);
      if (*enough == 1) continue;
      --plan.iterations;
      EXPECT_GE(plan.error(), target) << *enough;
    }
    EXPECT_FALSE(plan.iterations_within(1e-4)) << "the quantiser's error alone may be larger";
  }
}

TEST(Plan, OneBitBelowTheNeedIsRefusedWithTheNumberThatWouldDo) {
  const Graph graph = ring_lattice(20, 4);
  for (ModulusRule rule : {ModulusRule::paper, ModulusRule::range})
    for (double bound : {1.0, 1e3, 1e9}) {
      PlanRequest request;
      request.lz = 1e-4;
      request.value_bound = bound;
      request.rule = rule;
      const unsigned bits = make_plan(graph, request).required_bits;
      request.modulus_bits = bits;
      EXPECT_EQ(make_plan(graph, request).modulus_bits, bits);
      request.modulus_bits = bits - 1;
      try {
        make_plan(graph, request);
        FAIL() << "accepted " << bits - 1 << " bits";
      } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("needs " + std::to_string(bits) + " bits"), std::string::npos)
            << e.what();
      }
    }
}

TEST(Plan, ChoosesTheLargestLwAndChecksAGivenOne) {
  const Graph graph = ring_lattice(20, 4);
  PlanRequest request;
  EXPECT_EQ(make_plan(graph, request).denominator, 10u);
  request.denominator = 40;  // the paper's
  EXPECT_EQ(make_plan(graph, request).denominator, 40u);
  EXPECT_GT(make_plan(graph, request).required_bits, make_plan(graph, {}).required_bits);
  request.denominator = 15;
  EXPECT_THROW(make_plan(graph, request), InputError);
}

TEST(Plan, RefusesWhatCannotWork) {
  const Graph ring = ring_lattice(6, 4);
  auto refused = [&](const Graph& graph, auto change) {
    PlanRequest request;
    request.lz = 1e-4;
    change(request);
    try {
      make_plan(graph, request);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(ring, [](auto& r) { r.lz = 0; }).find("L_z"), std::string::npos);
  EXPECT_NE(refused(ring, [](auto& r) { r.lz = -1; }).find("L_z"), std::string::npos);
  EXPECT_NE(refused(ring, [](auto& r) { r.lz = NAN; }).find("L_z"), std::string::npos);
  EXPECT_NE(refused(ring, [](auto& r) { r.iterations = 0; }).find("T = 0"), std::string::npos);
  EXPECT_NE(refused(ring, [](auto& r) { r.value_bound = 1e60; }).find("128"), std::string::npos);
  for (Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev})
    for (unsigned blinding : {0u, 40u})
      EXPECT_NE(refused(ring,
                        [&](auto& r) {
                          r.hardening = {MaskSource::shares, acceleration, blinding};
                          r.value_bound = 1e300;
                          r.lz = 1e-300;
                        })
                    .find("would need"),
                std::string::npos);
  EXPECT_NE(refused(ring, [](auto& r) { r.modulus_bits = 129; }).find("128"), std::string::npos);
  EXPECT_NE(refused(Graph(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}}), [](auto&) {}).find("3"),
            std::string::npos);
  EXPECT_NE(refused(ring_lattice(8, 2), [](auto&) {}), "") << "a plain cycle has no triangles";
  EXPECT_EQ(refused(ring_lattice(8, 2), [](auto& r) { r.require_triangles = false; }), "");
  EXPECT_NE(refused(Graph(1, {}), [](auto&) {}), "");
}

// With every combination of the options, on graphs with and without triangles.
TEST(Plan, HardenedTrafficIsWhatTheSimulatorCounts) {
  for (const Graph& graph : {ring_lattice(10, 4), complete_graph(6), ring_lattice(7, 2), Graph(2, {{0, 1}}),
                             Graph(6, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}})})
    for (MaskSource masks : {MaskSource::shares, MaskSource::seeded})
      for (Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev})
        for (unsigned blinding : {0u, 40u}) {
          PlanRequest request;
          request.iterations = 4;
          request.dimension = 3;
          request.require_triangles = false;
          request.hardening = {masks, acceleration, blinding};
          const ConsensusPlan plan = make_plan(graph, request);
          Simulator simulator(graph);
          simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(3, 0.25)); });
          const Traffic all = planned_traffic(graph, plan);
          EXPECT_EQ(simulator.cost().messages, all.messages);
          EXPECT_EQ(simulator.cost().bytes, all.bytes);
          EXPECT_LE(simulator.cost().rounds, planned_rounds(graph, plan));
          EXPECT_GE(simulator.cost().rounds + 1, planned_rounds(graph, plan));
          Traffic sum;
          for (AgentId i = 0; i < graph.agents(); ++i) {
            sum.messages += planned_traffic(graph, plan, i).messages;
            sum.bytes += planned_traffic(graph, plan, i).bytes;
          }
          EXPECT_EQ(sum.messages, all.messages);
          EXPECT_EQ(sum.bytes, all.bytes);
        }
}

TEST(Plan, TrafficIsWhatTheSimulatorCounts) {
  for (const Graph& graph : {ring_lattice(10, 4), complete_graph(6),
                             Graph(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}})}) {
    PlanRequest request;
    request.iterations = 7;
    request.dimension = 5;
    const ConsensusPlan plan = make_plan(graph, request);
    Simulator simulator(graph);
    simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(5, 0.25)); });
    const Traffic all = planned_traffic(graph, plan);
    EXPECT_EQ(simulator.cost().messages, all.messages);
    EXPECT_EQ(simulator.cost().bytes, all.bytes);
    Traffic sum;
    for (AgentId i = 0; i < graph.agents(); ++i) {
      sum.messages += planned_traffic(graph, plan, i).messages;
      sum.bytes += planned_traffic(graph, plan, i).bytes;
    }
    EXPECT_EQ(sum.messages, all.messages);
    EXPECT_EQ(sum.bytes, all.bytes);
  }
  EXPECT_EQ(planned_traffic(ring_lattice(20, 4),
                            make_plan(ring_lattice(20, 4), {.dimension = 1,
                                                            .value_bound = 1,
                                                            .lz = {},
                                                            .modulus_bits = {},
                                                            .iterations = 1,
                                                            .denominator = {}}),
                            0)
                .messages,
            18u);
}

}  // namespace
}  // namespace tacit
