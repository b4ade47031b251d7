// Agents on a network that delays, cuts and repeats data: every answer is correct, or the run fails.
#include <gtest/gtest.h>

#include <atomic>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/node_testing.hpp"
#include "tacit/link/node/proxy_testing.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {
namespace {

using namespace testing;

// A test network in which every link runs through a proxy of its own, in each direction.
struct FaultyNetwork {
  FaultyNetwork(const Graph& graph, Faults faults) : network(graph, long_timeouts()) {
    for (const auto& [i, j] : graph.edge_list())
      for (const auto& [from, to] : {Edge{i, j}, Edge{j, i}})
        proxies.emplace(Edge{from, to},
                        std::make_unique<Proxy>(network.address(to), faults, drawn + 1000 * from + to));
  }

  // On a busy machine, links need time to come back.
  static Timeouts long_timeouts() {
    Timeouts timeouts = short_timeouts();
    timeouts.loss = 6s;
    timeouts.gather = 15s;
    return timeouts;
  }

  void start(const NodeProgram& program) {
    for (AgentId i = 0; i < network.agents(); ++i) {
      NodeOptions options = network.options(i);
      for (const auto& [edge, proxy] : proxies)
        if (edge.first == i) options.everybody[edge.second].address = proxy->address();
      network.start(i, program, options);
    }
    network.wait_for_links();
  }

  std::uint64_t total(std::uint64_t (Proxy::*count)() const) const {
    std::uint64_t all = 0;
    for (const auto& [edge, proxy] : proxies) all += ((*proxy).*count)();
    return all;
  }

  const std::uint64_t drawn = seed();
  const ::testing::ScopedTrace trace{__FILE__, __LINE__, "TACIT_SEED=" + std::to_string(drawn)};
  std::map<Edge, std::unique_ptr<Proxy>> proxies;  // must outlive the agents
  TestNetwork network;
};

TEST(BadNetwork, DelaysChangeNothing) {
  FaultyNetwork bad(ring_lattice(5, 2), {.delay_ms = 8});
  bad.start(adding(5));
  for (int k = 0; k < 5; ++k)
    EXPECT_EQ(sum_in(bad.network[0].ask({"add", ""}, bad.network.everybody()).get()), 11111);
}

TEST(BadNetwork, EverySumIsThatOfItsRosterHoweverConnectionsAreCutAndRepeated) {
  FaultyNetwork bad(ring_lattice(5, 4), {});
  bad.start(adding(5));
  for (const auto& [edge, proxy] : bad.proxies) proxy->become({.delay_ms = 1, .cut = 0.02, .repeat = 0.01});
  int complete = 0;
  for (int k = 0; k < 20; ++k) {
    const auto originator = static_cast<AgentId>(k % 5);
    const RunOutcome outcome = bad.network[originator].ask({"add", ""}, bad.network.everybody()).get();
    EXPECT_FALSE(says(outcome.error, "A WRONG NUMBER"));
    EXPECT_NE(outcome.done, !outcome.error.empty());
    if (outcome.done && sum_in(outcome) == 11111) ++complete;
  }
  EXPECT_GT(complete, 5) << "a link that comes back in time must not end a run";
  EXPECT_GT(bad.total(&Proxy::cuts), 5u);
  EXPECT_GT(bad.total(&Proxy::repeats), 2u);
}

class CutNetwork : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CutNetwork, EverySumIsThatOfItsRosterOrTheRunFails) {
  const std::size_t agents = GetParam();
  FaultyNetwork bad(agents > 7 ? ring_lattice(agents, 4) : complete_graph(agents), {});
  bad.start(adding(agents));
  double expected = 0;
  for (AgentId i = 0; i < agents; ++i) expected += term_of(i, agents);
  for (const auto& [edge, proxy] : bad.proxies) proxy->become({.cut = 0.01});
  for (AgentId asker = 0; asker < 3 || bad.total(&Proxy::cuts) == 0; ++asker) {
    const RunOutcome outcome = bad.network[asker % 3].ask({"add", ""}, bad.network.everybody()).get();
    EXPECT_NE(outcome.done, !outcome.error.empty());
    if (outcome.done) {
      EXPECT_EQ(sum_in(outcome), expected);
    }
  }
  for (const auto& [edge, proxy] : bad.proxies) proxy->become({});
  bad.network.wait_for_links();
  EXPECT_EQ(sum_in(bad.network[0].ask({"add", ""}, bad.network.everybody()).get()), expected);
}

INSTANTIATE_TEST_SUITE_P(Of, CutNetwork, ::testing::Values(3, 4, 7, 20));

TEST(BadNetwork, TheConsensusComesThroughCutsToTheSameBits) {
  const Graph graph = ring_lattice(5, 4);
  PlanRequest request;
  request.iterations = 10;
  request.dimension = 200;
  const ConsensusPlan plan = make_plan(graph, request);
  FaultyNetwork bad(graph, {});
  std::atomic<bool> cutting = false;
  NodeProgram program;
  program.program = [&](tacit::Run& net, const RunDescription&) -> Task<std::string> {
    Values average(200, 0.1 * net.self());
    for (const auto& [edge, proxy] : bad.proxies) {
      if (cutting && net.self() == 0) proxy->cut_all();  // while other agents are in the next round
      average = co_await secure_average(net, plan, average);
    }
    co_return std::string(reinterpret_cast<const char*>(average.data()), average.size() * sizeof(double));
  };
  bad.start(program);
  const RunOutcome expected = bad.network[0].ask({"average", ""}, bad.network.everybody()).get();
  ASSERT_TRUE(expected.done) << expected.error;
  cutting = true;
  for (int k = 0; k < 4; ++k) {
    const RunOutcome outcome = bad.network[0].ask({"average", ""}, bad.network.everybody()).get();
    EXPECT_TRUE(outcome.done) << outcome.error;
    EXPECT_EQ(outcome.result, expected.result);
  }
}

TEST(BadNetwork, ALinkThatIsCutComesBackAndResendsWhatWasLost) {
  FaultyNetwork bad(complete_graph(3), {});
  bad.start(adding(3));
  for (int k = 0; k < 10; ++k) {
    for (const auto& [edge, proxy] : bad.proxies) proxy->cut_all();
    EXPECT_EQ(sum_in(bad.network[1].ask({"add", ""}, bad.network.everybody()).get()), 111);
  }
  EXPECT_GT(bad.network[1].status().neighbours[0].streams, 5u);
}

}  // namespace
}  // namespace tacit
