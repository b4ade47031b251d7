// Members that stop, sleep or join at any moment, among 3, 4, 7 and 20 agents: what each of the others sees.
// docs/network.md has the table that these tests check.
#include <fmt/format.h>
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

  AgentId last() const { return static_cast<AgentId>(agents() - 1); }

  void will_stop(AgentId victim, const std::string& how, const std::string& when) {
    ASSERT_TRUE(network_.linked());
    network_[victim].tell(how + " " + when);
    ASSERT_EQ(network_[victim].hear().value_or("nothing"), "ready");
  }

  // The victim stops at this moment of a run that agent 0 asks for. The run fails and names the victim. The
  // others can run without it at once, and with it when it is back.
  void stop_and_return(const std::string& how, const std::string& when) {
    SCOPED_TRACE(how + " at " + when);
    const AgentId victim = last();
    const std::size_t before = network_.log_of(1).size();
    will_stop(victim, how, when);
    network_[0].tell("ask");
    const std::string answer = network_[0].hear().value_or("nothing");
    EXPECT_TRUE(answer.starts_with("failed ")) << answer;
    EXPECT_TRUE(says(answer, "agent " + std::to_string(victim))) << answer;
    if (when == "consent") {
      EXPECT_TRUE(says(answer, "did not answer; a run needs all agents of its roster")) << answer;
      EXPECT_TRUE(network_.logs(1, {"does not start here"}, before)) << network_.log_of(1);
    } else {
      EXPECT_TRUE(
          says(answer, "was lost before the run ended: there was no link to it for timeouts.loss = ") ||
          says(answer, "ended the run: it lost agent "))
          << answer;
      EXPECT_TRUE(network_.logs(1, {"the run failed: ", "agent " + std::to_string(victim), " lost "}, before))
          << network_.log_of(1);
    }
    EXPECT_TRUE(network_.logs(1, {who_is(victim) + " is lost: no link for timeouts.loss = 1500 ms"}, before))
        << network_.log_of(1);
    others_run_without(victim, {0, 1});
    comes_back(victim, how);
  }

  // The agent whose owner asks for the run stops in a sum.
  void asker_stops_and_returns(const std::string& how) {
    SCOPED_TRACE("the asker: " + how);
    const std::size_t before = network_.log_of(1).size();
    will_stop(0, how, "sum");
    network_[0].tell("ask");
    EXPECT_TRUE(network_.logs(1, {"the run failed: ", "agent 0", " lost "}, before)) << network_.log_of(1);
    EXPECT_TRUE(network_.logs(1, {who_is(0) + " is lost: no link for timeouts.loss = 1500 ms"}, before))
        << network_.log_of(1);
    others_run_without(0, {1, last()});
    comes_back(0, how);
  }

  static std::string who_is(AgentId agent) { return fmt::format("agent {0} (agent-{0})", agent); }

  void others_run_without(AgentId victim, const std::vector<AgentId>& askers) {
    const std::string without = "ask without " + std::to_string(victim);
    for (const AgentId asker : askers)
      EXPECT_EQ(asked(asker, without), "done " + sum_of(network_.network().all_but({victim}), agents()));
  }

  void comes_back(AgentId victim, const std::string& how) {
    if (how == "die") {
      network_.start(victim);
    } else {
      network_[victim].resume();
      if (victim == 0) {
        EXPECT_TRUE(network_[0].hear().value_or("nothing").starts_with("failed "));
      }
    }
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

TEST_P(DeadMember, AnAskerThatStopsInItsOwnRunIsNamedByTheOthers) {
  asker_stops_and_returns("freeze");
  asker_stops_and_returns("die");
}

// The others lose it. When it wakes, it does not blame them.
TEST_P(DeadMember, AnAskerWhoseMachineSleepsForAnHourReportsThat) {
  will_stop(last(), "sleep", "sum");
  network_[last()].tell("ask");
  network_[last()].wait_until_stopped();
  EXPECT_TRUE(network_.logs(1, {who_is(last()) + " is lost: no link for timeouts.loss = 1500 ms"}))
      << network_.log_of(1);
  others_run_without(last(), {0, 1});
  network_[last()].resume();
  const std::string answer = network_[last()].hear().value_or("nothing");
  EXPECT_TRUE(answer.starts_with("failed this machine did not run for 36")) << answer;
  EXPECT_FALSE(says(answer, "(agent-")) << answer;
  EXPECT_TRUE(network_.logs(last(), {"this machine did not run for 36", " s: it was suspended"}));
  ASSERT_TRUE(network_.linked());
  EXPECT_EQ(asked(last(), "ask"), "done " + sum_of(network_.network().everybody(), agents()));
}

INSTANTIATE_TEST_SUITE_P(Of, DeadMember, ::testing::Values(3, 4, 7, 20));

// No member dies, so a busy machine gets time to start them and their links.
Timeouts patient_timeouts() {
  Timeouts timeouts = short_timeouts();
  timeouts.loss = timeouts.gather = 60s;
  return timeouts;
}

class LiveMembers : public ::testing::TestWithParam<int> {
 protected:
  LiveMembers() : network_(graph_of(agents()), patient_timeouts()), add_(adding(agents())) {}
  std::size_t agents() const { return static_cast<std::size_t>(GetParam()); }
  AgentId last() const { return static_cast<AgentId>(agents() - 1); }

  TestNetwork network_;
  NodeProgram add_;
};

// Its links stay up, as when a virtual machine is moved: the run continues.
TEST_P(LiveMembers, AMachineThatSleepsForAnHourBlamesNobody) {
  std::atomic<AwakeClock::Span> slept = AwakeClock::Span(0);
  NodeOptions sleepy = network_.options(last());
  sleepy.clock = std::make_shared<AwakeClock>([&] { return AwakeClock::since_boot() + slept.load(); });
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
  const std::size_t lost = network_.logged(last(), "is lost");  // on a busy machine, before all have started
  for (const AgentId asker : {AgentId{0}, last()}) {
    const RunOutcome outcome = network_[asker].ask({"add", ""}, network_.everybody()).get();
    EXPECT_EQ(outcome.result, sum_of(network_.everybody(), agents())) << outcome.error;
  }
  EXPECT_TRUE(network_.wait_for_log(last(), "this machine did not run for 3600 s"));
  EXPECT_EQ(network_.logged(last(), "is lost"), lost);
  network_.stop(last());  // before its clock
}

// Its announcements carry other times and numbers, and no wait depends on them.
TEST_P(LiveMembers, AnAskerWhoseClockIsAnHourAheadOrBehindRunsAsUsual) {
  const auto off = std::make_shared<std::atomic<std::int64_t>>(0);  // milliseconds
  NodeOptions wrong = network_.options(0);
  wrong.calendar = [off, usual = wrong.calendar] {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(usual()) + off->load());
  };
  network_.start(0, add_, wrong);
  network_.start(add_);
  network_.wait_for_links();
  const std::int64_t hour = std::chrono::milliseconds(1h).count();
  for (const std::int64_t now : {-hour, hour, -hour, std::int64_t{0}}) {  // it is set while the agent runs
    *off = now;
    auto own = network_[0].ask({"add", ""}, network_.everybody());
    auto other = network_[last()].ask({"add", ""}, network_.everybody());
    for (auto* one : {&own, &other}) {
      const RunOutcome outcome = one->get();
      EXPECT_EQ(outcome.result, sum_of(network_.everybody(), agents())) << outcome.error;
    }
  }
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
