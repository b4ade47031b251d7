// Enduring sums: agents are lost in every turn, and all that remain end alike.
#include "tacit/lab/enduring/enduring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tacit/base/base_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/enduring/byte_lists.hpp"
#include "tacit/lab/enduring/mask_keepers.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

EnduringPlan plan_for(std::size_t agents, std::size_t collusion = 2, AgentId originator = 0) {
  return make_enduring_plan({.agents = agents,
                             .dimension = 2,
                             .value_bound = 1e6,
                             .unit = 1,
                             .originator = originator,
                             .collusion = collusion});
}

Values value_of(AgentId agent) { return {1.0 * (agent + 1), -3.0 * agent}; }

Values sum_without(std::size_t agents, const std::vector<AgentId>& left_out) {
  Values sum(2);
  for (AgentId i = 0; i < agents; ++i)
    for (std::size_t k = 0; k < 2 && !std::ranges::binary_search(left_out, i); ++k) sum[k] += value_of(i)[k];
  return sum;
}

using Outcomes = std::vector<Simulator::Outcome<EnduringSum>>;

Outcomes run(Simulator& simulator, const EnduringPlan& plan) {
  return simulator.run_with_losses<EnduringSum>(
      [&](tacit::Run& net) { return enduring_sum(net, plan, value_of(net.self())); });
}

TEST(Enduring, WithoutLossesAllAgentsAreInTheSum) {
  for (const std::size_t agents : {20u, 64u, 200u}) {
    const EnduringPlan plan = plan_for(agents, 2, 7);
    Simulator simulator(random_regular(agents, 6, agents));
    for (const auto& outcome : run(simulator, plan)) {
      ASSERT_TRUE(outcome.result) << outcome.error;
      EXPECT_EQ(outcome.result->sum, sum_without(agents, {}));
      EXPECT_TRUE(outcome.result->left_out.empty());
      EXPECT_EQ(outcome.result->epochs, 1u);
    }
    EXPECT_EQ(simulator.cost().rounds, enduring_turns(plan, Gathering(random_regular(agents, 6, agents))));
  }
}

// The part of the graph of remaining agents to which each agent belongs; -1 for lost agents.
std::vector<int> parts(const Graph& graph, const std::set<AgentId>& lost) {
  std::vector<int> part(graph.agents(), -1);
  int next = 0;
  for (AgentId first = 0; first < graph.agents(); ++first) {
    if (part[first] >= 0 || lost.contains(first)) continue;
    part[first] = next;
    for (std::vector<AgentId> todo{first}; !todo.empty();) {
      const AgentId at = todo.back();
      todo.pop_back();
      for (const AgentId j : graph.neighbours(at))
        if (part[j] < 0 && !lost.contains(j)) {
          part[j] = next;
          todo.push_back(j);
        }
    }
    ++next;
  }
  return part;
}

struct Tally {
  std::size_t sums = 0, errors = 0, left_out = 0, epochs = 0;
};

// All remaining agents that can reach each other end alike, and a sum matches its list of agents left out.
void expect_alike(const Graph& graph, const std::set<AgentId>& lost, const Outcomes& outcomes, Tally& tally) {
  const std::vector<int> part = parts(graph, lost);
  std::map<int, AgentId> first;
  for (AgentId i = 0; i < graph.agents(); ++i) {
    if (part[i] < 0) continue;
    const auto& one = outcomes[i];
    const auto [at, fresh] = first.emplace(part[i], i);
    const auto& other = outcomes[at->second];
    ASSERT_EQ(one.result.has_value(), other.result.has_value())
        << i << " and " << at->second << ": " << one.error << " / " << other.error;
    ASSERT_EQ(one.error, other.error);
    if (fresh) ++(one.result ? tally.sums : tally.errors);
    if (!one.result) continue;
    ASSERT_EQ(one.result->left_out, other.result->left_out);
    ASSERT_EQ(one.result->epochs, other.result->epochs);
    ASSERT_EQ(one.result->sum, sum_without(graph.agents(), one.result->left_out));
    if (!fresh) continue;
    tally.left_out += one.result->left_out.size();
    tally.epochs += one.result->epochs;
  }
}

// A neighbour of the originator is the only way up in the tree for all agents below it.
TEST(Enduring, ALossNearTheTopCutsOffNoAgent) {
  constexpr std::size_t agents = 200;
  const Graph graph = random_regular(agents, 4, 5);
  const EnduringPlan plan = plan_for(agents, 1);
  for (const AgentId lost : graph.neighbours(0)) {
    SimulatorOptions options;
    options.departures = {{.agent = lost, .round = 2, .vanishes_after = 0}};
    Simulator simulator(graph, options);
    const Outcomes outcomes = run(simulator, plan);
    for (AgentId i = 0; i < agents; ++i) {
      if (i == lost) continue;
      ASSERT_TRUE(outcomes[i].result) << outcomes[i].error;
      EXPECT_EQ(outcomes[i].result->left_out, std::vector<AgentId>{lost});
      EXPECT_EQ(outcomes[i].result->epochs, 1u);
    }
  }
}

TEST(Enduring, RemainingAgentsEndWithTheSameSumOrTheSameError) {
  constexpr std::uint64_t seeds = 40;
  Tally tally;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t agents = 50 + 2 * (random() % 30) + (seed == 7 ? 190 : 0);
    const Graph graph = random_regular(agents, 6, seed);
    const EnduringPlan plan = plan_for(agents, 1, static_cast<AgentId>(random() % agents));
    SimulatorOptions options;
    options.seed = seed;
    std::set<AgentId> lost;
    if (seed % 4 == 0) lost.insert(plan.sum.originator);
    const std::size_t losses = 1 + random() % (agents / (seed % 2 ? 10 : 40));
    while (lost.size() < losses) lost.insert(static_cast<AgentId>(random() % agents));
    for (const AgentId agent : lost)
      options.departures.push_back({.agent = agent,
                                    .round = static_cast<std::uint32_t>(random() % 60),
                                    .vanishes_after = random() % 7});
    Simulator simulator(graph, options);
    const Outcomes outcomes = run(simulator, plan);
    std::set<AgentId> gone;  // without those whose loss is planned for a turn after the end
    for (const AgentId agent : lost)
      if (!outcomes[agent].result && outcomes[agent].error.empty()) gone.insert(agent);
    expect_alike(graph, gone, outcomes, tally);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(tally.sums, seeds / 2);
  EXPECT_GT(tally.errors, 0u);
  EXPECT_GT(tally.left_out, tally.sums);
  EXPECT_GT(tally.epochs, tally.sums) << "no sum was restarted";
}

// One agent of each kind is lost in every turn, in the middle of its messages.
TEST(Enduring, OneLossInAnyTurnLeavesAllAlike) {
  const std::size_t agents = 24;
  const Graph graph = random_regular(agents, 6, 5);
  const EnduringPlan plan = plan_for(agents, 0);
  const Gathering all(graph);
  const KeeperLists posts(all, plan);
  const auto turns = static_cast<std::uint32_t>(enduring_turns(plan, all));
#ifdef TACIT_SANITIZED
  constexpr std::uint32_t step = 3;
#else
  constexpr std::uint32_t step = 1;
#endif
  Tally others, asker;
  for (const AgentId victim :
       {AgentId{0}, posts.keepers(0)[0], posts.keepers(0)[1], all.tree(0).nearest.back()})
    for (std::uint32_t turn = 0; turn < turns; turn += step) {
      SimulatorOptions options;
      options.threads = 1;
      options.departures = {{.agent = victim, .round = turn, .vanishes_after = 3}};
      Simulator simulator(graph, options);
      const Outcomes outcomes = run(simulator, plan);
      const bool gone = !outcomes[victim].result && outcomes[victim].error.empty();
      expect_alike(graph, gone ? std::set{victim} : std::set<AgentId>(), outcomes,
                   victim == 0 ? asker : others);
      if (HasFatalFailure()) FAIL() << "agent " << victim << ", turn " << turn;
    }
  EXPECT_EQ(others.errors, 0u);  // only the originator is indispensable
  EXPECT_GT(asker.errors, turns / step / 2);
  EXPECT_GT(asker.sums, 0u) << "after three neighbours have the end, the originator is not needed";
}

// The masks that keepers released, by post, and their votes, from the messages received by all agents.
struct Released {
  std::map<std::uint32_t, std::set<std::string>> masks, votes;

  explicit Released(const std::vector<Received>& view) {
    constexpr std::size_t mask = 4 + 2 * 4;
    for (const Received& received : view) {
      std::vector<ByteSpan> items;
      ListReader in(received.bytes);
      while (in.good() && !in.at_end()) items.push_back(in.list());
      if (!in.good() || items.empty()) continue;
      const auto all = [&](std::size_t size) {
        return std::ranges::all_of(items, [&](ByteSpan item) { return item.size() == size; });
      };
      if (!all(mask) && !all(sizeof(Vote))) continue;
      for (const ByteSpan item : items)
        (item.size() == mask ? masks : votes)[value_at<std::uint32_t>(item)].emplace(
            reinterpret_cast<const char*>(item.data()), item.size());
    }
  }
};

std::vector<AgentId> all_agents(std::size_t agents) {
  std::vector<AgentId> all(agents);
  for (AgentId i = 0; i < agents; ++i) all[i] = i;
  return all;
}

// For any losses and any number of restarts, a keeper votes once, and a post releases one sum of masks.
TEST(Enduring, APostGivesAwayItsMasksForOneListOfAgents) {
  std::size_t restarted = 0, votes = 0, masks = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t agents = 40;
    const Graph graph = random_regular(agents, 6, seed);
    const EnduringPlan plan = plan_for(agents, 1);
    ASSERT_EQ(plan.sum.message_bytes(), 2 * 4u);
    SimulatorOptions options;
    options.coalition = all_agents(agents);
    for (AgentId i = 1; i < agents; i += 1 + static_cast<AgentId>(random() % 12))
      options.departures.push_back(
          {.agent = i, .round = static_cast<std::uint32_t>(random() % 40), .vanishes_after = random() % 7});
    Simulator simulator(graph, options);
    for (const auto& outcome : run(simulator, plan))
      if (outcome.result) restarted += outcome.result->epochs > 1;
    const Released released(simulator.view());
    for (const auto& [keeper, cast] : released.votes) EXPECT_EQ(cast.size(), 1u) << "keeper " << keeper;
    for (const auto& [post, sums] : released.masks) EXPECT_EQ(sums.size(), 1u) << "post " << post;
    votes += released.votes.size();
    masks += released.masks.size();
  }
  EXPECT_GT(restarted, 0u);
  EXPECT_GT(votes, 50u);
  EXPECT_GT(masks, 20u);
}

// A hostile originator asks the three honest keepers of a post about two lists of agents, in one epoch or in
// two, and shows each keeper any votes it chooses. `vote_twice` and a quorum of one are the controls.
std::size_t questions_answered(std::size_t quorum, bool vote_twice) {
  std::vector<Identity> identities;
  for (std::uint64_t k = 0; k < 3; ++k) {
    Prg source = Prg::from_seed(k, "identity", 0);
    identities.emplace_back(source);
  }
  const IdentityOf identity_of = [&](AgentId agent) -> const IdentityKey& {
    return identities[agent].public_key();
  };
  const std::vector<AgentId> post{0, 1, 2};
  const Digest questions[] = {digest_of({bytes_of("all")}), digest_of({bytes_of("all but one")})};
  std::size_t most = 0;
  for (unsigned first = 0; first < 8; ++first) {  // which keepers get the first question first
    std::vector<KeeperRecord> keepers(3), again(3);
    std::vector<Vote> votes;
    for (AgentId k = 0; k < 3; ++k)
      for (const unsigned turn : {0u, 1u}) {
        KeeperRecord& keeper = turn == 1 && vote_twice ? again[k] : keepers[k];
        const auto vote = keeper.vote(k, identities[k], questions[((first >> k) & 1u) ^ turn]);
        if (vote) votes.push_back(*vote);
      }
    std::set<Digest> answered;
    for (AgentId k = 0; k < 3; ++k)
      for (auto* keeper : {&keepers[k], &again[k]})
        for (const Digest& question : questions)
          if (keeper->release(question, post, quorum, votes, identity_of)) answered.insert(question);
    most = std::max(most, answered.size());
  }
  return most;
}

TEST(Enduring, AHostileOriginatorGetsOneAnswerFromAnHonestPost) {
  EXPECT_EQ(questions_answered(2, false), 1u);
  EXPECT_EQ(questions_answered(1, false), 2u) << "the test did not detect the control";
  EXPECT_EQ(questions_answered(2, true), 2u) << "the test did not detect the control";
}

// A keeper releases masks only for votes of its own post, and only once.
TEST(Enduring, VotesOfOthersDoNotCount) {
  Prg source = Prg::from_seed(1, "identity", 0);
  const Identity mine(source), other(source);
  const IdentityOf identity_of = [&](AgentId agent) -> const IdentityKey& {
    return agent == 0 ? mine.public_key() : other.public_key();
  };
  const Digest question = digest_of({bytes_of("all")});
  KeeperRecord keeper, stranger;
  const Vote own = keeper.vote(0, mine, question).value(), theirs = stranger.vote(9, other, question).value();
  Vote forged = theirs;
  forged.keeper = 1;
  const std::vector<AgentId> post{0, 1, 2}, wider{0, 1, 9};
  forged.signature[3] ^= std::byte{1};
  EXPECT_FALSE(keeper.release(question, post, 2, std::vector{own, theirs, own}, identity_of));
  EXPECT_FALSE(keeper.release(question, post, 2, std::vector{own, forged}, identity_of));
  EXPECT_TRUE(keeper.release(question, wider, 2, std::vector{own, theirs}, identity_of));
  EXPECT_FALSE(keeper.release(question, wider, 2, std::vector{own, theirs}, identity_of));
}

// Any two choices of posts share more posts than a coalition can have members. The keepers of a post are in
// different branches.
TEST(Enduring, PostsWithstandTheCollusionTheyPromise) {
  for (const std::size_t collusion : {0u, 1u, 5u, 20u, 50u}) {
    const std::size_t agents = 400;
    const EnduringPlan plan = plan_for(agents, collusion);
    EXPECT_GT(2 * plan.posts, plan.candidates + plan.collusion);
    EXPECT_GT(2 * plan.quorum, plan.keepers);
    EXPECT_GE(plan.sum.fewest, agents / 2);
    const Gathering all(random_regular(agents, 8, 1));
    const KeeperLists posts(all, plan);
    const PathTree& tree = all.tree(0);
    std::set<AgentId> seen{0};
    ASSERT_EQ(posts.size(), plan.candidates);
    for (std::size_t post = 0; post < posts.size(); ++post) {
      std::set<AgentId> branches;
      for (AgentId keeper : posts.keepers(post)) {
        EXPECT_TRUE(seen.insert(keeper).second) << "agent " << keeper << " is in two posts";
        EXPECT_EQ(posts.of(keeper), post);
        while (tree.level[keeper] > 1) keeper = tree.parent[keeper];
        branches.insert(keeper);
      }
      EXPECT_EQ(branches.size(), 3u);
    }
  }
  EXPECT_THROW(plan_for(50, 20), InputError);
}

// The originator sends another list of agents to one branch. The votes of the keepers in that branch do not
// count.
TEST(Enduring, AnotherListForSomeKeepersOpensNothingElse) {
  const std::size_t agents = 60;
  const Graph graph = random_regular(agents, 6, 2);
  const EnduringPlan plan = plan_for(agents, 1);
  std::size_t lies = 0;
  SimulatorOptions options;
  options.threads = 1;
  options.coalition = all_agents(agents);
  options.tamper = [&](AgentId from, AgentId to, const Tag& tag,
                       ByteSpan bytes) -> std::optional<SimulatorOptions::Instead> {
    if (from != 0 || to != graph.neighbours(0)[0] || bytes.empty()) return std::nullopt;
    ListReader in(bytes.subspan(1));
    const std::vector<AgentId> left_out = in.agents();
    const ByteSpan secrets = in.list();
    if (!in.good() || !in.at_end() || secrets.empty()) return std::nullopt;
    ++lies;
    ListWriter out;
    out.value(bytes[0]);
    out.agents({AgentId{17}});
    out.list(secrets);
    return SimulatorOptions::Instead{{tag, out.done()}};
  };
  Simulator simulator(graph, options);
  for (const auto& outcome : run(simulator, plan)) {
    ASSERT_TRUE(outcome.result) << outcome.error;
    EXPECT_EQ(outcome.result->sum, sum_without(agents, {}));
  }
  EXPECT_EQ(lies, 1u);
  const Released released(simulator.view());
  EXPECT_EQ(released.masks.size(), plan.posts);
  for (const auto& [post, sums] : released.masks) EXPECT_EQ(sums.size(), 1u);
}

// A message with a sum of masked vectors and the agents to which they belong.
struct Partial {
  std::vector<AgentId> added, missed;
  ByteSpan masked;
};

std::optional<Partial> partial_in(ByteSpan bytes, const EnduringPlan& plan) {
  ListReader in(bytes);
  Partial found{in.agents(), in.agents(), in.list()};
  if (!in.good() || !in.at_end() || found.masked.size() != plan.sum.message_bytes()) return std::nullopt;
  return found;
}

// The number of messages that contain masked values. If `hostile`, the originator and a keeper collude: the
// keeper signs another post's key for its own post.
std::size_t masked_by_the_same_key_twice(bool hostile) {
  const std::size_t agents = 40;
  const EnduringPlan plan = plan_for(agents, 1);
  std::size_t lies = 0, vectors = 0;
  Digest epoch{};
  SimulatorOptions options;
  options.threads = 1;
  options.tamper = [&](AgentId from, AgentId, const Tag& tag,
                       ByteSpan bytes) -> std::optional<SimulatorOptions::Instead> {
    const auto partial = partial_in(bytes, plan);
    vectors += partial && !partial->added.empty();
    constexpr std::size_t head = 1, size = sizeof(PostKey);
    if (!hostile || from != 0 || bytes.size() != head + plan.posts * size) return std::nullopt;
    ++lies;
    const auto first = value_at<PostKey>(bytes.subspan(head));
    auto second = value_at<PostKey>(bytes.subspan(head + size));
    Prg source = Prg::from_seed(options.seed, "identity", second.maker);
    second.key = first.key;
    second.signature = Identity(source).sign(post_text(epoch, second.post, second.key));
    ByteList other(bytes.begin(), bytes.end());
    std::ranges::copy(bytes_of(second), other.begin() + head + size);
    return SimulatorOptions::Instead{{tag, other}};
  };
  Simulator simulator(random_regular(agents, 6, 3), options);
  const auto outcomes = simulator.run_with_losses<EnduringSum>([&](tacit::Run& net) {
    Transcript transcript = net.transcript();
    transcript.fold("enduring plan", digest_of(plan));
    epoch = digest_of({bytes_of("tacit epoch"), transcript.now(), bytes_of(std::uint32_t{1})});
    return enduring_sum(net, plan, value_of(net.self()));
  });
  EXPECT_EQ(lies > 0, hostile);
  for (const auto& outcome : outcomes) EXPECT_NE(outcome.result.has_value(), hostile);
  return vectors;
}

// If streams depended only on keys, the same stream would be added twice, which reveals the lowest bit of
// each value.
TEST(Enduring, NoAgentMasksWithPostsThatHaveTheSameKey) {
  EXPECT_GT(masked_by_the_same_key_twice(false), 30u);
  EXPECT_EQ(masked_by_the_same_key_twice(true), 0u);
}

// A relay reports the originator or nonexistent agents as missed and does not forward vectors.
TEST(Enduring, FalseStatementsAboutLostAgentsHarmNoOther) {
  const std::size_t agents = 40;
  const Graph graph = random_regular(agents, 6, 3);
  const EnduringPlan plan = plan_for(agents, 1);
  for (const AgentId missed : {AgentId{0}, AgentId{agents}, AgentId{1u << 31}}) {
    std::size_t lies = 0;
    SimulatorOptions options;
    options.threads = 1;
    options.tamper = [&](AgentId from, AgentId to, const Tag& tag,
                         ByteSpan bytes) -> std::optional<SimulatorOptions::Instead> {
      const auto partial = partial_in(bytes, plan);
      if (from != graph.neighbours(0)[0] || to != 0 || !partial) return std::nullopt;
      ++lies;
      ListWriter out;
      out.agents({});
      out.agents({missed});
      out.list(partial->masked);
      return SimulatorOptions::Instead{{tag, out.done()}};
    };
    Simulator simulator(graph, options);
    const Outcomes outcomes = run(simulator, plan);
    EXPECT_GT(lies, 0u);
    for (const auto& outcome : outcomes) {
      EXPECT_EQ(outcome.result.has_value(), outcomes[0].result.has_value());
      EXPECT_EQ(outcome.error, outcomes[0].error);
    }
  }
}

// An agent whose vector has arrived is not lost, whatever a relay reports: a relay cannot choose who is left
// out.
TEST(Enduring, APresentAgentCannotBeReportedLost) {
  const std::size_t agents = 40;
  const Graph graph = random_regular(agents, 6, 3);
  const EnduringPlan plan = plan_for(agents, 1);
  const AgentId liar = graph.neighbours(0)[0];
  std::vector<AgentId> accused;
  for (AgentId i = 1; i < agents && accused.size() < agents / 2 + 1; ++i)
    if (i != liar) accused.push_back(i);
  std::size_t lies = 0;
  SimulatorOptions options;
  options.threads = 1;
  options.tamper = [&](AgentId from, AgentId to, const Tag& tag,
                       ByteSpan bytes) -> std::optional<SimulatorOptions::Instead> {
    const auto partial = partial_in(bytes, plan);
    if (from != liar || to != 0 || !partial) return std::nullopt;
    ++lies;
    ListWriter out;
    out.agents(partial->added);
    out.agents(accused);
    out.list(partial->masked);
    return SimulatorOptions::Instead{{tag, out.done()}};
  };
  Simulator simulator(graph, options);
  for (const auto& outcome : run(simulator, plan)) {
    ASSERT_TRUE(outcome.result) << outcome.error;
    EXPECT_EQ(outcome.result->sum, sum_without(agents, {}));
    EXPECT_EQ(outcome.result->epochs, 1u);
  }
  EXPECT_GT(lies, 0u);
}

// An agent masks with its long-lived key, so the start of the transcript must be different in every sum.
TEST(Enduring, NeedsAStartOfTheTranscript) {
  const EnduringPlan plan = plan_for(40, 1);
  Simulator simulator(random_regular(40, 6, 3));
  const auto outcomes = simulator.run_with_losses<EnduringSum>([&](tacit::Run& net) -> Task<EnduringSum> {
    net.transcript() = Transcript();
    co_return co_await enduring_sum(net, plan, value_of(net.self()));
  });
  for (const auto& outcome : outcomes)
    EXPECT_EQ(outcome.error, "the transcript of an enduring sum must have a start that no other run has");
}

// An agent whose value cannot be summed reports this only locally and is left out.
TEST(Enduring, AValueAboveTheBoundIsLeftOut) {
  const std::size_t agents = 40;
  const EnduringPlan plan = plan_for(agents, 1);
  Simulator simulator(random_regular(agents, 6, 3));
  const auto outcomes = simulator.run_with_losses<EnduringSum>([&](tacit::Run& net) {
    return enduring_sum(net, plan, net.self() == 33 ? Values{1e9, 0} : value_of(net.self()));
  });
  for (AgentId i = 0; i < agents; ++i) {
    ASSERT_EQ(outcomes[i].result.has_value(), i != 33) << outcomes[i].error;
    if (i == 33) continue;
    EXPECT_EQ(outcomes[i].result->left_out, std::vector<AgentId>{33});
    EXPECT_EQ(outcomes[i].result->sum, sum_without(agents, {33}));
  }
  EXPECT_NE(outcomes[33].error.find("exceeds the public bound"), std::string::npos);
}

TEST(Enduring, TheSameSeedGivesTheSameRunOnAnyNumberOfThreads) {
  const Graph graph = random_regular(60, 6, 4);
  const EnduringPlan plan = plan_for(60);
  std::vector<Received> views[2];
  for (const unsigned threads : {1u, 3u}) {
    SimulatorOptions options;
    options.threads = threads;
    options.coalition = {0, 5, 40};
    options.network.latency = 1;
    for (const AgentId agent : {7u, 20u, 33u})
      options.departures.push_back({.agent = agent, .vanishes_after = 2, .at = 1.0 * agent});
    Simulator simulator(graph, options);
    const Outcomes outcomes = run(simulator, plan);
    EXPECT_EQ(std::ranges::count_if(outcomes, [](const auto& one) { return one.result.has_value(); }), 57);
    views[threads > 1] = simulator.view();
  }
  ASSERT_EQ(views[0].size(), views[1].size());
  for (std::size_t k = 0; k < views[0].size(); ++k) ASSERT_EQ(views[0][k].bytes, views[1][k].bytes);
}

}  // namespace
}  // namespace tacit
