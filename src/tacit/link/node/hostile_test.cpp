// Members of the charter that violate the protocol, against real agents over real links: they harm only
// themselves, and the log names them.
#include "tacit/link/node/hostile_testing.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/node_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

std::uint32_t number_of(ReasonCode code) { return static_cast<std::uint32_t>(code); }

// The hostile agent is between the two others, which have no link. It can send them different announcements.
TEST(Hostile, DifferentRequestsUnderOneNameStartNowhere) {
  TestNetwork network(Graph(3, {{0, 1}, {1, 2}}));
  for (const AgentId i : {0u, 2u}) network.start(i, adding(3));
  Hostile left(network.options(1), 0), right(network.options(1), 2);
  ASSERT_TRUE(left.join());
  ASSERT_TRUE(right.join());
  const Announced one = signed_run(left.options(), {0, 1, 2}, "the victim's points");
  const Announced other = signed_run(left.options(), {0, 1, 2}, "points far away", one.run.name);
  left.announce(one);
  right.announce(other);
  const auto yes = left.hear_reply(one.run.name), other_yes = right.hear_reply(one.run.name);
  ASSERT_TRUE(yes && other_yes);
  EXPECT_EQ(yes->word(), wire::Reply::READY);
  EXPECT_EQ(other_yes->word(), wire::Reply::READY);
  wire::Reply own;
  own.set_word(wire::Reply::READY);
  for (const AgentId j : {0, 2}) own.add_linked(j);
  for (const auto& [what, stream] : {std::pair(&one, &left), std::pair(&other, &right)}) {
    Replies replies;
    *replies.Add() = *yes;
    *replies.Add() = signed_reply(own, what->digest, left.options());
    *replies.Add() = *other_yes;
    stream->tell(start_of(*what, replies, left.options()));
  }
  EXPECT_TRUE(network.wait_for_log(
      0,
      "agent 2 (agent-2) has agreed to a different announcement than this agent in the run "
      "that agent 1 (agent-1) announced: agent-1 sent the two different announcements"));
  EXPECT_TRUE(
      network.wait_for_log(2, "agent 0 (agent-0) has agreed to a different announcement than this agent"));
  EXPECT_EQ(network[0].status().done + network[0].status().failed, 0u) << "the run must not begin";
  // The hostile agent must wait.
  const Announced next = signed_run(left.options(), {0, 1, 2});
  left.announce(next);
  const auto refused = left.hear_reply(next.run.name);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code(), number_of(ReasonCode::must_wait));
}

// The same on a complete graph, where honest agents receive both announcements.
TEST(Hostile, DifferentRequestsUnderOneNameMeetWhereHonestAgentsAreLinked) {
  TestNetwork network(complete_graph(4));
  for (AgentId i = 0; i < 3; ++i) network.start(i, adding(4));
  Hostile first(network.options(3), 0), second(network.options(3), 1);
  ASSERT_TRUE(first.join());
  ASSERT_TRUE(second.join());
  const Announced one = signed_run(first.options(), {0, 1, 2, 3}, "one");
  first.announce(one);
  second.announce(signed_run(first.options(), {0, 1, 2, 3}, "other", one.run.name));
  const std::string words = "agent 3 (agent-3) sent two different announcements of one run";
  EXPECT_TRUE(network.wait_for_log(0, words) || network.wait_for_log(1, words));
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, {0, 1, 2}).get()), 111) << "the other agents still work";
}

TEST(Hostile, ARelayCannotAnswerForOthers) {
  TestNetwork network(Graph(3, {{0, 1}, {1, 2}}));
  network.start(0, adding(3));
  Hostile relay(network.options(1), 0);
  ASSERT_TRUE(relay.join());
  auto asked = network[0].ask({"add", ""}, network.everybody());
  const auto header = relay.hear([](const wire::Header& one) { return one.has_announcement(); });
  ASSERT_TRUE(header);
  const Announced what = announced_in(*header, "", relay.options());
  wire::Header answer;
  answer.mutable_answer()->set_run(to_field(what.run.name));
  wire::Reply ready;
  ready.set_word(wire::Reply::READY);
  ready.add_linked(1);
  wire::Reply& forged = *answer.mutable_answer()->add_replies();
  forged = signed_reply(ready, what.digest, relay.options());
  forged.set_agent(2);
  relay.tell(answer);
  const RunOutcome outcome = asked.get();
  EXPECT_FALSE(outcome.done);
  EXPECT_TRUE(says(outcome.error, "agent 2 (agent-2)")) << outcome.error;
  EXPECT_EQ(
      network.logged(0,
                     "agent 1 (agent-1) passed on an answer of agent 2 (agent-2), which that agent has not "
                     "signed: it is ignored"),
      1u)
      << network.log_of(0);
}

TEST(Hostile, AnAnnouncementIsRefusedBeforeItIsQueuedUnlessItKeepsTheRules) {
  TestNetwork network(complete_graph(3));
  for (const AgentId i : {0u, 1u}) network.start(i, adding(3));
  Hostile rogue(network.options(2), 0);
  ASSERT_TRUE(rogue.join());
  Announced forged = signed_run(rogue.options(), {0, 1, 2});
  forged.header.mutable_announcement()->set_originator(1);
  rogue.announce(forged);
  EXPECT_TRUE(network.wait_for_log(
      0,
      "refused an announcement that agent 2 (agent-2) sent: an announcement is not signed by "
      "the agent that it names, agent 1 (agent-1)"));
  Announced changed = signed_run(rogue.options(), {0, 1, 2}, "one");
  changed.run.request.body = "two";
  rogue.announce(changed);
  EXPECT_TRUE(network.wait_for_log(0, "that it names, agent 2 (agent-2)"));
  for (const std::vector<AgentId>& bad :
       {std::vector<AgentId>{}, {2}, {0, 1}, {2, 0}, {0, 2, 2}, {0, 2, 9}}) {
    Announced what = signed_run(rogue.options(), {0, 1, 2});
    what.header.mutable_announcement()->clear_roster();
    for (const AgentId agent : bad) what.header.mutable_announcement()->add_roster(agent);
    rogue.announce(what);
  }
  Announced coloured = signed_run(rogue.options(), {0, 1, 2});
  coloured.header.mutable_announcement()->set_kind("\x1b[31madd");
  rogue.announce(coloured);
  EXPECT_TRUE(network.wait_for_log(0, "must have 1 to 32 lower-case letters"));
  EXPECT_TRUE(network.wait_for_log(0, "the roster must list agents of the charter in ascending order"));
  EXPECT_TRUE(network.wait_for_log(0, "at least two agents must take part"));
  EXPECT_TRUE(network.wait_for_log(0, "the asker must take part"));
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, {0, 1}).get()), 11);
  EXPECT_EQ(network.logged(0, "stream closed"), 0u) << "no stream may be closed";
}

TEST(Hostile, AnOversizeAnnouncementClosesItsStreamAndNothingElse) {
  TestNetwork network(complete_graph(3));
  for (const AgentId i : {0u, 1u}) network.start(i, adding(3));
  NodeOptions without_limit = network.options(2);
  without_limit.most_request_bytes = SIZE_MAX;
  Hostile rogue(without_limit, 0);
  ASSERT_TRUE(rogue.join());
  rogue.announce(signed_run(rogue.options(), {0, 1, 2}, std::string((1u << 20) + 1, 'x')));
  EXPECT_TRUE(rogue.is_closed());
  EXPECT_EQ(
      network.logged(0,
                     "agent 2 (agent-2): announced a request of 1048577 bytes; the limit is 1048576; stream "
                     "closed"),
      1u)
      << network.log_of(0);
  EXPECT_EQ(sum_in(network[1].ask({"add", ""}, {0, 1}).get()), 11);
  EXPECT_TRUE(says(network[1].ask({"add", std::string((1u << 20) + 1, 'x')}, {0, 1}).get().error,
                   "the request has 1048577 bytes, above the limit of 1048576"));
}

// Announcements that wait while the other agents are in a run.
TEST(Hostile, ManyBigAnnouncementsBehindARunAreBounded) {
  Timeouts timeouts = short_timeouts();
  timeouts.gather = 3s;
  timeouts.start = 500ms;
  TestNetwork network(complete_graph(4), timeouts);
  std::promise<void> begun, go_on;
  std::shared_future<void> gone_on = go_on.get_future();
  NodeProgram program = adding(4);
  program.program = [&, gone_on, add = program.program](tacit::Run& net,
                                                        const RunDescription& run) -> Task<std::string> {
    if (net.self() == 0 && run.request.kind == "wait") {
      begun.set_value();
      gone_on.wait();
    }
    co_return co_await add(net, run);
  };
  for (AgentId i = 0; i < 3; ++i) network.start(i, program);
  const auto kept = [&] {
    for (const NeighbourStatus& one : network[0].status().neighbours)
      if (one.agent == 3) return one.kept_bytes;
    return std::size_t{0};
  };
  Hostile rogue(network.options(3), 0);
  ASSERT_TRUE(rogue.join());
  auto running = network[1].ask({"wait", ""}, {0, 1, 2});
  begun.get_future().wait();
  for (int k = 0; k < 40; ++k) {
    rogue.announce(signed_run(rogue.options(), {0, 1, 2, 3}, std::string(1'000'000, 'x')));
    EXPECT_LE(kept(), 4u << 20);
    std::this_thread::sleep_for(2ms);  // the next announcement has a later number
  }
  // Frames about an unknown run.
  wire::Header rubbish;
  rubbish.mutable_answer()->set_run(to_field(random_name()));
  for (int k = 0; k < 1000; ++k) rogue.tell(rubbish);
  EXPECT_LE(kept(), 4u << 20);
  go_on.set_value();
  EXPECT_EQ(sum_in(running.get()), 111);
  EXPECT_EQ(sum_in(network[2].ask({"add", ""}, {0, 1, 2}).get()), 111);
  rogue.tell(rubbish);
  for (int k = 0; k < 1000 && kept() > (2u << 20); ++k) std::this_thread::sleep_for(10ms);
  EXPECT_LE(kept(), 2u << 20) << "at most the announcement that is pending";
}

// While one agent's policy decides slowly, everything else waits.
TEST(Hostile, ANeighbourThatExceedsItsBudgetLosesItsStream) {
  TestNetwork network(complete_graph(3));
  std::promise<void> asked, go_on;
  std::shared_future<void> gone_on = go_on.get_future();
  NodeProgram program = adding(3);
  network.start(1, program);
  std::atomic<bool> first = true;
  program.consent = [&](const RunDescription&) {
    if (first.exchange(false)) {
      asked.set_value();
      gone_on.wait();
    }
    return Consent{};
  };
  network.start(0, program);
  {
    Hostile rogue(network.options(2), 0);
    ASSERT_TRUE(rogue.join());
    auto one = network[1].ask({"add", ""}, {0, 1});
    asked.get_future().wait();
    for (int k = 0; k < 40; ++k)
      rogue.announce(signed_run(rogue.options(), {0, 1, 2}, std::string(1'000'000, 'x')));
    EXPECT_TRUE(rogue.is_closed());
    EXPECT_EQ(
        network.logged(0, "agent 2 (agent-2): announced more than this agent can handle; stream closed"), 1u)
        << network.log_of(0);
    std::size_t kept = 0;
    for (const NeighbourStatus& neighbour : network[0].status().neighbours) kept += neighbour.kept_bytes;
    EXPECT_GT(kept, 3u << 20);
    EXPECT_LE(kept, 4u << 20);
    go_on.set_value();
    EXPECT_EQ(sum_in(one.get()), 11);
  }
  EXPECT_TRUE(network.wait_for_log(0, "agent 2 (agent-2) is lost"));
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, {0, 1}).get()), 11);
  for (const NeighbourStatus& neighbour : network[0].status().neighbours) EXPECT_EQ(neighbour.kept_bytes, 0u);
}

// Agent 2 has announced a run, and agent 0 is ready for it.
class HostileOriginator : public ::testing::Test {
 protected:
  TestNetwork network{complete_graph(3)};
  std::optional<Hostile> stream;
  Announced what;

  void SetUp() override {
    for (const AgentId i : {0u, 1u}) network.start(i, adding(3));
    Hostile& rogue = stream.emplace(network.options(2), 0);
    ASSERT_TRUE(rogue.join());
    what = signed_run(rogue.options(), {0, 1, 2});
    rogue.announce(what);
    ASSERT_TRUE(rogue.hear_reply(what.run.name));
  }
};

// Messages of a run that has not started are charged to the sender's budget.
TEST_F(HostileOriginator, MessagesOfARunThatHasNotStartedAreBounded) {
  Hostile& rogue = *stream;
  for (std::uint32_t k = 0; k < 20; ++k) {
    wire::Header header;
    *header.mutable_message() = to_wire(what.run.name, {k, 0, 0, Step::share});
    rogue.tell(header, std::string(1'000'000, 'x'));
  }
  const auto quit = rogue.hear([](const wire::Header& one) { return one.has_quit(); });
  ASSERT_TRUE(quit);
  EXPECT_EQ(quit->quit().code(), number_of(ReasonCode::overflowed));
  for (const NeighbourStatus& one : network[0].status().neighbours) EXPECT_LE(one.kept_bytes, 4u << 20);
  rogue.tell(cancel_of(what.run.name, what.digest, rogue.options()));
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, {0, 1}).get()), 11);
  for (const NeighbourStatus& one : network[0].status().neighbours) EXPECT_EQ(one.kept_bytes, 0u);
}

// An originator may start a run with some agents and withdraw it from others.
TEST_F(HostileOriginator, AnAgentThatHasStartedARunIsNotifiedWhenItDoesNotStartHere) {
  Hostile& rogue = *stream;
  wire::Header header;
  *header.mutable_message() = to_wire(what.run.name, {0, 0, 0, Step::share});
  rogue.tell(header, "early");
  rogue.tell(cancel_of(what.run.name, what.digest, rogue.options()));
  const auto quit = rogue.hear([](const wire::Header& one) { return one.has_quit(); });
  ASSERT_TRUE(quit);
  EXPECT_EQ(quit->quit().code(), number_of(ReasonCode::no_part));
  EXPECT_TRUE(is_signed(quit->quit(), what.digest, rogue.options()));
}

TEST(Hostile, NoAgentCanReportThatAnotherHasLeft) {
  TestNetwork network(complete_graph(4));
  NodeProgram program = adding(4);
  std::promise<void> begun, go_on;
  std::shared_future<void> gone_on = go_on.get_future();
  program.program = [&, gone_on, add = program.program](tacit::Run& net,
                                                        const RunDescription& run) -> Task<std::string> {
    if (net.self() == 0) {
      begun.set_value();
      gone_on.wait();
    }
    co_return co_await add(net, run);
  };
  for (AgentId i = 0; i < 3; ++i) network.start(i, program);
  Hostile outsider(network.options(3), 0);
  ASSERT_TRUE(outsider.join());
  auto asked = network[1].ask({"add", ""}, {0, 1, 2});
  begun.get_future().wait();
  const auto start = outsider.hear([](const wire::Header& one) { return one.has_start(); });
  ASSERT_TRUE(start);
  const Name run = name_from(start->start().run());
  wire::Header header;
  *header.mutable_quit() = quit_of(run, bound_to_name(run), {ReasonCode::failed}, outsider.options());
  outsider.tell(header);  // its own quit of a run that it does not take part in
  header.mutable_quit()->set_author(2);
  outsider.tell(header);
  EXPECT_TRUE(network.wait_for_log(0, "agent 3 (agent-3) reported that agent "));
  go_on.set_value();
  EXPECT_EQ(sum_in(asked.get()), 111);
}

TEST(Hostile, AnAskerThatNeverStartsDoesNotBlockOthers) {
  Timeouts timeouts = short_timeouts();
  timeouts.gather = 2s;
  timeouts.start = 500ms;
  timeouts.keepalive = 20s;  // the rogue answers no pings, and must not count as lost before the timeout
  // Agent 1 has no link to the rogue: if it had one and lost it, it would cancel the rogue's run.
  TestNetwork network(Graph(3, {{0, 1}, {0, 2}}), timeouts);
  for (const AgentId i : {0u, 1u}) network.start(i, adding(3));
  Hostile rogue(network.options(2), 0);
  ASSERT_TRUE(rogue.join());
  const Announced what = signed_run(rogue.options(), {0, 1, 2});
  rogue.announce(what);
  ASSERT_TRUE(rogue.hear_reply(what.run.name));
  EXPECT_EQ(sum_in(network[1].ask({"add", ""}, {0, 1}).get()), 11) << "after the timeout";
  EXPECT_TRUE(network.wait_for_log(
      0, "agent 2 (agent-2) announced a run of kind add and neither started nor withdrew it within"))
      << network.log_of(0) << network.log_of(1);
}

}  // namespace
}  // namespace tacit
