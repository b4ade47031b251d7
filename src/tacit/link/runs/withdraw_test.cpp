// Requests that their askers withdraw: in the queue, and during a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/hostile_testing.hpp"
#include "tacit/link/node/node_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

struct Withdrawing : ::testing::Test {
  TestNetwork network{complete_graph(3)};
  std::mutex guard;
  std::condition_variable changed;
  int inside = 0;
  std::map<AgentId, RunOutcome> ends;  // of runs of kind "wait"

  void SetUp() override {
    for (AgentId i = 0; i < 3; ++i) {
      NodeProgram program = adding(3);
      program.program = [this, add = program.program](tacit::Run& net, const RunDescription& run) {
        return run.request.kind == "wait" ? wait_for_ever(net) : add(net, run);
      };
      program.ended = [this, i](const RunDescription& run, const RunOutcome& outcome) {
        if (run.request.kind != "wait") return;
        const std::lock_guard lock(guard);
        ends[i] = outcome;
        changed.notify_all();
      };
      network.start(i, program);
    }
    network.wait_for_links();
  }

  Task<std::string> wait_for_ever(tacit::Run& net) {
    {
      const std::lock_guard lock(guard);
      ++inside;
      changed.notify_all();
    }
    (void)co_await net.receive((net.self() + 1) % 3, {1000, 0, 0, Step::share});
    co_return "";
  }

  struct Asked {
    std::uint64_t number = 0;
    std::future<RunOutcome> outcome;
  };
  Asked ask(AgentId who, const std::string& kind) {
    const auto promise = std::make_shared<std::promise<RunOutcome>>();
    Asked asked{0, promise->get_future()};
    asked.number = network[who].ask({kind, ""}, network.everybody(), [promise](RunOutcome outcome) {
      promise->set_value(std::move(outcome));
    });
    return asked;
  }
  template <class Enough>
  bool wait_until(Enough&& enough) {
    std::unique_lock lock(guard);
    return changed.wait_for(lock, 20s, enough);
  }
};

TEST_F(Withdrawing, ARunUnderWayEndsEverywhereAndTheNextOneIsServed) {
  Asked asked = ask(0, "wait");
  ASSERT_TRUE(wait_until([&] { return inside == 3; }));
  network[0].withdraw(asked.number);
  const RunOutcome own = asked.outcome.get();
  EXPECT_TRUE(own.withdrawn && own.began && !own.done) << own.error;
  ASSERT_TRUE(wait_until([&] { return ends.size() == 3; }));
  for (const auto& [agent, outcome] : ends) EXPECT_TRUE(outcome.withdrawn) << agent << ": " << outcome.error;
  // The others make the asker wait, for the time in its log. Then it asks again automatically.
  EXPECT_EQ(sum_in(ask(0, "add").outcome.get()), 111);
  EXPECT_GE(network.logged(0, "without completing them, and must wait"), 1u) << network.log_of(0);
  EXPECT_EQ(sum_in(ask(1, "add").outcome.get()), 111);
  for (const AgentId i : {0u, 1u, 2u}) {
    EXPECT_EQ(network[i].status().withdrawn, 1u) << i;
    EXPECT_EQ(network[i].status().failed, 0u) << i;
  }
}

TEST_F(Withdrawing, ARequestInTheQueueNeverStartsAndTouchesNoOther) {
  Asked first = ask(0, "wait");
  ASSERT_TRUE(wait_until([&] { return inside == 3; }));
  Asked second = ask(0, "add"), elsewhere = ask(1, "add"), last = ask(0, "add");
  network[0].withdraw(second.number);
  network[1].withdraw(elsewhere.number);
  for (Asked* one : {&second, &elsewhere}) {
    const RunOutcome outcome = one->outcome.get();
    EXPECT_TRUE(outcome.withdrawn && !outcome.began) << outcome.error;
  }
  EXPECT_EQ(network[0].status().waiting, 1u);
  network[0].withdraw(first.number);
  EXPECT_TRUE(first.outcome.get().withdrawn);
  EXPECT_EQ(sum_in(last.outcome.get()), 111);
}

TEST_F(Withdrawing, WhatIsDoneStaysDone) {
  Asked asked = ask(0, "add");
  EXPECT_EQ(sum_in(asked.outcome.get()), 111);
  network[0].withdraw(asked.number);
  network[0].withdraw(4711);
  EXPECT_EQ(sum_in(ask(0, "add").outcome.get()), 111);
  EXPECT_EQ(network[0].status().withdrawn, 0u);
}

// Only the asker can withdraw. The same code from another agent is a failure.
TEST(Withdrawal, OfAnothersRunIsAFailure) {
  TestNetwork network(complete_graph(3));
  NodeProgram program = adding(3);
  program.program = [add = program.program](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    if (net.self() == 1) throw Leaves({ReasonCode::withdrawn}, "not the asker");
    co_return co_await add(net, run);
  };
  network.start(program);
  network.wait_for_links();
  const RunOutcome outcome = network[0].ask({"add", ""}, network.everybody()).get();
  EXPECT_FALSE(outcome.done || outcome.withdrawn);
  EXPECT_TRUE(says(outcome.error, "agent 1 (agent-1) ended the run")) << outcome.error;
  EXPECT_EQ(network[0].status().failed, 1u);
}

// An agent with another wire version takes the place of agent 1.
struct OtherVersion : ::testing::TestWithParam<std::uint32_t> {};

TEST_P(OtherVersion, IsNamedInStatusAndInTheErrorOfARequest) {
  TestNetwork network(complete_graph(3));
  for (const AgentId i : {0u, 2u}) {
    NodeOptions options = network.options(i);
    options.release = "0.9";
    network.start(i, adding(3), options);
  }
  const std::uint32_t version = GetParam();
  const std::string words =
      version < wire_version
          ? fmt::format(
                "agent 1 (agent-1) runs an older Tacit (0.1.0, wire {}) than agent 0 (agent-0) (0.9, "
                "wire {}): upgrade agent-1",
                version, wire_version)
          : fmt::format(
                "agent 0 (agent-0) runs an older Tacit (0.9, wire {}) than agent 1 (agent-1) (0.1.0, "
                "wire {}): upgrade agent-0",
                wire_version, version);
  Hostile other(network.options(1), 0);
  wire::Hello hello = other.hello();
  hello.set_version(version);
  hello.set_release("0.1.0");
  other.say(hello);
  EXPECT_TRUE(other.is_refused(words));
  const NeighbourStatus status = network[0].status().neighbours[0];
  EXPECT_EQ(status.refusal, words);
  EXPECT_EQ(status.release, "0.1.0");
  const RunOutcome outcome = network[0].ask({"add", ""}, network.everybody()).get();
  EXPECT_TRUE(says(outcome.error, "there is no link to agent-1: " + words)) << outcome.error;
  EXPECT_FALSE(says(outcome.error, "did not answer")) << outcome.error;
}

INSTANTIATE_TEST_SUITE_P(Wire, OtherVersion, ::testing::Values(wire_version - 1, wire_version + 1));

}  // namespace
}  // namespace tacit
