// Hostile members that send arbitrary messages. Some agents of a random roster replace, drop, repeat or forge
// their messages. Every honest agent must end with the true total of the values that were sent, or with an
// error.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <mutex>
#include <random>
#include <set>

#include "tacit/base/base_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/protocol/protocol_testing.hpp"
#include "tacit/protocol/run/statement.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

#ifdef TACIT_SANITIZED
constexpr std::uint64_t short_runs = 1'000;
#else
constexpr std::uint64_t short_runs = 4'000;
#endif

using Bytes = std::vector<std::byte>;

// A consortium in which the agents of `coalition` tamper with their messages. The identities are those of the
// simulator, so that a hostile agent can sign any statement of its own.
struct HostileConsortium {
  std::mt19937_64 random;
  Graph graph;
  std::set<AgentId> coalition;
  std::uint64_t seed;
  std::mutex guard;
  std::map<AgentId, Identity> identities;
  std::map<std::pair<AgentId, Tag>, Bytes> sent;  // by the coalition, to be replayed elsewhere
  std::size_t tampered = 0;
  bool other_values = false;  // a hostile agent has signed changed masked values
  std::function<std::optional<SimulatorOptions::Instead>(AgentId, AgentId, const Tag&, Bytes)> act;

  explicit HostileConsortium(std::uint64_t s) : random(s), graph(made(random)), seed(s) {
    const std::size_t most = graph.agents() - 2;
    const std::size_t hostile = 1 + random() % most;
    while (coalition.size() < hostile) coalition.insert(static_cast<AgentId>(random() % graph.agents()));
    for (const AgentId i : coalition) {
      Prg source = Prg::from_seed(seed, "identity", i);
      identities.emplace(i, Identity(source));
    }
  }

  static Graph made(std::mt19937_64& random) {
    const std::size_t n = 3 + random() % 3;
    if (random() % 3 == 0) return complete_graph(n);
    return testing::random_connected_graph(n, random() % 4, random);
  }

  SimulatorOptions options() {
    SimulatorOptions options;
    options.threads = 1;
    options.seed = seed;
    options.tamper = [this](AgentId from, AgentId to, const Tag& tag,
                            std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
      if (!coalition.contains(from)) return std::nullopt;
      return act(from, to, tag, Bytes(bytes.begin(), bytes.end()));
    };
    return options;
  }

  // The statement of a hostile agent with other content and a valid signature.
  Bytes signed_again(AgentId author, const Tag& tag, const Bytes& statement, Bytes content) {
    const Digest transcript = value_at<Digest>(statement);
    const std::uint32_t label[] = {tag.run, tag.about, static_cast<std::uint32_t>(tag.step)};
    const Digest text =
        digest_of({bytes_of("tacit statement"), transcript, std::as_bytes(std::span(label)), content});
    const Signature signature = identities.at(author).sign(text);
    Bytes out(transcript.begin(), transcript.end());
    out.insert(out.end(), content.begin(), content.end());
    out.insert(out.end(), signature.begin(), signature.end());
    return out;
  }

  // Sometimes flips a bit, truncates, lengthens or drops the message, sends an older message under this tag,
  // sends the message under another tag as well, or, for a statement of the coalition, changes it and signs
  // it again.
  std::optional<SimulatorOptions::Instead> meddle(AgentId from, const Tag& tag, Bytes bytes) {
    sent.emplace(std::pair(from, tag), bytes);
    if (random() % 8 != 0) return std::nullopt;
    ++tampered;
    const auto any = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
    SimulatorOptions::Instead out;
    switch (any(7)) {
      case 0:
        if (!bytes.empty()) bytes[any(bytes.size())] ^= std::byte(1u << any(8));
        break;
      case 1:
        bytes.resize(any(bytes.size() + 1));
        break;
      case 2:
        bytes.resize(bytes.size() + 1 + any(40));
        break;
      case 3:
        return out;
      case 4: {
        auto other = sent.begin();
        std::advance(other, any(sent.size()));
        bytes = other->second;
        break;
      }
      case 5: {
        Tag other = tag;
        (any(2) ? other.about : other.run) += 1;
        out.push_back({other, bytes});
        break;
      }
      default: {
        constexpr std::size_t around = sizeof(Digest) + sizeof(Signature);
        if (!coalition.contains(tag.about) || bytes.size() < around) break;
        Bytes content(bytes.begin() + sizeof(Digest), bytes.end() - sizeof(Signature));
        if (!content.empty()) content[any(content.size())] ^= std::byte(1u << any(8));
        other_values = other_values || tag.step == Step::vector;
        bytes = signed_again(tag.about, tag, bytes, std::move(content));
      }
    }
    out.insert(out.begin(), {tag, std::move(bytes)});
    return out;
  }
};

// Values are powers of 4, so that a total shows whose values are in it and how often.
double value_of(AgentId agent) { return std::pow(4, agent); }

struct Tally {
  std::size_t finished = 0, failed = 0, wrong = 0, differing = 0;
};

// Sums of a consortium with a hostile coalition. The coalition may choose its own values: if it has signed
// other values, or in a tree, where relays can add anything, the total may be wrong, but it is the same for
// all honest agents. Otherwise the total must be the true one.
void check(HostileConsortium& consortium, bool tree, bool sealed, std::size_t sums, Tally& tally) {
  const std::size_t n = consortium.graph.agents();
  const ExactPlan plan = make_exact_plan({.agents = n,
                                          .dimension = 1 + consortium.random() % 3,
                                          .value_bound = value_of(8),
                                          .unit = 1,
                                          .originator = static_cast<AgentId>(consortium.random() % n),
                                          .tree = tree});
  double truth = 0;
  for (AgentId i = 0; i < n; ++i) truth += value_of(i);
  Simulator simulator(consortium.graph, consortium.options());
  using Totals = std::vector<Values>;
  const auto outcomes = simulator.run_with_losses<Totals>([&](tacit::Run& net) -> Task<Totals> {
    Totals totals;
    for (std::size_t k = 0; k < sums; ++k)
      totals.push_back(co_await exact_sum(net, plan, Values(plan.dimension, value_of(net.self()))));
    if (sealed) (void)co_await exchange(net, Step::seal, std::vector<std::byte>());
    co_return totals;
  });
  const Totals* first = nullptr;
  for (AgentId i = 0; i < n; ++i) {
    if (consortium.coalition.contains(i)) continue;
    if (!outcomes[i].result) {
      ++tally.failed;
      EXPECT_FALSE(outcomes[i].error.empty()) << "seed " << consortium.seed;
      continue;
    }
    ++tally.finished;
    const Totals& totals = *outcomes[i].result;
    if (first) tally.differing += totals != *first;
    first = &totals;
    if (!tree && !consortium.other_values)
      tally.wrong += totals != Totals(sums, Values(plan.dimension, truth));
  }
}

TEST(HostileMembers, HonestAgentsHoldTheTrueTotalOrAnError) {
  const std::uint64_t runs = testing::repeats(short_runs, 20'000);
  Tally tally;
  std::size_t tampered = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    HostileConsortium consortium(seed);
    consortium.act = [&](AgentId from, AgentId, const Tag& tag, Bytes bytes) {
      return consortium.meddle(from, tag, std::move(bytes));
    };
    check(consortium, seed % 4 == 3, true, 1 + seed % 2, tally);
    ASSERT_EQ(tally.differing, 0u) << "seed " << seed;
    ASSERT_EQ(tally.wrong, 0u) << "seed " << seed;
    tampered += consortium.tampered;
  }
  EXPECT_GT(tampered, runs);
  EXPECT_GT(tally.finished, runs / 10) << "too few sums finished, so the test proves nothing";
  EXPECT_GT(tally.failed, runs / 2);
}

// A hostile originator of a tree sum sends another total to one neighbour. The totals are part of the
// transcript, so the seal fails for all agents. Without the seal the difference would go unnoticed.
TEST(HostileMembers, WithoutTheTranscriptTwoTotalsGoUnnoticed) {
  Tally with, without;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    for (const bool sealed : {false, true}) {
      HostileConsortium consortium(seed);
      std::optional<AgentId> victim;
      consortium.act = [&](AgentId, AgentId to, const Tag& tag,
                           Bytes bytes) -> std::optional<SimulatorOptions::Instead> {
        if (tag.step != Step::total || (victim && *victim != to)) return std::nullopt;
        victim = to;
        bytes[sizeof(Digest)] ^= std::byte{1};
        return SimulatorOptions::Instead{{tag, std::move(bytes)}};
      };
      check(consortium, true, sealed, 1, sealed ? with : without);
    }
  EXPECT_GT(without.differing, 20u) << "the control found no difference, so the test proves nothing";
  EXPECT_EQ(with.differing, 0u);
  EXPECT_GT(with.failed, 40u);
}

// Four agents on a complete graph, of which agent 2 is hostile and applies `lie` to its statements of a step.
std::vector<Simulator::Outcome<Values>> against(
    Step step, const std::function<Bytes(HostileConsortium&, AgentId, const Tag&, Bytes)>& lie,
    const std::function<Digest(AgentId)>& told = {}) {
  HostileConsortium consortium(1);
  consortium.graph = complete_graph(4);
  consortium.coalition = {2};
  Prg source = Prg::from_seed(consortium.seed, "identity", 2);
  consortium.identities.emplace(2, Identity(source));
  consortium.act = [&](AgentId, AgentId to, const Tag& tag,
                       Bytes bytes) -> std::optional<SimulatorOptions::Instead> {
    if (tag.step != step || tag.about != 2) return std::nullopt;
    return SimulatorOptions::Instead{{tag, lie(consortium, to, tag, std::move(bytes))}};
  };
  const ExactPlan plan = make_exact_plan({.agents = 4, .dimension = 2, .value_bound = 100, .unit = 1});
  Simulator simulator(consortium.graph, consortium.options());
  return simulator.run_with_losses<Values>([&](tacit::Run& net) -> Task<Values> {
    if (told) net.transcript() = Transcript(told(net.self()));
    co_return co_await exact_sum(net, plan, Values(2, 1));
  });
}

Bytes flipped(HostileConsortium& consortium, const Tag& tag, const Bytes& statement) {
  Bytes content(statement.begin() + sizeof(Digest), statement.end() - sizeof(Signature));
  content.back() ^= std::byte{1};
  return consortium.signed_again(2, tag, statement, std::move(content));
}

void expect_named(const std::vector<Simulator::Outcome<Values>>& outcomes, const std::string& words) {
  std::size_t named = 0;
  for (const AgentId i : {0u, 1u, 3u}) {
    EXPECT_FALSE(outcomes[i].result) << "agent " << i;
    named += outcomes[i].error.find(words) != std::string::npos;
  }
  EXPECT_GT(named, 0u) << outcomes[0].error;
}

TEST(HostileMembers, TwoMaskedVectorsAreFoundOutBeforeAnythingIsOpened) {
  expect_named(against(Step::vector,
                       [](HostileConsortium& consortium, AgentId to, const Tag& tag, Bytes statement) {
                         return to == 0 ? flipped(consortium, tag, statement) : statement;
                       }),
               "another masked vector of agent 2 than the one that agent 2 signed");
}

TEST(HostileMembers, AnotherSelfMaskThanThePromisedOneIsRefused) {
  expect_named(against(Step::self_mask, [](HostileConsortium& consortium, AgentId, const Tag& tag,
                                           Bytes statement) { return flipped(consortium, tag, statement); }),
               "agent 2 released another self-mask than the one it promised");
}

TEST(HostileMembers, AFalseConfirmationOpensNothing) {
  expect_named(against(Step::confirm, [](HostileConsortium& consortium, AgentId, const Tag& tag,
                                         Bytes statement) { return flipped(consortium, tag, statement); }),
               "agent 2 confirms another masked vector of agent 3");
}

// A long statement would cost every agent on its route. The first receiver reports its author.
TEST(HostileMembers, AStatementThatIsTooLongIsNotPassedOn) {
  std::size_t lies = 0, passed_on = 0;
  HostileConsortium consortium(1);
  Prg source = Prg::from_seed(consortium.seed, "identity", 0);
  consortium.identities.insert_or_assign(0, Identity(source));
  SimulatorOptions options;
  options.seed = consortium.seed;
  options.threads = 1;
  options.tamper = [&](AgentId from, AgentId, const Tag& tag,
                       std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
    if (tag.about != 0 || tag.step != Step::confirm) return std::nullopt;
    passed_on += from != 0;
    if (from != 0) return std::nullopt;
    ++lies;
    const Bytes statement(bytes.begin(), bytes.end());
    return SimulatorOptions::Instead{{tag, consortium.signed_again(0, tag, statement, Bytes(1000))}};
  };
  Simulator simulator(Graph(3, {{0, 1}, {1, 2}}), options);
  const ExactPlan plan = make_exact_plan({.agents = 3, .dimension = 1, .value_bound = 100, .unit = 1});
  const auto outcomes =
      simulator.run_with_losses<Values>([&](tacit::Run& net) { return exact_sum(net, plan, Values{1}); });
  EXPECT_EQ(lies, 1u);
  EXPECT_EQ(passed_on, 0u);
  EXPECT_NE(outcomes[1].error.find("of agent 0 has 1000 bytes instead of"), std::string::npos)
      << outcomes[1].error;
}

// A leaf of a tree labels its own self-mask as another agent's, or sends more than one.
TEST(HostileMembers, SelfMasksOfOthersAreRefusedWhereTheyComeIn) {
  for (const bool longer : {false, true}) {
    SimulatorOptions options;
    options.threads = 1;
    std::size_t lies = 0;
    options.tamper = [&](AgentId from, AgentId, const Tag& tag,
                         std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
      if (from != 3 || tag.step != Step::seeds) return std::nullopt;
      ++lies;
      Bytes other(bytes.begin(), bytes.end());
      if (longer) other.resize(other.size() + 36);
      if (!longer) other[sizeof(Digest)] = std::byte{1};
      return SimulatorOptions::Instead{{tag, other}};
    };
    Simulator simulator(Graph(4, {{0, 1}, {1, 2}, {2, 3}}), options);
    const ExactPlan plan =
        make_exact_plan({.agents = 4, .dimension = 1, .value_bound = 100, .unit = 1, .tree = true});
    const auto outcomes =
        simulator.run_with_losses<Values>([&](tacit::Run& net) { return exact_sum(net, plan, Values{1}); });
    EXPECT_EQ(lies, 1u);
    for (const auto& outcome : outcomes) EXPECT_FALSE(outcome.result);
    EXPECT_NE(outcomes[2].error.find("agent 3 sent a malformed message"), std::string::npos)
        << outcomes[2].error;
  }
}

// The statements from agent 1 to agent 2, by step.
using ByStep = std::map<Step, Bytes>;

Bytes content_of(const Bytes& statement) {
  return Bytes(statement.begin() + sizeof(Digest), statement.end() - sizeof(Signature));
}

// Agent 2 of three waits for agent 0's statements and presents agent 0's key as its own.
Task<Values> copy_a_key(tacit::Run& net, const ExactPlan& plan, HostileConsortium& consortium,
                        ByStep& by_step) {
  for (const Step step : {Step::consent, Step::vector, Step::confirm, Step::self_mask}) {
    const std::uint32_t run = net.begin_run();
    const auto statement_of = [&](AgentId agent) { return net.receive(agent, {run, 0, agent, step}); };
    const Payload first = co_await statement_of(0), second = co_await statement_of(1);
    const Bytes model(first.bytes().begin(), first.bytes().end());
    by_step[step] = content_of(Bytes(second.bytes().begin(), second.bytes().end()));
    const bool copies = step == Step::consent || step == Step::confirm;
    Bytes content = copies ? content_of(model) : Bytes(content_of(model).size());
    const Tag tag{run, 0, 2, step};
    const Bytes mine = consortium.signed_again(2, tag, model, std::move(content));
    for (const AgentId to : {0u, 1u}) {
      Payload out = net.buffer(mine.size());
      std::ranges::copy(mine, out.bytes().begin());
      net.send(to, tag, std::move(out));
    }
  }
  co_return Values(plan.dimension);
}

// If streams depended only on keys, the streams that agent 1 shares with the two would be the same, added for
// one and subtracted for the other, and its value would be revealed.
TEST(HostileMembers, ACopiedKeyUnmasksNoAgent) {
  const double secret = 42;
  const ExactPlan plan = make_exact_plan({.agents = 3, .dimension = 1, .value_bound = 100, .unit = 1});
  HostileConsortium consortium(1);
  Prg source = Prg::from_seed(consortium.seed, "identity", 2);
  consortium.identities.insert_or_assign(2, Identity(source));
  SimulatorOptions options;
  options.seed = consortium.seed;
  Simulator simulator(complete_graph(3), options);
  ByStep by_step;
  const auto outcomes = simulator.run_with_losses<Values>([&](tacit::Run& net) {
    if (net.self() == 2) return copy_a_key(net, plan, consortium, by_step);
    return exact_sum(net, plan, Values{net.self() == 1 ? secret : 0});
  });
  ASSERT_TRUE(by_step.contains(Step::consent));
  if (by_step.contains(Step::self_mask)) {
    Masking<Word64> view(plan);
    view.add(std::span(by_step.at(Step::vector)).subspan(sizeof(Digest)));
    view.apply(by_step.at(Step::self_mask), false);
    EXPECT_NE(view.values()[0], secret) << "agent 2 has read the value of agent 1";
  }
  for (const AgentId i : {0u, 1u}) {
    EXPECT_FALSE(outcomes[i].result) << "agent " << i;
    EXPECT_NE(outcomes[i].error.find("agents 0 and 2 present the same key"), std::string::npos)
        << outcomes[i].error;
  }
}

TEST(HostileMembers, AnAgentThatReceivedOtherValuesIsNamed) {
  const auto outcomes = against(
      Step::seal, [](HostileConsortium&, AgentId, const Tag&, Bytes statement) { return statement; },
      [](AgentId agent) { return Digest{std::byte(agent == 3 ? 1 : 0)}; });
  expect_named(outcomes, "agent 3 has another transcript of this run");
}

}  // namespace
}  // namespace tacit
