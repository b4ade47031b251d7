#include "tacit/protocol/consensus/leaving.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.h"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/protocol_testing.h"

namespace tacit {
namespace {

using testing::plain_step;
using testing::random_triangle_graph;
using State = WipedVector<Integer128>;

ConsensusPlan plan_for(const HelpedGraph& graph, std::size_t iterations, bool leaving = true) {
  PlanRequest request;
  request.iterations = iterations;
  request.lz = 1e-4;
  request.leaving = leaving;
  return make_plan(graph, request);
}

std::vector<Integer128> starts(const ConsensusPlan& plan, std::mt19937_64& random) {
  std::vector<Integer128> start;
  const double scale = static_cast<double>(plan.denominator) / plan.lz;
  for (std::size_t i = 0; i < plan.agents; ++i)
    start.push_back(static_cast<Integer128>((static_cast<double>(random()) * 0x1p-63 - 1) * scale));
  return start;
}

std::vector<Integer128> run(const HelpedGraph& graph, const ConsensusPlan& plan,
                            const std::vector<Integer128>& start, std::vector<Departure> departures,
                            unsigned threads = 1) {
  SimulatorOptions how;
  how.threads = threads;
  how.departures = std::move(departures);
  Simulator simulator(graph, how);
  const auto end = simulator.run<State>([&](Channel& net) {
    return secure_average_state<Word128>(net, plan,
                                         State(1, net.self() < start.size() ? start[net.self()] : 0));
  });
  std::vector<Integer128> states;
  for (std::size_t i = 0; i < start.size(); ++i) states.push_back(end[i][0]);
  return states;
}

std::string failure(const HelpedGraph& graph, const ConsensusPlan& plan, std::vector<Departure> departures,
                    unsigned threads = 1) {
  try {
    run(graph, plan, std::vector<Integer128>(plan.agents, 1000), std::move(departures), threads);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

Graph without(const Graph& graph, const std::vector<AgentId>& gone) {
  std::vector<Edge> edges;
  for (const Edge& edge : graph.edge_list())
    if (std::find(gone.begin(), gone.end(), edge.first) == gone.end() &&
        std::find(gone.begin(), gone.end(), edge.second) == gone.end())
      edges.push_back(edge);
  return Graph(graph.agents(), edges);
}

std::vector<AgentId> gone_after(const std::vector<Departure>& departures, std::uint32_t round) {
  std::vector<AgentId> gone;
  for (const Departure& d : departures)
    if (d.round < round) gone.push_back(d.agent);
  return gone;
}

// May these agents leave one after the other, seen from above: are the rest linked around each, and do masks
// hold afterwards where they held before?
bool may_leave(const Graph& graph, std::vector<Departure> departures) {
  std::sort(departures.begin(), departures.end(), [](const Departure& a, const Departure& b) {
    return std::pair(a.round, a.agent) < std::pair(b.round, b.agent);
  });
  for (std::size_t k = 0; k < departures.size(); ++k) {
    std::vector<AgentId> before;
    for (std::size_t l = 0; l < k; ++l) before.push_back(departures[l].agent);
    const Neighbourhood leaver = neighbourhood(without(graph, before), departures[k].agent);
    if (!linked(leaver, leaver.neighbours)) return false;
    const auto gone = gone_after(departures, departures[k].round + 1);
    const Graph then = without(graph, gone);
    for (AgentId i = 0; i < graph.agents(); ++i)
      if (std::find(gone.begin(), gone.end(), i) == gone.end() && circle_holds(neighbourhood(graph, i)) &&
          !circle_holds(neighbourhood(then, i)))
        return false;
  }
  return true;
}

// The main property: everybody's state is, to the bit, that of the unmasked dynamics on the graph as it was
// in each round, so those who stay end near the average of their states and its sum is kept exactly.
TEST(Leaving, TheRestFollowTheUnmaskedDynamicsOnTheGraphThatIsLeft) {
  std::size_t left = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    std::mt19937_64 random(seed);
    const Graph graph = random_triangle_graph(5 + random() % 8, random() % 30, random);
    constexpr std::size_t iterations = 8;
    const ConsensusPlan plan = plan_for(graph, iterations);
    const auto start = starts(plan, random);
    std::vector<Departure> departures;
    for (std::size_t k = 0; k < 1 + seed % 2; ++k) {  // one or two, often in the same round
      const AgentId agent = static_cast<AgentId>(random() % graph.agents());
      const auto round = static_cast<std::uint32_t>(random() % 4);
      if (k == 0 || departures[0].agent != agent) departures.push_back({.agent = agent, .round = round});
    }
    if (!may_leave(graph, departures)) {
      ASSERT_NE(failure(graph, plan, departures), "") << "case " << seed;
      ++refused;
      continue;
    }
    const auto end = run(graph, plan, start, departures);
    std::vector<Integer128> expected = start;
    Integer128 sum_then = 0, sum_now = 0;
    std::uint32_t last = 0;
    for (const Departure& d : departures) last = std::max(last, d.round);
    const auto gone = gone_after(departures, iterations);
    for (std::uint32_t t = 0; t < iterations; ++t) {
      const Graph now = without(graph, gone_after(departures, t));
      expected = plain_step(MetropolisWeights(now, plan.denominator), expected);
      if (t != last) continue;
      for (AgentId i = 0; i < graph.agents(); ++i)
        if (std::find(gone.begin(), gone.end(), i) == gone.end()) sum_then += expected[i];
    }
    for (AgentId i = 0; i < graph.agents(); ++i)
      if (std::find(gone.begin(), gone.end(), i) == gone.end()) sum_now += end[i];
    ASSERT_TRUE(end == expected) << "case " << seed;
    ASSERT_TRUE(sum_now == sum_then) << "case " << seed;
    ++left;
  }
  EXPECT_GT(left, 100u);  // both were really tried
  EXPECT_GT(refused, 100u);
}

TEST(Leaving, TheRestAgreeOnTheAverageOfTheirStates) {
  const Graph graph = ring_lattice(10, 6);
  const ConsensusPlan plan = plan_for(graph, 200);
  std::vector<Integer128> start(10, 0);
  start[3] = 1'000'000;
  // Agent 3 leaves before anybody but its neighbours has felt its value, so much of it goes with it.
  const auto end = run(graph, plan, start, {{.agent = 3, .round = 0}});
  const Integer128 rest = (1'000'000 - end[3]) / 9;
  EXPECT_TRUE(end[3] > 400'000);
  for (AgentId i = 0; i < 10; ++i) {
    if (i == 3) continue;
    EXPECT_LE(std::abs(static_cast<double>(end[i] - rest)), 2.0 * static_cast<double>(plan.denominator));
  }
}

TEST(Leaving, CostsARollOfOneByteAndNothingWhenOff) {
  const Graph graph = ring_lattice(10, 4);
  std::mt19937_64 random(1);
  PlanRequest request;
  request.iterations = 6;
  request.dimension = 5;
  request.leaving = true;
  const ConsensusPlan on = make_plan(graph, request);
  request.leaving = false;
  request.denominator = on.denominator;
  const ConsensusPlan off = make_plan(graph, request);
  auto results = [&](const ConsensusPlan& plan) {
    Simulator simulator(graph);
    auto out = simulator.run<Values>(
        [&](Channel& net) { return secure_average(net, plan, Values(5, 0.1 * net.self())); });
    EXPECT_EQ(simulator.cost().messages, planned_traffic(graph, plan).messages);
    EXPECT_EQ(simulator.cost().bytes, planned_traffic(graph, plan).bytes);
    EXPECT_EQ(simulator.cost().rounds, 12u);  // the roll travels beside the shares
    return out;
  };
  EXPECT_EQ(results(on), results(off));
  EXPECT_EQ(planned_traffic(graph, on).messages, planned_traffic(graph, off).messages + 10 * 4 * 6);
  EXPECT_EQ(planned_traffic(graph, on).bytes, planned_traffic(graph, off).bytes + 10 * 4 * 6);
  EXPECT_EQ(on.denominator, 120u);  // 2·lcm(2, 3, 4, 5), for the degrees that may be left
}

TEST(Leaving, RefusesWhatWouldBreakTheMasksOrTheGraph) {
  const ConsensusPlan bow = plan_for(bow_tie(), 5);
  EXPECT_TRUE(mentions(failure(bow_tie(), bow, {{.agent = 0, .round = 2}}),
                       {"agent 0 cannot leave after round 2", "only through it"}));
  // The tip of a wing takes the third corner of a triangle with it.
  EXPECT_TRUE(mentions(failure(bow_tie(), bow, {{.agent = 2, .round = 2}}),
                       {"agent 2 cannot leave after round 2", "neighbours of agent 1"}));
  // On the ring of degree 4 every agent is the only link between two halves of a neighbour's circle.
  const Graph ring = ring_lattice(12, 4);
  EXPECT_TRUE(mentions(failure(ring, plan_for(ring, 5), {{.agent = 7, .round = 1}}),
                       {"agent 7 cannot leave after round 1"}));
}

// Two groups of four that only agents 8 and 9 link. Masks would hold in both groups without them, so nobody
// else would notice.
TEST(Leaving, TwoWhoLeaveTogetherAreNotCountedOnByEachOther) {
  std::vector<Edge> edges = {{8, 9}};
  for (AgentId i = 0; i < 8; ++i) {
    edges.insert(edges.end(), {{i, 8}, {i, 9}});
    for (AgentId j = i < 4 ? 0 : 4; j < i; ++j) edges.emplace_back(j, i);
  }
  const Graph graph(10, edges);
  const ConsensusPlan plan = plan_for(graph, 5);
  EXPECT_TRUE(mentions(failure(graph, plan, {{.agent = 8, .round = 1}, {.agent = 9, .round = 1}}),
                       {"agent 9 cannot leave after round 1"}));
}

TEST(Leaving, AHelperKeepsTheMasksWhenAnAgentLeaves) {
  const Graph ring = ring_lattice(12, 4);
  const HelpedGraph helped = with_helpers(ring, 1);
  std::mt19937_64 random(3);
  const ConsensusPlan plan = plan_for(helped, 6);
  const auto start = starts(plan, random);
  const auto end = run(helped, plan, start, {{.agent = 7, .round = 1}});
  std::vector<Integer128> expected = start;
  for (std::uint32_t t = 0; t < 6; ++t)
    expected = plain_step(MetropolisWeights(t < 2 ? ring : without(ring, {7}), plan.denominator), expected);
  EXPECT_TRUE(end == expected);
  // Nor need the helper stay.
  EXPECT_TRUE(run(helped, plan, start, {{.agent = 12, .round = 1}}) == run(ring, plan, start, {}));
}

// An agent of the ring sends 18 messages a round, and 4 rolls if it may leave.
TEST(Leaving, VanishingInsideARoundIsAnErrorThatNamesAgentAndRound) {
  const Graph graph = ring_lattice(8, 4);
  for (bool leaving : {false, true}) {
    const ConsensusPlan plan = plan_for(graph, 5, leaving);
    const std::uint64_t messages = leaving ? 22 : 18;
    for (std::uint64_t sent = 0; sent < messages; ++sent) {
      const std::string error = failure(graph, plan, {{.agent = 5, .round = 3, .vanishes_after = sent}});
      // Those who still got their masked value notice in the next round.
      const bool masks_done = sent > messages - 4;
      EXPECT_TRUE(mentions(error, {"agent 5 disappeared without notice"}));
      EXPECT_TRUE(mentions(error, {"in round 3"}) || (masks_done && mentions(error, {"in round 4"})))
          << error;
      EXPECT_EQ(error, failure(graph, plan, {{.agent = 5, .round = 3, .vanishes_after = sent}}, 3));
    }
    // After its last message of the last round nobody misses it.
    EXPECT_EQ(failure(graph, plan, {{.agent = 5, .round = 4, .vanishes_after = messages}}), "");
    EXPECT_NE(failure(graph, plan, {{.agent = 5, .round = 3, .vanishes_after = messages}}), "");
  }
}

// An agent whose first roll is wrong.
Task<Values> call_a_wrong_roll(Channel& net, std::vector<std::byte> content) {
  const std::uint32_t run = net.begin_run();
  for (AgentId j : net.neighbourhood().neighbours) {
    Payload roll = net.buffer(content.size());
    std::copy(content.begin(), content.end(), roll.bytes().begin());
    net.send(j, {run, 0, net.self(), Step::roll}, std::move(roll));
  }
  co_return Values{};
}

TEST(Leaving, MalformedRollIsRefusedNamingTheSender) {
  const Graph graph = complete_graph(4);
  const ConsensusPlan plan = plan_for(graph, 3);
  const auto byte = [](int value) { return static_cast<std::byte>(value); };
  const std::vector<std::vector<std::byte>> rolls = {
      {},
      {byte(2)},
      {byte(0), byte(1)},
      {byte(0), byte(9), byte(0), byte(0), byte(0)},   // nobody it could have dropped
      {byte(0), byte(0), byte(0), byte(0), byte(0)}};  // agent 0 is told that it left itself
  for (const auto& roll : rolls) {
    Simulator simulator(graph);
    try {
      simulator.run<Values>([&](Channel& net) {
        return net.self() == 2 ? call_a_wrong_roll(net, roll) : secure_average(net, plan, Values(1, 0.5));
      });
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_TRUE(mentions(error.what(), {"agent 2 sent a malformed message", "roll of round 0"}));
    }
  }
}

TEST(Leaving, GoesWithNoHardening) {
  for (const Hardening& hardening :
       {Hardening{.masks = MaskSource::seeded}, Hardening{.acceleration = Acceleration::chebyshev},
        Hardening{.blinding = 40}}) {
    PlanRequest request;
    request.leaving = true;
    request.hardening = hardening;
    EXPECT_TRUE(mentions(error_of([&] { make_plan(ring_lattice(10, 4), request); }), {"agents can leave"}));
  }
}

TEST(Leaving, DenominatorFitsEveryDegreeThatMayBeLeft) {
  PlanRequest request;
  request.leaving = true;
  request.denominator = 10;  // enough for the ring as it is
  EXPECT_TRUE(mentions(error_of([&] { make_plan(ring_lattice(20, 4), request); }), {"1/10", "use 120"}));
  request.denominator = 240;
  EXPECT_EQ(make_plan(ring_lattice(20, 4), request).denominator, 240u);
  request.denominator.reset();
  const ConsensusPlan dense = make_plan(complete_graph(30), request);
  EXPECT_FALSE(dense.exact_weights);
  std::mt19937_64 random(2);
  const auto start = starts(dense, random);
  ConsensusPlan plan = dense;
  plan.iterations = 4;
  const auto end = run(complete_graph(30), plan, start, {{.agent = 3, .round = 1}});
  Integer128 before = 0, after = 0;
  for (AgentId i = 0; i < 30; ++i) before += start[i], after += end[i];
  EXPECT_TRUE(before == after);  // rounded weights are symmetric too; the leaver's state counts as it was
}

TEST(Simulator, RefusesADepartureOfNobody) {
  SimulatorOptions how;
  how.departures = {{.agent = 8, .round = 0}};
  EXPECT_THROW(Simulator(ring_lattice(8, 4), how), InputError);
}

}  // namespace
}  // namespace tacit
