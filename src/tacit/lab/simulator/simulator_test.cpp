#include "tacit/lab/simulator/simulator.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {
namespace {

SimulatorOptions options(unsigned threads, std::uint64_t seed) {
  SimulatorOptions out;
  out.threads = threads;
  out.seed = seed;
  return out;
}

struct Outcome {
  std::vector<Values> results;
  SimulationCost cost;
  std::vector<Received> view;
  std::vector<LinkTraffic> traffic;
};

Outcome simulate(const Graph& graph, SimulatorOptions how, std::size_t dimension, std::size_t iterations) {
  PlanRequest request;
  request.dimension = dimension;
  request.iterations = iterations;
  const ConsensusPlan plan = make_plan(graph, request);
  Simulator simulator(graph, std::move(how));
  Outcome outcome;
  outcome.results = simulator.run<Values>([&](Channel& net) {
    Values z(dimension);
    for (std::size_t k = 0; k < dimension; ++k) z[k] = std::sin(static_cast<double>(net.self() * 31 + k));
    return secure_average(net, plan, std::move(z));
  });
  outcome.cost = simulator.cost();
  outcome.view = simulator.view();
  outcome.traffic = simulator.traffic();
  return outcome;
}

TEST(Simulator, SameSeedSameBitsWhateverTheThreads) {
  const Graph graph = random_geometric(30, 0.5, 4);
  auto how = [](unsigned threads, std::uint64_t seed) {
    SimulatorOptions out = options(threads, seed);
    out.coalition = {1, 7};
    out.network = {0.001, 1e6};
    return out;
  };
  const Outcome one = simulate(graph, how(1, 5), 17, 12);
  ASSERT_FALSE(one.view.empty());
  for (unsigned threads : {2u, 5u}) {
    const Outcome many = simulate(graph, how(threads, 5), 17, 12);
    EXPECT_EQ(one.results, many.results);
    EXPECT_EQ(one.cost.rounds, many.cost.rounds);
    EXPECT_EQ(one.cost.messages, many.cost.messages);
    EXPECT_EQ(one.cost.bytes, many.cost.bytes);
    EXPECT_EQ(one.cost.network_seconds, many.cost.network_seconds);
    ASSERT_EQ(one.view.size(), many.view.size());
    for (std::size_t k = 0; k < one.view.size(); ++k) {
      EXPECT_EQ(one.view[k].bytes, many.view[k].bytes);
      EXPECT_EQ(one.view[k].tag, many.view[k].tag);
      EXPECT_EQ(one.view[k].from, many.view[k].from);
    }
  }
  const Outcome other = simulate(graph, how(2, 6), 17, 12);
  EXPECT_EQ(one.results, other.results);              // masks cancel, so the result does not depend on them
  EXPECT_NE(one.view[0].bytes, other.view[0].bytes);  // but the masks differ
}

TEST(Simulator, ViewIsWhatTheCoalitionReceivesAndNothingElse) {
  const Graph graph = ring_lattice(8, 4);
  SimulatorOptions how = options(2, 1);
  how.coalition = {3};
  const Outcome outcome = simulate(graph, how, 2, 5);
  EXPECT_EQ(outcome.view.size(), 18u * 5);  // on this ring, an agent receives as many messages as it sends
  for (const Received& message : outcome.view) {
    EXPECT_EQ(message.to, 3u);
    EXPECT_TRUE(graph.adjacent(message.from, 3));
  }
  how.coalition = {8};
  EXPECT_THROW(simulate(graph, how, 2, 5), InputError);
}

TEST(Simulator, VirtualClockCountsLatencyAndBandwidth) {
  const Graph graph = ring_lattice(10, 4);
  SimulatorOptions how = options(2, 1);
  how.network.latency = 0.25;
  // In each iteration, masked values wait for shares.
  Outcome outcome = simulate(graph, how, 3, 10);
  EXPECT_EQ(outcome.cost.rounds, 20u);
  EXPECT_DOUBLE_EQ(outcome.cost.network_seconds, 20 * 0.25);
  how.network = {0, 100};
  outcome = simulate(graph, how, 3, 10);
  const double bytes = static_cast<double>(outcome.cost.bytes) / static_cast<double>(outcome.cost.messages);
  EXPECT_NEAR(outcome.cost.network_seconds, 20 * bytes / 100, 1e-9);
  how.network = {};
  EXPECT_EQ(simulate(graph, how, 3, 10).cost.network_seconds, 0);
}

TEST(Simulator, TrafficOfLinksAddsUpToTheCost) {
  const Graph graph = random_geometric(12, 0.6, 4);
  const Outcome outcome = simulate(graph, options(2, 1), 3, 4);
  std::uint64_t messages = 0, bytes = 0;
  for (const LinkTraffic& link : outcome.traffic) {
    EXPECT_LT(link.a, link.b);
    EXPECT_TRUE(graph.adjacent(link.a, link.b));
    messages += link.messages;
    bytes += link.bytes;
  }
  EXPECT_EQ(outcome.traffic.size(), graph.edges());
  EXPECT_EQ(messages, outcome.cost.messages);
  EXPECT_EQ(bytes, outcome.cost.bytes);
}

TEST(Simulator, TrafficOfALinkCountsBothWays) {
  Simulator simulator(Graph(3, {{0, 1}, {1, 2}}), options(1, 1));
  simulator.run<int>([](Channel& net) -> Task<int> {
    const Tag tag{0, 1, 0, Step::share};
    if (net.self() == 1) net.send(0, tag, net.buffer(7));
    if (net.self() == 0) net.send(1, tag, net.buffer(20));
    if (net.self() < 2) co_await net.receive(1 - net.self(), tag);
    co_return 0;
  });
  const std::vector<LinkTraffic> all = simulator.traffic();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].messages, 2u);
  EXPECT_EQ(all[0].bytes, 27u);
  EXPECT_EQ(all[1].messages, 0u);
}

Task<int> fail_if(Channel& net, AgentId who) {
  if (net.self() >= who) throw InputError("cannot do it");
  co_return 1;
}

TEST(Simulator, ErrorNamesTheLowestAgentThatFailed) {
  for (unsigned threads : {1u, 2u}) {
    Simulator simulator(complete_graph(5), options(threads, 1));
    try {
      simulator.run<int>([](Channel& net) { return fail_if(net, 2); });
      FAIL() << "no error";
    } catch (const InputError& e) {
      EXPECT_STREQ(e.what(), "agent 2: cannot do it");
    }
  }
}

Task<int> wait_in_vain(Channel& net) {
  if (net.self() == 1) co_await net.receive(0, {0, 4, 1, Step::share});
  co_return 0;
}

TEST(Simulator, WaitingInVainIsAnErrorNotAHang) {
  Simulator simulator(complete_graph(3), options(2, 1));
  try {
    simulator.run<int>([](Channel& net) { return wait_in_vain(net); });
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "agent 1 waits for a message from agent 0 that was never sent: share of round 4 for "
                 "aggregator 1, run 0");
  }
}

Task<int> ping(Channel& net, int doubled) {
  const Tag early{0, 2, 0, Step::share}, first{0, 1, 0, Step::share};
  if (net.self() == 0) {
    net.send(1, early, net.buffer(2));
    for (int k = 0; k <= doubled; ++k) net.send(1, first, net.buffer(1));
    co_return 0;
  }
  const Payload one = co_await net.receive(0, first);
  const Payload two = co_await net.receive(0, early);
  co_return static_cast<int>(10 * one.size() + two.size());
}

TEST(Simulator, MessagesWaitForTheirTagAndDoublesAreRefused) {
  {
    Simulator simulator(Graph(2, {{0, 1}}), options(1, 1));
    EXPECT_EQ(simulator.run<int>([](Channel& net) { return ping(net, 0); })[1], 12);
  }
  Simulator simulator(Graph(2, {{0, 1}}), options(1, 1));
  try {
    simulator.run<int>([](Channel& net) { return ping(net, 1); });
    FAIL() << "accepted a message twice";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("sent a message to agent 1 twice"), std::string::npos) << e.what();
  }
}

Task<int> slow_then_quick(Channel& net) {
  const Tag slow{0, 1, 0, Step::share}, quick{0, 2, 0, Step::share};
  if (net.self() == 0) {
    net.send(1, slow, net.buffer(20));
    net.send(1, quick, net.buffer(1));
    co_return 0;
  }
  co_await net.receive(0, slow);
  co_await net.receive(0, quick);
  co_return 0;
}

TEST(Simulator, VirtualClockNeverGoesBack) {
  SimulatorOptions how = options(1, 1);
  how.network.bandwidth = 10;
  Simulator simulator(Graph(2, {{0, 1}}), how);
  simulator.run<int>([](Channel& net) { return slow_then_quick(net); });
  EXPECT_DOUBLE_EQ(simulator.cost().network_seconds, 2.0);
}

Task<int> talk_to_stranger(Channel& net) {
  if (net.self() == 0) net.send(2, {}, net.buffer(1));
  co_return 0;
}

TEST(Simulator, OnlyNeighboursCanTalk) {
  Simulator simulator(Graph(3, {{0, 1}, {1, 2}}), options(1, 1));
  EXPECT_THROW(simulator.run<int>([](Channel& net) { return talk_to_stranger(net); }), Error);
}

TEST(Simulator, AThousandAgentsFitInTwoGigabytes) {
  const Outcome outcome = simulate(ring_lattice(1000, 8), options(2, 1), 100, 100);
  EXPECT_EQ(outcome.cost.messages, 1000u * 100 * 60);
#ifndef TACIT_SANITIZED  // sanitizers keep freed memory
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 2'000'000) << "kilobytes";
#endif
}

}  // namespace
}  // namespace tacit
