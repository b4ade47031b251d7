// Helpers in Protocol 1: they only change which coalitions masks withstand.
#include <gtest/gtest.h>

#include <random>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/protocol_testing.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {
namespace {

using testing::random_triangle_graph;

SimulatorOptions options(std::uint64_t seed) {
  SimulatorOptions out;
  out.threads = 1;
  out.seed = seed;
  return out;
}

// The results of all agents; helpers end with zeros.
std::vector<Values> average(const HelpedGraph& graph, const ConsensusPlan& plan, std::uint64_t seed) {
  Simulator simulator(graph, options(seed));
  return simulator.run<Values>([&](tacit::Run& net) {
    Values z(plan.dimension);
    if (!net.neighbourhood().helps())
      for (std::size_t k = 0; k < z.size(); ++k) z[k] = std::sin(static_cast<double>(7 * net.self() + k));
    return secure_average(net, plan, std::move(z));
  });
}

TEST(Helping, ResultsAreTheSameToTheBit) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const Graph graph = random_triangle_graph(3 + random() % 8, random() % 12, random);
    const std::size_t helpers = 1 + random() % 3;
    std::vector<Edge> mask_edges;
    for (AgentId k = 0; k < helpers; ++k)
      for (AgentId i = 0; i < graph.agents(); ++i)
        if (random() % 3) mask_edges.emplace_back(i, static_cast<AgentId>(graph.agents() + k));
    const HelpedGraph helped(graph, helpers, mask_edges);
    PlanRequest request;
    request.dimension = 3;
    request.iterations = 5;
    if (random() % 2) request.modulus_bits = 120;  // both widths of words
    if (random() % 3 == 0) request.hardening.acceleration = Acceleration::chebyshev;
    if (random() % 3 == 0) request.hardening.blinding = 20;
    const ConsensusPlan plan = make_plan(graph, request);
    std::vector<Values> with = average(helped, plan, seed);
    ASSERT_EQ(with.size(), graph.agents() + helpers);
    for (std::size_t k = graph.agents(); k < with.size(); ++k) ASSERT_EQ(with[k], Values(3));
    with.resize(graph.agents());
    ASSERT_EQ(with, average(graph, plan, seed)) << "case " << seed;
  }
}

TEST(Helping, TrafficIsWhatTheSimulatorCounts) {
  for (const HelpedGraph& graph :
       {with_helpers(ring_lattice(10, 4), 2), with_helpers(bow_tie(), 1),
        HelpedGraph(complete_graph(4), 2, {{0, 4}, {1, 4}, {3, 5}}), HelpedGraph(path(2), 1, {{0, 2}})}) {
    PlanRequest request;
    request.iterations = 7;
    request.dimension = 5;
    request.require_triangles = false;
    request.hardening.blinding = 8;
    const ConsensusPlan plan = make_plan(graph, request);
    Simulator simulator(graph, options(1));
    simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(5, 0.25)); });
    const Traffic all = planned_traffic(graph, plan);
    EXPECT_EQ(simulator.cost().messages, all.messages);
    EXPECT_EQ(simulator.cost().bytes, all.bytes);
    std::uint64_t sum = 0;
    for (AgentId i = 0; i < graph.everybody.agents(); ++i) sum += planned_traffic(graph, plan, i).messages;
    EXPECT_EQ(sum, all.messages);
  }
}

TEST(Helping, PlanIsThatOfTheAgentsAlone) {
  const Graph ring = ring_lattice(10, 4);
  const ConsensusPlan alone = make_plan(ring, {}), helped = make_plan(with_helpers(ring, 1), {});
  EXPECT_EQ(alone.agents, helped.agents);
  EXPECT_EQ(alone.lambda, helped.lambda);
  EXPECT_EQ(alone.denominator, helped.denominator);
  EXPECT_EQ(alone.modulus_bits, helped.modulus_bits);
  EXPECT_EQ(alone.iterations, helped.iterations);
  PlanRequest seeded;
  seeded.hardening.masks = MaskSource::seeded;
  EXPECT_TRUE(mentions(error_of([&] { make_plan(with_helpers(ring, 1), seeded); }), {"leave `helpers` out"}));
  // On a plain cycle, a helper is the third member of each triangle.
  EXPECT_FALSE(error_of([] { make_plan(ring_lattice(8, 2), {}); }).empty());
  EXPECT_EQ(error_of([] { make_plan(with_helpers(ring_lattice(8, 2), 1), {}); }), "");
}

// Findings 1a: without a helper, the centre of the bow-tie removes the masks from the sum of a wing. It uses
// ζ, the shares that it received and those that it sent. The sent shares are taken from the wing's view.
bool centre_splits_the_wings(const HelpedGraph& graph, std::uint64_t seed) {
  PlanRequest request;
  request.iterations = 1;
  const ConsensusPlan plan = make_plan(graph.agents, request);
  SimulatorOptions how = options(seed);
  how.coalition = {0, 1, 2};
  Simulator simulator(graph, how);
  const std::vector<double> values = {0.5, -0.25, 0.75, 0.125, -1, 0};
  simulator.run<Values>(
      [&](tacit::Run& net) { return secure_average(net, plan, Values(1, values[net.self()])); });

  const Ring<Word128> ring(plan.modulus_bits);
  Word128 guess = 0;
  for (const Received& message : simulator.view()) {
    const bool received = message.to == 0 && (message.from == 1 || message.from == 2);
    const bool sent = message.from == 0 && (message.to == 1 || message.to == 2);
    if (message.tag.about != 0 || (!received && !sent)) continue;
    const ConstBytes bytes = message.bytes;
    Word128 content = 0;
    add_packed<Word128>(ring, std::span(&bytes, 1), std::span(&content, 1));
    guess += sent ? -content : content;  // φ_01 + φ_02 is the shares that 0 sent minus those it received
  }
  const std::uint64_t weight = MetropolisWeights(graph.agents).between(0, 1);
  const auto quantised = [&](double z) { return static_cast<Integer128>(std::lround(z / plan.lz)); };
  const Word128 truth = weight * static_cast<Word128>(quantised(values[1]) + quantised(values[2]));
  return ring.reduce(guess) == ring.reduce(truth);
}

TEST(Helping, StopsTheCentreOfTheBowTie) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ASSERT_TRUE(centre_splits_the_wings(bow_tie(), seed));  // the attack works without a helper
    ASSERT_FALSE(centre_splits_the_wings(with_helpers(bow_tie(), 1), seed));
  }
}

}  // namespace
}  // namespace tacit
