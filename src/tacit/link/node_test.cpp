#include "tacit/link/node.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node_testing.h"
#include "tacit/protocol/consensus.hpp"

namespace tacit {
namespace {

using namespace testing;

TEST(Node, ThreeAgentsAddUpOverLoopback) {
  Town town(ring_lattice(3, 2));
  town.start(adding(3));
  town.wait_for_links();
  for (AgentId originator = 0; originator < 3; ++originator) {
    const RunOutcome outcome = town[originator].ask({"add", ""}).get();
    EXPECT_EQ(sum_in(outcome), 111);
    EXPECT_EQ(outcome.present, (std::vector<AgentId>{0, 1, 2}));
  }
}

TEST(Node, AllAskAtOnceAndEverybodyIsServed) {
  Town town(ring_lattice(5, 2));
  std::atomic<int> under_way{0}, most{0};
  NodeProgram program = adding(5);
  program.program = [&, add = program.program](Channel& net, const tacit::Run& run) -> Task<std::string> {
    if (net.self() == run.originator) most = std::max(most.load(), ++under_way);
    std::string sum = co_await add(net, run);
    if (net.self() == run.originator) --under_way;
    co_return sum;
  };
  town.start(program);
  town.wait_for_links();
  std::vector<std::future<RunOutcome>> asked;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (AgentId i = 0; i < 5; ++i) asked.push_back(town[i].ask({"add", ""}, {.everybody = true}));
  for (auto& one : asked) EXPECT_EQ(sum_in(one.get()), 11111);
  EXPECT_EQ(most, 1) << "runs at a time";
}

TEST(Node, ARefusalFailsTheRunWithItsReason) {
  Town town(ring_lattice(4, 2));
  NodeProgram program = adding(4);
  town.start(0, program);
  town.start(1, program);
  town.start(3, program);
  program.consent = [](const tacit::Run& run) {
    return run.request.kind == "add" ? Consent{Consent::Word::no, "no more sums today"} : Consent{};
  };
  town.start(2, program);
  town.wait_for_links();
  const RunOutcome refused = town[0].ask({"add", ""}).get();
  EXPECT_FALSE(refused.done);
  EXPECT_EQ(refused.error, "agent 2 (agent-2) refuses: no more sums today");
  EXPECT_EQ(sum_in(town[0].ask({"sum", ""}).get()), 1111);
}

TEST(Node, WhoSitsOutIsLeftOut) {
  Town town(complete_graph(4));
  NodeProgram program = adding(4);
  town.start(0, program);
  town.start(1, program);
  town.start(3, program);
  program.consent = [](const tacit::Run&) { return Consent{Consent::Word::sits_out, "no model"}; };
  town.start(2, program);
  town.wait_for_links();
  const RunOutcome outcome = town[0].ask({"add", ""}).get();
  EXPECT_EQ(sum_in(outcome), 1011);
  EXPECT_EQ(outcome.present, (std::vector<AgentId>{0, 1, 3}));
  const RunOutcome all = town[0].ask({"add", ""}, {.everybody = true}).get();
  EXPECT_TRUE(says(all.error, "agent 2 (agent-2) sits out: no model")) << all.error;
}

TEST(Node, GoesOnWithoutALostAgentAndTakesItBack) {
  Town town(ring_lattice(5, 4));
  town.start(adding(5));
  town.wait_for_links();
  EXPECT_EQ(sum_in(town[0].ask({"add", ""}).get()), 11111);
  town.stop(3);
  const RunOutcome without = town[0].ask({"add", ""}).get();
  EXPECT_EQ(sum_in(without), 10111);
  EXPECT_EQ(without.present, (std::vector<AgentId>{0, 1, 2, 4}));
  const RunOutcome all = town[1].ask({"add", ""}, {.everybody = true}).get();
  EXPECT_EQ(all.error, "all agents must take part, but these do not: agent 3 (agent-3)");
  town.start(3, adding(5));
  town.wait_for_links();
  EXPECT_EQ(sum_in(town[3].ask({"add", ""}, {.everybody = true}).get()), 11111);
}

TEST(Node, TheConsensusFailsLoudlyWhenAnAgentIsLostOnTheWay) {
  const Graph graph = ring_lattice(6, 4);
  PlanRequest request;
  request.iterations = 400;
  const ConsensusPlan plan = make_plan(graph, request);
  Town town(graph);
  std::promise<void> reached;
  NodeProgram program;
  program.program = [&](Channel& net, const tacit::Run&) -> Task<std::string> {
    (void)co_await secure_average(net, plan, Values(1, 0.5));
    if (net.self() == 4) {
      reached.set_value();
      std::this_thread::sleep_for(200ms);  // the others wait for the second average
    }
    (void)co_await secure_average(net, plan, Values(1, 0.5));
    co_return "done";
  };
  town.start(program);
  town.wait_for_links();
  auto asked = town[0].ask({"average", ""}, {.everybody = true});
  reached.get_future().wait();
  town.stop(4);
  const RunOutcome outcome = asked.get();
  EXPECT_FALSE(outcome.done);
  EXPECT_TRUE(says(outcome.error, "agent 4")) << outcome.error;
}

TEST(Node, SilenceEndsARunWithTheNameOfTheTimeout) {
  Timeouts timeouts = short_timeouts();
  timeouts.silence = 300ms;
  Town town(complete_graph(3), timeouts);
  NodeProgram program;
  program.program = [](Channel& net, const tacit::Run&) -> Task<std::string> {
    if (net.self() == 0) (void)co_await net.receive(1, {0, 7, 1, Step::masked});
    if (net.self() == 1) (void)co_await net.next(0);
    co_return "done";
  };
  town.start(program);
  town.wait_for_links();
  const RunOutcome outcome = town[0].ask({"wait", ""}).get();
  EXPECT_TRUE(says(outcome.error, "timeouts.silence = 300 ms")) << outcome.error;
  EXPECT_TRUE(says(outcome.error, "agent 1")) << outcome.error;
}

TEST(Node, AnAgentWhoseProgramThrowsIsLeftOutByExact) {
  Town town(ring_lattice(4, 2));
  NodeProgram program = adding(4);
  program.program = [add = program.program](Channel& net, const tacit::Run& run) -> Task<std::string> {
    if (net.self() == 2) throw InputError("row 7 makes no sense");
    co_return co_await add(net, run);
  };
  town.start(program);
  town.wait_for_links();
  const RunOutcome outcome = town[0].ask({"add", ""}, {.fewest = 4}).get();
  EXPECT_EQ(sum_in(outcome), 1011) << "exact goes on without whoever leaves";
}

TEST(Node, StoppingEndsEverythingAtOnce) {
  Town town(complete_graph(3));
  NodeProgram program;
  program.program = [](Channel& net, const tacit::Run&) -> Task<std::string> {
    (void)co_await net.receive((net.self() + 1) % 3, {0, 0, 0, Step::share});
    co_return "never";
  };
  town.start(program);
  town.wait_for_links();
  auto running = town[0].ask({"wait", ""}), queued = town[0].ask({"wait", ""});
  while (town[0].status().running.empty()) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(town[0].status().waiting, 1u);
  town.stop(0);
  EXPECT_TRUE(says(running.get().error, "told to stop"));
  EXPECT_TRUE(says(queued.get().error, "told to stop"));
}

TEST(Node, StatusShowsNeighboursAndRuns) {
  Town town(ring_lattice(4, 2));
  town.start(adding(4));
  town.wait_for_links();
  EXPECT_EQ(sum_in(town[1].ask({"add", ""}).get()), 1111);
  const NodeStatus status = town[1].status();
  ASSERT_EQ(status.neighbours.size(), 2u);
  EXPECT_EQ(status.neighbours[0].name, "agent-0");
  EXPECT_TRUE(status.neighbours[0].up);
  EXPECT_GT(status.neighbours[0].bytes_sent, 0u);
  EXPECT_EQ(status.neighbours[0].streams, 1u);
  EXPECT_EQ(status.done, 1u);
}

TEST(Node, TwoProcessesCannotShareAJournalOrAPort) {
  Town town(complete_graph(3));
  town.start(0, adding(3));
  EXPECT_THROW(Node(town.options(0), adding(3)), Error);
  NodeOptions other = town.options(1);
  other.listen = town.options(0).listen;
  EXPECT_TRUE(says(refusal([&] { Node(other, adding(3)); }), "cannot listen on 127."));
}

}  // namespace
}  // namespace tacit
