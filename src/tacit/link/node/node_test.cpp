#include "tacit/link/node/node.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/node_testing.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/run/statement.hpp"

namespace tacit {
namespace {

using namespace testing;

TEST(Node, ThreeAgentsAddUpOverLoopback) {
  TestNetwork network(ring_lattice(3, 2));
  network.start(adding(3));
  network.wait_for_links();
  for (AgentId originator = 0; originator < 3; ++originator) {
    const RunOutcome outcome = network[originator].ask({"add", ""}, network.everybody()).get();
    EXPECT_EQ(sum_in(outcome), 111);
  }
}

TEST(Node, AllAskAtOnceAndAllAreServed) {
  TestNetwork network(ring_lattice(5, 2));
  std::atomic<int> under_way{0}, most{0};
  NodeProgram program = adding(5);
  program.program = [&, add = program.program](tacit::Run& net,
                                               const RunDescription& run) -> Task<std::string> {
    if (net.self() == run.originator) most = std::max(most.load(), ++under_way);
    std::string sum = co_await add(net, run);
    if (net.self() == run.originator) --under_way;
    co_return sum;
  };
  network.start(program);
  network.wait_for_links();
  std::vector<std::future<RunOutcome>> asked;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (AgentId i = 0; i < 5; ++i) asked.push_back(network[i].ask({"add", ""}, network.everybody()));
  for (auto& one : asked) EXPECT_EQ(sum_in(one.get()), 11111);
  EXPECT_EQ(most, 1) << "runs at a time";
}

TEST(Node, ARefusalFailsTheRunWithItsCode) {
  TestNetwork network(ring_lattice(4, 2));
  NodeProgram program = adding(4);
  network.start(0, program);
  network.start(1, program);
  network.start(3, program);
  program.consent = [](const RunDescription& run) {
    if (run.request.kind != "add") return Consent{};
    return Consent{.refusal = Reason{ReasonCode::version_taken, 7}, .log = "a secret of agent 2"};
  };
  network.start(2, program);
  network.wait_for_links();
  const RunOutcome refused = network[0].ask({"add", ""}, network.everybody()).get();
  EXPECT_FALSE(refused.done);
  EXPECT_EQ(
      refused.error,
      "agent 2 (agent-2) refuses: a model of this version was already signed (the newest is version 7); fit "
      "again");
  ASSERT_TRUE(refused.refusal);
  EXPECT_EQ(refused.refusal->code, ReasonCode::version_taken);
  EXPECT_EQ(refused.refusal->detail, 7u);
  EXPECT_EQ(refused.refused_by, 2u);
  EXPECT_GE(network.logged(2, "a secret of agent 2"), 1u) << "its own log has its own text";
  EXPECT_EQ(sum_in(network[0].ask({"sum", ""}, network.everybody()).get()), 1111);
}

TEST(Node, AnAgentOutsideTheRosterOnlyRelays) {
  TestNetwork network(ring_lattice(5, 2));  // agent 0 reaches agents 2 and 3 only through other agents
  network.start(adding(5));
  network.wait_for_links();
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, {0, 1, 2}).get()), 111);
  EXPECT_EQ(network[4].status().done, 0u);
  const RunOutcome apart = network[0].ask({"add", ""}, {0, 2, 3}).get();
  EXPECT_EQ(
      apart.error,
      "agent 2 (agent-2), agent 3 (agent-3) cannot be reached over links that both of their agents report; "
      "check the links between the agents");
  for (const std::vector<AgentId>& bad : {std::vector<AgentId>{1, 2}, {0}, {0, 0, 1}, {1, 0}, {0, 9}, {}})
    EXPECT_TRUE(network[0].ask({"add", ""}, bad).get().bad_input);
}

TEST(Node, NoRunExcludesALostAgentUnlessAsked) {
  TestNetwork network(ring_lattice(5, 4));
  network.start(adding(5));
  network.wait_for_links();
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, network.everybody()).get()), 11111);
  network.stop(3);
  const RunOutcome all = network[1].ask({"add", ""}, network.everybody()).get();
  EXPECT_EQ(all.error, "agent-3 (agent 3) did not answer; a run needs all agents of its roster");
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, network.all_but({3})).get()), 10111);
  network.start(3, adding(5));
  network.wait_for_links();
  EXPECT_EQ(sum_in(network[3].ask({"add", ""}, network.everybody()).get()), 11111);
}

// A complete graph in which two agents cannot reach each other.
TEST(Node, ALinkThatIsMissingIsLeftOutOfTheGathering) {
  TestNetwork network(complete_graph(4));
  NodeProgram program = adding(4);
  program.program = [add = program.program](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    const std::string sum = co_await add(net, run);
    const Graph& links = net.gathering().graph;
    if (links.adjacent(0, 1) || links.edges() != 5) throw Error("the gathering has other links");
    co_return sum;
  };
  for (AgentId i = 0; i < 4; ++i) {
    NodeOptions options = network.options(i);
    if (i < 2) options.everybody[1 - i].address.clear();  // neither dials the other
    network.start(i, program, options);
  }
  for (const AgentId i : {2u, 3u}) ASSERT_TRUE(network[i].wait_for_links(20s));
  ASSERT_TRUE(network.wait_for_log(0, "agent 1 (agent-1) is lost"));
  ASSERT_TRUE(network.wait_for_log(1, "agent 0 (agent-0) is lost"));
  // The agents that have lost no neighbour ask first.
  for (const AgentId i : {2u, 3u, 0u, 1u})
    EXPECT_EQ(sum_in(network[i].ask({"add", ""}, network.everybody()).get()), 1111);
}

TEST(Node, TheConsensusFailsLoudlyWhenAnAgentIsLostOnTheWay) {
  const Graph graph = ring_lattice(6, 4);
  PlanRequest request;
  request.iterations = 400;
  const ConsensusPlan plan = make_plan(graph, request);
  TestNetwork network(graph);
  std::promise<void> reached;
  NodeProgram program;
  program.program = [&](tacit::Run& net, const RunDescription&) -> Task<std::string> {
    (void)co_await secure_average(net, plan, Values(1, 0.5));
    if (net.self() == 4) {
      reached.set_value();
      (void)co_await net.receive(3,
                                 {1000, 0, 0, Step::share});  // never; the others are in the second average
    }
    (void)co_await secure_average(net, plan, Values(1, 0.5));
    co_return "done";
  };
  network.start(program);
  network.wait_for_links();
  auto asked = network[0].ask({"average", ""}, network.everybody());
  reached.get_future().wait();
  network.stop(4);
  const RunOutcome outcome = asked.get();
  EXPECT_FALSE(outcome.done);
  EXPECT_TRUE(says(outcome.error, "agent 4")) << outcome.error;
}

TEST(Node, SilenceEndsARunWithTheNameOfTheTimeout) {
  Timeouts timeouts = short_timeouts();
  timeouts.silence = 300ms;
  TestNetwork network(complete_graph(3), timeouts);
  NodeProgram program;
  program.program = [](tacit::Run& net, const RunDescription&) -> Task<std::string> {
    if (net.self() == 0) (void)co_await net.receive(1, {0, 7, 1, Step::masked});
    co_return "done";
  };
  network.start(program);
  network.wait_for_links();
  const RunOutcome outcome = network[0].ask({"wait", ""}, network.everybody()).get();
  EXPECT_TRUE(says(outcome.error, "timeouts.silence = 300 ms")) << outcome.error;
  EXPECT_TRUE(says(outcome.error, "agent 1")) << outcome.error;
}

// On a path, the reason passes through two other agents.
TEST(Node, AllAgentsLearnWhoEndedARunAndItsCodeOnly) {
  TestNetwork network(Graph(4, {{0, 1}, {1, 2}, {2, 3}}));
  std::vector<std::promise<RunOutcome>> outcomes(4);
  for (AgentId i = 0; i < 4; ++i) {
    NodeProgram program = adding(4);
    program.program = [add = program.program](tacit::Run& net,
                                              const RunDescription& run) -> Task<std::string> {
      if (net.self() == 3) throw InputError("row 7 makes no sense");
      co_return co_await add(net, run);
    };
    program.ended = [&outcomes, i](const RunDescription&, const RunOutcome& outcome) {
      outcomes[i].set_value(outcome);
    };
    network.start(i, program);
  }
  network.wait_for_links();
  const std::string words =
      "agent 3 (agent-3) ended the run: its own data or numbers do not fit the agreement; its log has the "
      "details";
  EXPECT_EQ(network[0].ask({"add", ""}, network.everybody()).get().error, words);
  for (AgentId i = 0; i < 3; ++i) EXPECT_EQ(outcomes[i].get_future().get().error, words) << "agent " << i;
  const RunOutcome own = outcomes[3].get_future().get();
  EXPECT_EQ(own.error, "row 7 makes no sense");
  EXPECT_TRUE(own.bad_input);
}

TEST(Node, AnAgentThatViolatesTheProtocolIsNamed) {
  TestNetwork network(Graph(3, {{0, 1}, {1, 2}}));
  NodeProgram program;
  program.program = [](tacit::Run& net, const RunDescription&) -> Task<std::string> {
    if (net.self() == 2) throw Misbehaviour(1, "agent 1 sent rubbish");
    (void)co_await net.receive(net.self() == 0 ? 1 : 2, {0, 0, 0, Step::share});
    co_return "done";
  };
  network.start(program);
  network.wait_for_links();
  EXPECT_EQ(network[0].ask({"add", ""}, network.everybody()).get().error,
            "agent 2 (agent-2) ended the run: it found that agent 1 violated the protocol; its log has the "
            "details");
}

// Otherwise it could hold the others again at once, for ever.
TEST(Node, AnAskerThatViolatesTheProtocolInItsOwnRunMustWait) {
  TestNetwork network(complete_graph(3));
  std::atomic<int> runs = 0;
  NodeProgram program = adding(3);
  program.program = [&, add = program.program](tacit::Run& net,
                                               const RunDescription& run) -> Task<std::string> {
    if (net.self() == 0 && runs++ == 0) throw Misbehaviour(2, "agent 2 sent rubbish");
    co_return co_await add(net, run);
  };
  network.start(program);
  network.wait_for_links();
  EXPECT_FALSE(network[2].ask({"add", ""}, network.everybody()).get().done);
  EXPECT_EQ(sum_in(network[2].ask({"add", ""}, network.everybody()).get()), 111) << "after it has waited";
  EXPECT_GE(network.logged(2,
                           "agent 0 (agent-0) refuses: the asker announced or began runs without completing "
                           "them, and must wait"),
            1u)
      << network.log_of(2);
}

TEST(Node, StoppingEndsEverythingAtOnce) {
  TestNetwork network(complete_graph(3));
  std::promise<void> begun;
  NodeProgram program;
  program.program = [&](tacit::Run& net, const RunDescription&) -> Task<std::string> {
    if (net.self() == 0) begun.set_value();
    (void)co_await net.receive((net.self() + 1) % 3, {0, 0, 0, Step::share});
    co_return "never";
  };
  network.start(program);
  network.wait_for_links();
  auto running = network[0].ask({"wait", ""}, network.everybody()),
       queued = network[0].ask({"wait", ""}, network.everybody());
  begun.get_future().wait();
  EXPECT_EQ(network[0].status().running, "wait");
  EXPECT_EQ(network[0].status().waiting, 1u);
  network.stop(0);
  EXPECT_TRUE(says(running.get().error, "this agent is stopping"));
  EXPECT_TRUE(says(queued.get().error, "this agent is stopping"));
}

// A node that is stopping does not wait for a run that starts. Its event loop usually handles the start after
// the thread that runs protocols has ended.
TEST(Node, StoppingWhileARunStartsHangsNoAgent) {
  for (int k = 0; k < 100; ++k) {
    TestNetwork network{Graph(1, {})};
    NodeProgram program;
    program.program = [](tacit::Run&, const RunDescription&) -> Task<std::string> { co_return "alone"; };
    network.start(program);
    auto asked = network[0].ask({"add", ""}, {0});
    network.stop(0);
    const RunOutcome outcome = asked.get();
    EXPECT_TRUE(outcome.done || says(outcome.error, "this agent is stopping")) << outcome.error;
  }
}

// When the node is destroyed, payloads wait in the event loop and in runs that may start. Their pool must be
// destroyed last.
TEST(Node, StoppingWithMessagesUnreadFreesThemInOrder) {
  TestNetwork network(complete_graph(3));
  std::promise<void> asked, go_on;
  NodeProgram program = adding(3);
  network.start(1, program);
  network.start(2, program);
  std::shared_future<void> gone_on = go_on.get_future();
  std::atomic<bool> first = true;
  program.consent = [&](const RunDescription&) {
    if (first.exchange(false)) asked.set_value();
    gone_on.wait();
    return Consent{};
  };
  network.start(0, program);
  network.wait_for_links();
  std::vector<std::future<RunOutcome>> coming;
  for (AgentId i : {1u, 2u})
    coming.push_back(network[i].ask({"add", std::string(100'000, 'x')}, network.everybody()));
  asked.get_future().wait();
  std::thread stopping([&] { network.stop(0); });
  go_on.set_value();
  stopping.join();
  network.stop(1);
  network.stop(2);
  for (auto& one : coming) (void)one.get();
}

TEST(Node, NoExceptionOfAProgramEndsMoreThanItsRun) {
  TestNetwork network(complete_graph(3));
  NodeProgram program = adding(3);
  program.program = [add = program.program](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    if (run.request.kind == "program") throw std::out_of_range("map::at");
    co_return co_await add(net, run);
  };
  program.ended = [](const RunDescription& run, const RunOutcome&) {
    if (run.request.kind == "ended") throw std::runtime_error("the disk is full");
  };
  network.start(0, program);
  network.start(1, program);
  program.consent = [](const RunDescription& run) {
    if (run.request.kind == "consent") throw std::logic_error("no such row");
    return Consent{};
  };
  network.start(2, program);
  network.wait_for_links();
  EXPECT_TRUE(says(network[0].ask({"program", ""}, network.everybody()).get().error, "map::at"));
  EXPECT_EQ(sum_in(network[0].ask({"ended", ""}, network.everybody()).get()), 111);
  EXPECT_TRUE(says(network[0].ask({"consent", ""}, network.everybody()).get().error,
                   "agent 2 (agent-2) refuses: it could not decide"));
  EXPECT_GE(network.logged(2, "no such row"), 1u)
      << network.log_of(2);  // the announcement may arrive from both
  EXPECT_EQ(sum_in(network[2].ask({"add", ""}, network.everybody()).get()), 111);
}

TEST(Node, AnAskBeyondTheQueueIsRefusedWithAReason) {
  TestNetwork network{Graph(1, {})};
  std::promise<void> asked, go_on;
  std::shared_future<void> gone_on = go_on.get_future();
  std::atomic<bool> first = true;
  NodeProgram program;
  program.consent = [&](const RunDescription&) {
    if (first.exchange(false)) asked.set_value();
    gone_on.wait();
    return Consent{.refusal = Reason{ReasonCode::may_not_ask}, .log = "not today"};
  };
  network.start(program);
  std::vector<std::future<RunOutcome>> all;
  all.push_back(network[0].ask({"add", ""}, network.everybody()));
  asked.get_future().wait();
  for (int k = 0; k < 10'001; ++k) all.push_back(network[0].ask({"add", ""}, network.everybody()));
  EXPECT_EQ(all.back().wait_for(0s), std::future_status::ready);
  EXPECT_TRUE(says(all.back().get().error, "too many waiting requests"));
  EXPECT_EQ(network[0].status().waiting, 10'001u);
  go_on.set_value();
  all.pop_back();
  for (auto& one : all) EXPECT_TRUE(says(one.get().error, "not today"));
}

// Many sums on one roster, as in tuning. One of the four agents is absent and not in the roster.
TEST(Node, ThreeOfFourAgentsAddUpAsOftenAsTheyLike) {
  Timeouts timeouts = short_timeouts();
  timeouts.loss = 3s;  // links come up within this time even on a busy machine
  TestNetwork network(complete_graph(4), timeouts);
  NodeProgram program = adding(4);
  program.program = [add = program.program](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    std::string sum;
    for (int k = 0; k < 30; ++k) {
      // Delays the asker, so that the others' parts have arrived when it begins to add.
      if (net.self() == run.originator) std::this_thread::sleep_for(2ms);
      sum = co_await add(net, run);
    }
    co_return sum;
  };
  for (AgentId i = 0; i < 3; ++i) network.start(i, program);
  for (int k = 0; k < 20; ++k)
    EXPECT_EQ(sum_in(network[static_cast<AgentId>(k % 3)].ask({"add", ""}, {0, 1, 2}).get()), 111)
        << "run " << k;
}

// Links need time to come up. A request made before then waits for them, up to timeouts.loss.
TEST(Node, AskedRightAfterItsStartItWaitsForItsLinks) {
  TestNetwork network(complete_graph(4));
  network.start(adding(4));
  EXPECT_EQ(sum_in(network[2].ask({"add", ""}, network.everybody()).get()), 1111) << "all are new";
  for (const AgentId late : {3u, 0u, 1u}) {
    network.stop(late);
    for (AgentId i = 0; i < 4; ++i)
      if (i != late) {
        ASSERT_TRUE(network.wait_for_log(
            i, "agent " + std::to_string(late) + " (agent-" + std::to_string(late) + ") is lost"));
      }
    network.start(late, adding(4));
    EXPECT_EQ(sum_in(network[late].ask({"add", ""}, network.everybody()).get()), 1111)
        << "only agent " << late << " is new";
  }
}

TEST(Node, StatusShowsNeighboursAndRuns) {
  TestNetwork network(ring_lattice(4, 2));
  network.start(adding(4));
  network.wait_for_links();
  EXPECT_EQ(sum_in(network[1].ask({"add", ""}, network.everybody()).get()), 1111);
  const NodeStatus status = network[1].status();
  ASSERT_EQ(status.neighbours.size(), 2u);
  EXPECT_EQ(status.neighbours[0].name, "agent-0");
  EXPECT_TRUE(status.neighbours[0].up);
  EXPECT_GT(status.neighbours[0].bytes_sent, 0u);
  EXPECT_EQ(status.neighbours[0].streams, 1u);
  EXPECT_EQ(status.done, 1u);
}

TEST(Node, TwoProcessesCannotShareAJournalOrAPort) {
  TestNetwork network(complete_graph(3));
  network.start(0, adding(3));
  EXPECT_THROW(Node(network.options(0), adding(3)), Error);
  NodeOptions other = network.options(1);
  other.listen = network.options(0).listen;
  EXPECT_TRUE(says(error_of<ListenError>([&] { Node(other, adding(3)); }),
                   "cannot listen on " + other.listen + ": another program uses the port"));
}

}  // namespace
}  // namespace tacit
