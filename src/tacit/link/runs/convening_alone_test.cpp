// One agent that convenes with the test, which plays all other agents and can send it anything.
#include "tacit/link/runs/convening.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>

#include "tacit/graph/generators.hpp"
#include "tacit/link/runs/signed_run.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

// Agent 0 of four that are all linked to each other. The test plays the others, and everything that agent 0
// sends is recorded.
struct Alone final : Convening::Outside {
  Alone() {
    Prg prg = Prg::from_seed(1, "identities", 0);
    for (int i = 0; i < 4; ++i) identities.emplace_back(prg);
    options = as(0);
    convening = std::make_unique<Convening>(options, *this, 1);
  }
  NodeOptions as(AgentId agent) const {
    NodeOptions all;
    all.self = agent;
    for (AgentId i = 0; i < 4; ++i)
      all.everybody.push_back({"agent-" + std::to_string(i), "", "", identities[i].public_key()});
    all.graph = complete_graph(4);
    all.identity = &identities[agent];
    return all;
  }

  // A run that another agent asks for.
  Announced run_of(AgentId originator, std::vector<AgentId> roster = {0, 1, 2, 3}, std::string body = {},
                   Name name = random_name()) {
    return announce({.name = name,
                     .originator = originator,
                     .number = ++number,
                     .ticket = number,
                     .request = {"fit", std::move(body)},
                     .roster = std::move(roster)},
                    as(originator));
  }
  void hear(AgentId from, const Announced& what) {
    convening->announced(from, std::make_shared<Announced>(what));
  }
  wire::Reply ready(AgentId agent, const Digest& announcement) const {
    wire::Reply reply;
    reply.set_word(wire::Reply::READY);
    for (AgentId i = 0; i < 4; ++i)
      if (i != agent) reply.add_linked(i);
    return signed_reply(std::move(reply), announcement, as(agent));
  }
  // The last own reply of this agent.
  wire::Reply own() const {
    for (auto at = sent.rbegin(); at != sent.rend(); ++at)
      for (const wire::Reply& reply : at->second.answer().replies())
        if (reply.agent() == 0) return reply;
    return {};
  }
  std::size_t sent_to(AgentId agent, bool (wire::Header::*kind)() const) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        sent, [&](const auto& one) { return one.first == agent && (one.second.*kind)(); }));
  }
  // A start with these replies, signed by agent 1.
  wire::Header start_with(const Announced& what, const std::vector<wire::Reply>& replies) const {
    return start_of(what, {replies.begin(), replies.end()}, as(1));
  }
  std::vector<wire::Reply> all_ready(const Announced& what) const {
    return {own(), ready(1, what.digest), ready(2, what.digest), ready(3, what.digest)};
  }
  bool logs(const std::string& words) const { return logged.find(words) != std::string::npos; }
  // The runs that it has announced to agent 1, in order.
  std::vector<Announced> announced() const {
    std::vector<Announced> runs;
    for (const auto& [to, header] : sent)
      if (to == 1 && header.has_announcement()) runs.push_back(announced_in(header, "", options));
    return runs;
  }
  void pass(Convening::Time::duration time) {
    clock += time;
    convening->tick();
  }

  Convening::Time now() override { return clock; }
  std::uint64_t calendar() override { return 1; }
  void send(AgentId to, wire::Header header, std::string_view) override { sent.emplace_back(to, header); }
  std::vector<AgentId> neighbours() override { return {1, 2, 3}; }
  Consent consent(const RunDescription& run) override {
    ++considerations;
    considered = run;
    return opinion;
  }
  void refused(const RunDescription&, const std::string&) override { ++refusals; }
  std::string refusal_of(AgentId agent) override { return agent == 2 ? refused_link : ""; }
  std::uint64_t last_of(AgentId) override { return 0; }
  void expect(const Announced&) override { ++expected; }
  void forget(const RunDescription&, const std::string&) override { ++forgotten; }
  void start(const RunDescription& run, const Agreed& agreed) override {
    ++started;
    begun = run;
    last = agreed;
  }
  void failed(std::uint64_t, RunOutcome outcome) override { outcomes.push_back(std::move(outcome)); }
  void granted(std::uint64_t, const RunDescription&) override {}
  void log(LogLevel, AgentId, const std::string& text) override { logged += text + "\n"; }

  std::deque<Identity> identities;
  NodeOptions options;
  std::unique_ptr<Convening> convening;
  Convening::Time clock{};
  std::uint64_t number = 0;
  std::vector<std::pair<AgentId, wire::Header>> sent;
  std::vector<RunOutcome> outcomes;
  std::optional<Agreed> last;
  int expected = 0, forgotten = 0, started = 0, refusals = 0, considerations = 0;
  Consent opinion = {};
  RunDescription considered, begun;
  std::string refused_link = {};  // of agent 2
  std::string logged;
};

TEST(Convening, AStartWithAllConsentsIsFollowedByAll) {
  Alone agent;
  const Announced what = agent.run_of(1);
  agent.hear(1, what);
  EXPECT_TRUE(is_signed(agent.own(), agent.options));
  std::vector<wire::Reply> replies = agent.all_ready(what);
  replies[3].clear_linked();  // agent 3 has links to 0 and 1 only
  for (const AgentId j : {0, 1}) replies[3].add_linked(j);
  replies[3] = signed_reply(std::move(replies[3]), what.digest, agent.as(3));
  agent.convening->heard(2, agent.start_with(what, replies));
  ASSERT_EQ(agent.started, 1) << agent.logged;
  EXPECT_EQ(agent.last->gathering.roster, what.run.roster);
  EXPECT_EQ(agent.last->gathering.graph, Graph(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}));
  // The start of the transcript depends on all replies.
  std::vector<wire::Reply> other = agent.all_ready(what);
  EXPECT_NE(agent.last->start, agreed_on(what.digest, {other.begin(), other.end()}, complete_graph(4)).start);
}

// The program decodes a request for its consent, and does not decode it again when the run starts.
TEST(Convening, ARunStartsWithTheRequestThatWasDecodedForItsConsent) {
  Alone agent;
  agent.opinion.decoded = std::make_shared<const DecodedRequest>();
  const std::weak_ptr<const DecodedRequest> decoded = agent.opinion.decoded;
  const Announced what = agent.run_of(1);
  agent.hear(1, what);
  EXPECT_EQ(agent.considered.request.decoded, nullptr) << "it does not come from another agent";
  agent.opinion.decoded.reset();
  agent.convening->heard(2, agent.start_with(what, agent.all_ready(what)));
  ASSERT_EQ(agent.started, 1) << agent.logged;
  EXPECT_EQ(agent.begun.request.decoded, decoded.lock());
  agent.begun = {};
  EXPECT_TRUE(decoded.expired()) << "a run of which nobody holds a copy keeps its request";
}

TEST(Convening, ARunThatDoesNotStartDropsItsDecodedRequest) {
  Alone agent;
  const auto waits = [&] {
    agent.opinion.decoded = std::make_shared<const DecodedRequest>();
    const std::weak_ptr<const DecodedRequest> decoded = agent.opinion.decoded;
    agent.hear(1, agent.run_of(1));
    agent.opinion.decoded.reset();
    EXPECT_FALSE(decoded.expired());
    return decoded;
  };
  auto decoded = waits();
  agent.convening->lost(1);
  EXPECT_TRUE(decoded.expired());
  agent.pass(std::chrono::hours(1));  // the penalty of agent 1
  decoded = waits();
  agent.pass(std::chrono::hours(1));  // it neither starts nor withdraws the run
  EXPECT_TRUE(decoded.expired());
  EXPECT_EQ(agent.started, 0);
}

// An agent makes its own request when its user asks. It stays the same if the run is announced several times.
TEST(Convening, AnOwnRequestIsNotDecoded) {
  Alone agent;
  const auto decoded = std::make_shared<const DecodedRequest>();
  agent.opinion.decoded = decoded;
  agent.convening->ask(1, {"fit", "", decoded}, {0, 1});
  EXPECT_EQ(agent.considered.request.decoded, decoded);
  agent.considered = {};
  const auto answer = [&](const wire::Reply& reply) {
    wire::Header header;
    header.mutable_answer()->set_run(to_field(agent.announced().back().run.name));
    *header.mutable_answer()->add_replies() = reply;
    agent.convening->heard(1, header);
  };
  wire::Reply busy;
  busy.set_word(wire::Reply::BUSY);
  busy.set_in_the_way(9);
  answer(signed_reply(std::move(busy), agent.announced().back().digest, agent.as(1)));
  agent.pass(200ms);
  ASSERT_EQ(agent.announced().size(), 2u);
  EXPECT_EQ(agent.considered.request.decoded, decoded);
  answer(agent.ready(1, agent.announced().back().digest));
  ASSERT_EQ(agent.started, 1) << agent.logged;
  EXPECT_EQ(agent.begun.request.decoded, decoded);
}

TEST(Convening, AStartIsNotFollowedUnlessAllHaveAgreedToTheSame) {
  using Change = std::function<void(Alone&, const Announced&, std::vector<wire::Reply>&)>;
  const std::vector<std::pair<Change, std::string>> changes = {
      {[](Alone& agent, const Announced& what, auto& replies) {
         const Announced other = agent.run_of(1, {0, 1, 2, 3}, "something else", what.run.name);
         replies[2] = agent.ready(2, other.digest);
       },
       "agent 2 (agent-2) has agreed to a different announcement than this agent in the run that agent 1 "
       "(agent-1) announced: agent-1 sent the two different announcements"},
      {[](Alone&, const Announced&, auto& replies) { replies.pop_back(); },
       "agent 1 (agent-1) starts a run with other agents than it announced"},
      {[](Alone&, const Announced&, auto& replies) { replies[2] = replies[1]; },
       "agent 1 (agent-1) starts a run with other agents than it announced"},
      {[](Alone&, const Announced&, auto& replies) { replies[2].set_detail(7); },
       "with an answer that agent 2 (agent-2) has not signed"},
      {[](Alone& agent, const Announced& what, auto& replies) {
         replies[3].set_word(wire::Reply::REFUSES);
         replies[3] = signed_reply(std::move(replies[3]), what.digest, agent.as(3));
       },
       "although agent 3 (agent-3) is not ready for it"},
      {[](Alone& agent, const Announced& what, auto& replies) {
         replies[0].clear_linked();  // signed by this agent, but never sent
         replies[0] = signed_reply(std::move(replies[0]), what.digest, agent.as(0));
       },
       "with an answer that this agent did not give"},
  };
  for (const auto& [change, words] : changes) {
    Alone agent;
    const Announced what = agent.run_of(1);
    agent.hear(1, what);
    std::vector<wire::Reply> replies = agent.all_ready(what);
    change(agent, what, replies);
    agent.convening->heard(1, agent.start_with(what, replies));
    EXPECT_EQ(agent.started, 0) << words;
    EXPECT_TRUE(agent.logs(words)) << agent.logged;
    EXPECT_TRUE(agent.convening->idle());
    EXPECT_EQ(agent.sent_to(3, &wire::Header::has_quit), 1u) << "the other agents must be notified";
    // The originator must wait.
    agent.hear(1, agent.run_of(1));
    EXPECT_EQ(agent.own().code(), static_cast<std::uint32_t>(ReasonCode::must_wait));
  }
}

TEST(Convening, AStartOrCancellationThatItsAuthorHasNotSignedIsIgnored) {
  Alone agent;
  const Announced what = agent.run_of(1, {0, 1, 2});
  agent.hear(1, what);
  wire::Header start =
      agent.start_with(what, {agent.own(), agent.ready(1, what.digest), agent.ready(2, what.digest)});
  wire::Header forged = start;
  forged.mutable_start()->mutable_replies(2)->set_detail(1);
  agent.convening->heard(3, forged);
  EXPECT_TRUE(agent.logs("agent 3 (agent-3) passed on a start that agent 1 (agent-1) has not signed"));
  forged = cancel_of(what.run.name, what.digest, agent.as(3));
  agent.convening->heard(3, forged);
  EXPECT_TRUE(agent.logs("that agent may not cancel the run")) << agent.logged;
  forged.mutable_cancel()->set_author(1);
  agent.convening->heard(3, forged);
  EXPECT_TRUE(
      agent.logs("agent 3 (agent-3) passed on an invalid cancellation by agent 1 (agent-1): that agent has "
                 "not signed it"))
      << agent.logged;
  // A cancellation of another run with the same name.
  forged = cancel_of(what.run.name, agent.run_of(1, {0, 1, 2}, "other", what.run.name).digest, agent.as(1));
  agent.convening->heard(3, forged);
  EXPECT_FALSE(agent.convening->idle());
  agent.convening->heard(3, start);
  EXPECT_EQ(agent.started, 1) << agent.logged;
}

TEST(Convening, ACancellationByTheOriginatorCounts) {
  Alone agent;
  const Announced what = agent.run_of(1);
  agent.hear(1, what);
  agent.convening->heard(2, cancel_of(what.run.name, what.digest, agent.as(1)));
  EXPECT_TRUE(agent.convening->idle());
  agent.hear(3, what);  // late, by another route
  EXPECT_TRUE(agent.convening->idle());
}

TEST(Convening, TwoAnnouncementsUnderOneNameAreDetected) {
  Alone agent;
  const Announced what = agent.run_of(1);
  agent.hear(1, what);
  agent.hear(2, agent.run_of(1, {0, 1, 2, 3}, "something else", what.run.name));
  EXPECT_TRUE(agent.logs("agent 1 (agent-1) sent two different announcements of one run"));
  EXPECT_TRUE(agent.convening->idle());
  EXPECT_EQ(agent.own().code(), static_cast<std::uint32_t>(ReasonCode::misbehaved));
}

// Every agent that receives an announcement knows the name of its run. An agent outside the roster must not
// be able to use it to end the run, with the result that the honest originator is blamed and must wait.
TEST(Convening, NoAgentCanUseTheNameOfAnothersRun) {
  for (const std::vector<AgentId>& roster : {std::vector<AgentId>{0, 3}, {1, 3}}) {
    Alone agent;
    const Announced what = agent.run_of(1, {0, 1, 2});
    agent.hear(1, what);
    agent.hear(3, agent.run_of(3, roster, {}, what.run.name));
    EXPECT_TRUE(agent.logs("agent 3 (agent-3) announced a run under the name of a run of agent 1 (agent-1)"))
        << agent.logged;
    EXPECT_FALSE(agent.convening->idle()) << agent.logged;
    const std::vector<wire::Reply> ready{agent.own(), agent.ready(1, what.digest),
                                         agent.ready(2, what.digest)};
    agent.convening->heard(1, agent.start_with(what, ready));
    EXPECT_EQ(agent.started, 1) << agent.logged;
  }
}

// The same if this agent only relays the run: it must keep the route.
TEST(Convening, NoAgentCanUseTheNameOfARelayedRun) {
  Alone agent;
  const Announced what = agent.run_of(2, {2, 3});
  agent.hear(2, what);
  agent.hear(1, agent.run_of(1, {1, 3}, {}, what.run.name));
  wire::Header header;
  header.mutable_answer()->set_run(to_field(what.run.name));
  *header.mutable_answer()->add_replies() = agent.ready(3, what.digest);
  agent.convening->heard(3, header);
  EXPECT_EQ(agent.sent_to(2, &wire::Header::has_answer), 1u) << agent.logged;
  EXPECT_EQ(agent.sent_to(1, &wire::Header::has_answer), 0u);
}

// If the asker accepted a malformed answer and started, all other agents would blame the asker and make it
// wait. A list of a million links would take a hundred megabytes.
TEST(Convening, AnEmptyAnswerDoesNotCount) {
  const std::vector<std::function<void(wire::Reply&)>> changes = {
      [](wire::Reply& reply) { reply.set_word(wire::Reply::NONE); },
      [](wire::Reply& reply) { reply.set_word(static_cast<wire::Reply::Word>(7)); },
      [](wire::Reply& reply) { reply.add_linked(4); }, [](wire::Reply& reply) { reply.add_linked(1); }};
  for (const auto& change : changes) {
    Alone agent;
    agent.convening->ask(1, {"fit", ""}, {0, 1, 2});
    const Announced what = announced_in(agent.sent.front().second, "", agent.options);
    for (const AgentId j : {1, 2}) {
      wire::Reply reply = agent.ready(j, what.digest);
      if (j == 2) change(reply);
      wire::Header header;
      header.mutable_answer()->set_run(to_field(what.run.name));
      *header.mutable_answer()->add_replies() = signed_reply(std::move(reply), what.digest, agent.as(j));
      agent.convening->heard(j, header);
    }
    EXPECT_EQ(agent.started, 0);
    EXPECT_TRUE(agent.logs("agent 2 (agent-2) passed on an answer of agent 2 (agent-2), which is malformed"))
        << agent.logged;

    Alone other;  // the originator starts a run with such an answer
    const Announced run = other.run_of(1);
    other.hear(1, run);
    std::vector<wire::Reply> replies = other.all_ready(run);
    change(replies[2]);
    replies[2] = signed_reply(std::move(replies[2]), run.digest, other.as(2));
    other.convening->heard(1, other.start_with(run, replies));
    EXPECT_EQ(other.started, 0) << other.logged;
  }
}

// Cancellations are kept after their charge was returned, so they must be small.
TEST(Convening, ACancellationOfNoAnnouncementIsNotKept) {
  Alone agent;
  wire::Header header = cancel_of(random_name(), Digest{}, agent.as(1));
  agent.convening->heard(1, header);
  EXPECT_TRUE(agent.logged.empty()) << "a cancellation may arrive before its announcement";
  wire::Cancel& cancel = *header.mutable_cancel();
  cancel.set_announcement(std::string(1 << 20, 'x'));
  const std::uint32_t author = 1;
  const Digest text =
      digest_of({bytes_of("tacit cancel"), bytes_of(cancel.announcement()), bytes_of(author)});
  const Signature signature = agent.identities[1].sign(text);
  cancel.set_signature(signature.data(), signature.size());
  agent.convening->heard(1, header);
  EXPECT_TRUE(agent.logs("an invalid cancellation by agent 1 (agent-1)")) << agent.logged;
}

TEST(Convening, AForgedAnswerIsIgnoredAndItsRelayNamed) {
  Alone agent;
  agent.convening->ask(1, {"fit", ""}, {0, 1, 2});
  const wire::Header& announcement = agent.sent.front().second;
  const Announced what = announced_in(announcement, "", agent.options);
  wire::Header header;
  header.mutable_answer()->set_run(to_field(what.run.name));
  wire::Reply& reply = *header.mutable_answer()->add_replies();
  reply = agent.ready(2, what.digest);
  reply.clear_linked();
  agent.convening->heard(3, header);
  EXPECT_TRUE(agent.logs(
      "agent 3 (agent-3) passed on an answer of agent 2 (agent-2), which that agent has not signed"))
      << agent.logged;
  reply = agent.ready(3, what.digest);
  agent.convening->heard(1, header);
  EXPECT_TRUE(agent.logs(
      "agent 1 (agent-1) passed on an answer of agent 3 (agent-3), which does not take part in the run"))
      << agent.logged;
  reply = agent.ready(2, agent.run_of(0).digest);
  agent.convening->heard(2, header);
  EXPECT_TRUE(agent.logs("which does not answer this agent's announcement")) << agent.logged;
  EXPECT_EQ(agent.started, 0);
}

TEST(Convening, TheRunStartsOnceTheRosterIsReadyWhateverOthersDo) {
  Alone agent;  // agent 3, which is not in the roster, never answers
  agent.convening->ask(1, {"fit", ""}, {0, 1, 2});
  const Announced what = announced_in(agent.sent.front().second, "", agent.options);
  for (const AgentId j : {1, 2}) {
    wire::Header header;
    header.mutable_answer()->set_run(to_field(what.run.name));
    *header.mutable_answer()->add_replies() = agent.ready(j, what.digest);
    agent.convening->heard(j, header);
  }
  EXPECT_EQ(agent.started, 1);
  EXPECT_EQ(agent.sent_to(3, &wire::Header::has_start), 1u) << "other agents may need the relayed start";
}

TEST(Convening, AnAgentOutsideTheRosterRelaysAndIsNeverBusy) {
  Alone agent;
  const Announced pending = agent.run_of(1);
  agent.hear(1, pending);
  agent.sent.clear();
  const Announced what = agent.run_of(2, {2, 3});
  agent.hear(2, what);
  EXPECT_EQ(agent.sent_to(3, &wire::Header::has_announcement), 1u);
  wire::Header header;
  header.mutable_answer()->set_run(to_field(what.run.name));
  *header.mutable_answer()->add_replies() = agent.ready(3, what.digest);
  agent.convening->heard(3, header);
  EXPECT_EQ(agent.sent_to(2, &wire::Header::has_answer), 1u);
  EXPECT_TRUE(agent.own().announcement().empty()) << "no reply of its own";
}

TEST(Convening, AnAskerThatNeverStartsIsNamedAndWaitsLongerEachTime) {
  Alone agent;
  const auto in_time = agent.options.timeouts.gather + agent.options.timeouts.start;
  for (const int factor : {1, 2, 4, 8}) {
    agent.hear(1, agent.run_of(1));
    EXPECT_FALSE(agent.convening->idle());
    agent.logged.clear();
    agent.pass(in_time);
    EXPECT_TRUE(agent.convening->idle());
    EXPECT_TRUE(
        agent.logs("agent 1 (agent-1) announced a run of kind fit and neither started nor withdrew it within "
                   "timeouts.gather + timeouts.start = 25000 ms"))
        << agent.logged;
    const auto wait = factor * agent.options.timeouts.start;
    agent.pass(wait - 1ms);
    agent.hear(1, agent.run_of(1));
    EXPECT_EQ(agent.own().code(), static_cast<std::uint32_t>(ReasonCode::must_wait)) << factor;
    EXPECT_EQ(agent.own().detail(), 1u);
    EXPECT_TRUE(agent.convening->idle());
    const Announced other = agent.run_of(2);  // other originators need not wait
    agent.hear(2, other);
    EXPECT_FALSE(agent.convening->idle());
    agent.convening->heard(2, cancel_of(other.run.name, other.digest, agent.as(2)));
    agent.pass(1ms);
  }
  // A successful run resets the delay.
  const Announced good = agent.run_of(1);
  agent.hear(1, good);
  agent.convening->heard(1, agent.start_with(good, agent.all_ready(good)));
  ASSERT_EQ(agent.started, 1);
  agent.convening->ended(Convening::Ending::done);
  agent.hear(1, agent.run_of(1));
  agent.pass(in_time);
  agent.pass(agent.options.timeouts.start);
  agent.hear(1, agent.run_of(1));
  EXPECT_FALSE(agent.convening->idle()) << "the delay is that of a first failure";
}

TEST(Convening, AnAskerThatLeavesItsOwnRunMustWait) {
  Alone agent;
  const Announced what = agent.run_of(1);
  agent.hear(1, what);
  agent.convening->heard(1, agent.start_with(what, agent.all_ready(what)));
  agent.convening->ended(Convening::Ending::left_by_originator);
  agent.hear(1, agent.run_of(1));
  EXPECT_EQ(agent.own().code(), static_cast<std::uint32_t>(ReasonCode::must_wait));
  agent.pass(agent.options.timeouts.start);
  agent.hear(1, agent.run_of(1));
  EXPECT_FALSE(agent.convening->idle());
}

TEST(Convening, AnAskerThatHoldsOthersForLongMustWaitAsLong) {
  Alone agent;
  const Announced what = agent.run_of(1);
  agent.hear(1, what);
  agent.pass(19s);
  agent.convening->heard(1, cancel_of(what.run.name, what.digest, agent.as(1)));
  agent.hear(1, agent.run_of(1));
  EXPECT_EQ(agent.own().code(), static_cast<std::uint32_t>(ReasonCode::must_wait));
  EXPECT_EQ(agent.own().detail(), 19u);
}

TEST(Convening, AnAskerThatMustWaitAsksAgain) {
  Alone agent;
  agent.convening->ask(1, {"fit", ""}, {0, 1});
  const auto answer = [&](const wire::Reply& reply, const Announced& what) {
    wire::Header header;
    header.mutable_answer()->set_run(to_field(what.run.name));
    *header.mutable_answer()->add_replies() = signed_reply(reply, what.digest, agent.as(1));
    agent.convening->heard(1, header);
  };
  wire::Reply wait;
  wait.set_word(wire::Reply::REFUSES);
  wait.set_code(static_cast<std::uint32_t>(ReasonCode::must_wait));
  wait.set_detail(30);
  answer(wait, announced_in(agent.sent.front().second, "", agent.options));
  EXPECT_TRUE(agent.outcomes.empty());
  agent.sent.clear();
  agent.pass(29s);
  EXPECT_TRUE(agent.sent.empty());
  agent.pass(1s);
  ASSERT_EQ(agent.sent_to(1, &wire::Header::has_announcement), 1u);
  wait.set_detail(3600);  // longer than timeouts.queue
  answer(wait, announced_in(agent.sent.front().second, "", agent.options));
  ASSERT_EQ(agent.outcomes.size(), 1u);
  EXPECT_EQ(agent.outcomes[0].refusal->code, ReasonCode::must_wait);
  EXPECT_EQ(agent.outcomes[0].refused_by, 1u);
}

// The number shows other agents which of two announcements is the later one.
TEST(Convening, EveryTryHasAHigherNumber) {
  Alone agent;
  agent.convening->ask(1, {"fit", ""}, {0, 1});
  for (int k = 0; k < 5; ++k) {
    const Announced what = agent.announced().back();
    wire::Reply busy;
    busy.set_word(wire::Reply::BUSY);
    busy.set_in_the_way(9);
    wire::Header header;
    header.mutable_answer()->set_run(to_field(what.run.name));
    *header.mutable_answer()->add_replies() = signed_reply(busy, what.digest, agent.as(1));
    agent.convening->heard(1, header);
    agent.pass(200ms);  // calendar() does not advance
  }
  const std::vector<Announced> runs = agent.announced();
  ASSERT_EQ(runs.size(), 6u);
  for (std::size_t k = 1; k < runs.size(); ++k) EXPECT_GT(runs[k].run.number, runs[k - 1].run.number);
}

TEST(Convening, OfAnnouncementsBehindARunOnlyTheLastOfEachAskerIsKept) {
  Alone agent;
  const Announced what = agent.run_of(1);
  agent.hear(1, what);
  agent.convening->heard(1, agent.start_with(what, agent.all_ready(what)));
  ASSERT_EQ(agent.started, 1);
  const Budget budget(1'000'000, 10);
  for (int k = 0; k < 100; ++k) {
    auto more = std::make_shared<Announced>(agent.run_of(2, {0, 1, 2, 3}, std::string(1000, 'x')));
    more->charge = budget.take(1000);
    agent.convening->announced(2, std::move(more));
  }
  EXPECT_EQ(budget.bytes(), 1000u);
  agent.convening->lost(2);
  EXPECT_EQ(budget.bytes(), 0u);
}

// An announcement arrives over every neighbour, but it is one request. It is decoded for one consent.
TEST(Convening, ARefusalIsDecidedLoggedAndCountedOnce) {
  Alone agent;
  agent.opinion = {.refusal = Reason{ReasonCode::may_not_ask}, .log = "not this asker"};
  const Announced what = agent.run_of(1);
  for (const AgentId from : {1u, 2u, 3u}) agent.hear(from, what);
  EXPECT_EQ(agent.refusals, 1);
  EXPECT_EQ(agent.considerations, 1);
  EXPECT_EQ(agent.logged.find("not this asker"), agent.logged.rfind("not this asker"));
  for (const AgentId to : {1u, 2u, 3u}) EXPECT_EQ(agent.sent_to(to, &wire::Header::has_answer), 1u);
  agent.hear(1, agent.run_of(1));
  EXPECT_EQ(agent.refusals, 2);
}

// An agent with another charter never answers, so waiting is useless.
TEST(Convening, NothingIsAnnouncedWhereALinkIsRefused) {
  Alone agent;
  agent.refused_link = "they hold different charters";
  agent.convening->ask(1, {"fit", ""}, {0, 1, 2, 3});
  ASSERT_EQ(agent.outcomes.size(), 1u);
  EXPECT_NE(agent.outcomes[0].error.find("there is no link to agent-2: they hold different charters"),
            std::string::npos)
      << agent.outcomes[0].error;
  EXPECT_TRUE(agent.announced().empty());
  agent.convening->ask(2, {"fit", ""}, {0, 1, 3});  // a roster without that agent can be announced
  EXPECT_EQ(agent.announced().size(), 1u);
}

}  // namespace
}  // namespace tacit
