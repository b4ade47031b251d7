// Members that stop, sleep or join at any moment, among 3, 4, 7 and 20 agents: what each of the others sees.
// docs/network.md has the table that these tests check.
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/process_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

Graph graph_of(std::size_t agents) { return agents > 7 ? ring_lattice(agents, 4) : complete_graph(agents); }

// What this roster returns in the program `adding`.
std::string sum_of(const std::vector<AgentId>& roster, std::size_t agents) {
  double sum = 0;
  for (const AgentId agent : roster) sum += term_of(agent, agents);
  return std::to_string(static_cast<int>(sum));
}

class DeadMember : public ::testing::TestWithParam<int> {
 protected:
  DeadMember() : network_(graph_of(agents())) {}
  std::size_t agents() const { return static_cast<std::size_t>(GetParam()); }

  // The victim stops at this moment of a run that agent 0 asks for. The run fails and names the victim. The
  // others can run without it at once, and with it when it is back.
  void stop_and_return(const std::string& how, const std::string& when) {
    SCOPED_TRACE(how + " at " + when);
    const auto victim = static_cast<AgentId>(agents() - 1);
    ASSERT_TRUE(network_.linked());
    network_[victim].tell(how + " " + when);
    ASSERT_EQ(network_[victim].hear().value_or("nothing"), "ready");
    network_[0].tell("ask");
    const std::string answer = network_[0].hear().value_or("nothing");
    EXPECT_TRUE(answer.starts_with("failed ")) << answer;
    EXPECT_TRUE(says(answer, "agent " + std::to_string(victim))) << answer;
    const std::string without = "ask without " + std::to_string(victim);
    for (const AgentId asker : {AgentId{0}, AgentId{1}})
      EXPECT_EQ(asked(asker, without), "done " + sum_of(network_.network().all_but({victim}), agents()));
    if (how == "die")
      network_.start(victim);
    else
      network_[victim].resume();
    ASSERT_TRUE(network_.linked());
    EXPECT_EQ(asked(victim, "ask"), "done " + sum_of(network_.network().everybody(), agents()));
  }

  // Neighbours report to an agent that has come back that they had lost it, which ends a run under way.
  std::string asked(AgentId asker, const std::string& what) {
    std::string answer;
    for (int tries = 0; tries < 10 && !answer.starts_with("done"); ++tries) {
      network_[asker].tell(what);
      answer = network_[asker].hear().value_or("nothing");
    }
    return answer;
  }

  ProcessNetwork network_;
};

TEST_P(DeadMember, KilledOrFrozenBeforeConsentAfterItOrInASum) {
  for (const std::string how : {"die", "freeze"})
    for (const std::string when : {"consent", "start", "sum"}) stop_and_return(how, when);
}

INSTANTIATE_TEST_SUITE_P(Of, DeadMember, ::testing::Values(3, 4, 7, 20));

class LiveMembers : public ::testing::TestWithParam<int> {
 protected:
  LiveMembers() : network_(graph_of(agents())), add_(adding(agents())) {}
  std::size_t agents() const { return static_cast<std::size_t>(GetParam()); }
  AgentId last() const { return static_cast<AgentId>(agents() - 1); }

  TestNetwork network_;
  NodeProgram add_;
};

// Its links stay up, as when a virtual machine is moved: the run continues.
TEST_P(LiveMembers, AMachineThatSleepsForAnHourBlamesNobody) {
  std::atomic<AwakeClock::Span> slept = AwakeClock::Span(0);
  NodeOptions sleepy = network_.options(last());
  sleepy.clock =
      std::make_shared<AwakeClock>([&] { return std::chrono::steady_clock::now() + slept.load(); });
  NodeProgram sleeping = add_;
  sleeping.consent = [&](const RunDescription&) {
    slept = slept.load() + 1h;
    return Consent{};
  };
  sleeping.program = [&](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    co_await add_.program(net, run);
    slept = slept.load() + 1h;
    co_return co_await add_.program(net, run);
  };
  NodeProgram twice = add_;
  twice.program = [&](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    co_await add_.program(net, run);
    co_return co_await add_.program(net, run);
  };
  network_.start(last(), sleeping, sleepy);
  network_.start(twice);
  network_.wait_for_links();
  for (const AgentId asker : {AgentId{0}, last()}) {
    const RunOutcome outcome = network_[asker].ask({"add", ""}, network_.everybody()).get();
    EXPECT_EQ(outcome.result, sum_of(network_.everybody(), agents())) << outcome.error;
  }
  EXPECT_TRUE(network_.wait_for_log(last(), "this machine did not run for 3600 s"));
  EXPECT_EQ(network_.logged(last(), "is lost"), 0u);
}

TEST_P(LiveMembers, AMemberThatJoinsWhileOthersRunHasItsTurnNext) {
  std::promise<void> joined;
  const std::shared_future<void> has_joined(joined.get_future());
  NodeProgram waiting = add_;
  waiting.program = [&](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    if (net.self() == 0 && run.originator == 0) has_joined.wait();
    co_return co_await add_.program(net, run);
  };
  for (AgentId agent = 0; agent < last(); ++agent) network_.start(agent, waiting);
  auto first = network_[0].ask({"add", ""}, network_.all_but({last()}));
  network_.start(last(), waiting);
  network_.wait_for_links();
  auto second = network_[last()].ask({"add", ""}, network_.everybody());
  joined.set_value();
  const RunOutcome without = first.get(), with = second.get();
  EXPECT_EQ(without.result, sum_of(network_.all_but({last()}), agents())) << without.error;
  EXPECT_EQ(with.result, sum_of(network_.everybody(), agents())) << with.error;
}

INSTANTIATE_TEST_SUITE_P(Of, LiveMembers, ::testing::Values(3, 4, 7, 20));

}  // namespace
}  // namespace tacit
