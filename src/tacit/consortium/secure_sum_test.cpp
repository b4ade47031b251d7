#include "tacit/consortium/secure_sum.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

TEST(ConsensusSum, EverySumIsAsFineAsItsRange) {
  const Graph graph = ring_lattice(7, 4);
  const ConsensusSum secure_sum(graph, {});
  Simulator simulator(graph);
  for (const SumRange range : {SumRange{1000, 1e-2}, SumRange{1000, 1e-9}, SumRange{3, 1e-5}}) {
    const auto totals = simulator.run<Values>([&](tacit::Run& net) {
      const double own = range.bound * (0.1 + 0.1 * net.self());
      return secure_sum.sum(net, {own, -own}, range);
    });
    for (const Values& total : totals) {
      EXPECT_NEAR(total[0], range.bound * 2.8, 3 * range.unit);
      EXPECT_NEAR(total[1], -range.bound * 2.8, 3 * range.unit);
    }
  }
  const auto bits = [&](double unit) {
    return std::get<ConsensusPlan>(secure_sum.plan({2, {1000, unit}})).modulus_bits;
  };
  EXPECT_GT(bits(1e-9), bits(1e-2));
}

TEST(ConsensusSum, RefusesAValueAboveTheRange) {
  const Graph graph = complete_graph(4);
  const ConsensusSum secure_sum(graph, {});
  EXPECT_THROW(Simulator(graph).run<Values>([&](tacit::Run& net) {
    return secure_sum.sum(net, {net.self() == 2 ? 1.01 : 0.5}, {1, 1e-6});
  }),
               InputError);
}

TEST(ExactSecureSum, PlansForTheShape) {
  const ExactSecureSum secure_sum({.agents = 4});
  const ExactPlan plan = std::get<ExactPlan>(secure_sum.plan({7, {100, 1e-3}}));
  EXPECT_EQ(plan.dimension, 7u);
  EXPECT_EQ(plan.unit, 1e-3);
  EXPECT_THROW(secure_sum.plan({7, {1e30, 1e-30}}), InputError);
}

}  // namespace
}  // namespace tacit
