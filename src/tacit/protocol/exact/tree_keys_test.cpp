// Keys of tree sums: each agent receives those of its mask partners, in messages that do not grow with the
// number of agents, and no relay can replace a key.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>

#include "tacit/base/base_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/exact/exact.hpp"
#include "tacit/protocol/exact/roster.hpp"
#include "tacit/protocol/protocol_testing.hpp"
#include "tacit/protocol/run/statement.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using testing::random_connected_graph;

ExactPlan tree_plan(std::size_t agents, std::size_t collusion, AgentId originator = 0) {
  return make_exact_plan({.agents = agents,
                          .dimension = 3,
                          .value_bound = 1e6,
                          .unit = 1,
                          .originator = originator,
                          .fewest = 2,
                          .tree = true,
                          .collusion = collusion});
}

TEST(PathTree, IsTheWalkThroughShortestPaths) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Graph graph = random_connected_graph(2 + random() % 30, random() % 30, random);
    const Gathering all(graph);
    const auto source = static_cast<AgentId>(random() % graph.agents());
    const PathTree& tree = all.tree(source);
    ASSERT_EQ(tree.walk.size(), graph.agents());
    EXPECT_EQ(tree.walk[0], source);
    std::vector<AgentId> sorted = tree.walk;
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, all.roster);
    std::size_t deepest = 0;
    for (const AgentId agent : all.roster) {
      EXPECT_EQ(tree.walk[tree.place[agent]], agent);
      // The agent's stretch of the walk contains exactly the agents of its branch.
      std::size_t depth = 0;
      for (AgentId at = agent; at != source; at = tree.parent[at], ++depth) {
        EXPECT_TRUE(graph.adjacent(at, tree.parent[at]));
        EXPECT_GE(tree.place[agent], tree.place[at]);
        EXPECT_LT(tree.place[agent], tree.place[at] + tree.branch[at]);
      }
      std::size_t below = 0;
      for (AgentId other : all.roster) {
        while (other != agent && other != source) other = tree.parent[other];
        below += other == agent;
      }
      EXPECT_EQ(tree.branch[agent], below);
      EXPECT_EQ(tree.level[agent], depth);
      deepest = std::max(deepest, depth);
    }
    EXPECT_EQ(all.depth(source), deepest);
    EXPECT_TRUE(std::ranges::is_sorted(tree.nearest, {}, [&](AgentId agent) { return tree.level[agent]; }));
    const AgentId gone = tree.nearest.back();  // no path leads through it
    const Gathering& rest = all.without({gone});
    EXPECT_EQ(&rest, &all.without({gone}));
    EXPECT_FALSE(rest.takes_part(gone));
    EXPECT_EQ(rest.tree(source == gone ? rest.roster[0] : source).walk.size(), graph.agents() - 1);
  }
}

// The measured cost equals the predicted one.
TEST(TreeKeys, CostIsKnownToTheByte) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 25; ++trial) {
    const std::size_t agents = 2 + random() % 60;
    const Graph graph = random_connected_graph(agents, random() % 60, random);
    const ExactPlan plan = tree_plan(agents, random() % agents, static_cast<AgentId>(random() % agents));
    Simulator simulator(graph);
    simulator.run<Values>([&](tacit::Run& net) { return exact_sum(net, plan, Values{1, 2, 3}); });
    const TreeCost predicted = tree_cost(plan, Gathering(graph));
    EXPECT_EQ(predicted.bytes, simulator.cost().bytes);
    EXPECT_EQ(predicted.rounds, simulator.cost().rounds);
    std::vector<std::uint64_t> of(agents);
    for (const LinkTraffic& link : simulator.traffic()) {
      of[link.a] += link.bytes;
      of[link.b] += link.bytes;
    }
    EXPECT_EQ(predicted.most_bytes, *std::ranges::max_element(of));
  }
}

// Twice as many agents need twice the bytes and one more step, not four times the bytes.
TEST(TreeKeys, GrowWithTheNumberOfAgentsOnly) {
  const auto cost = [](std::size_t agents) {
    return tree_cost(tree_plan(agents, 20), Gathering(random_regular(agents, 8, 3)));
  };
  const TreeCost few = cost(5'000), many = cost(40'000);
  EXPECT_LT(static_cast<double>(many.keys), 8.2 * static_cast<double>(few.keys));
  EXPECT_LE(many.depth, few.depth + 2);
}

TEST(TreeKeys, AnotherOriginatorNeedsOtherPartners) {
  const Graph graph = random_regular(40, 4, 1);
  const ExactPlan first = tree_plan(40, 3, 0), second = tree_plan(40, 3, 17);
  Simulator simulator(graph);
  const auto results = simulator.run<Values>([&](tacit::Run& net) -> Task<Values> {
    const Values mine{1, 0, 0};
    (void)co_await exact_sum(net, first, mine);
    co_return co_await exact_sum(net, second, mine);
  });
  for (const Values& result : results) EXPECT_EQ(result, (Values{40, 0, 0}));
}

// A relay replaces each key that passes through it, one at a time. An agent that would mask with the key's
// owner notices and names the relay. If there is no such agent, the other agents' digests differ.
TEST(TreeKeys, ARelayCannotReplaceAKey) {
  const std::size_t agents = 14;
  std::mt19937_64 random(3);
  const Graph graph = random_connected_graph(agents, 6, random);
  const ExactPlan plan = tree_plan(agents, 3);
  ASSERT_GT(plan.mask_degree, 0u);
  const PathTree tree = Gathering(graph).tree(0);
  std::size_t tried = 0, named = 0;
  for (AgentId relay = 0; relay < agents; ++relay)
    for (const Step step : {Step::join, Step::roster})
      for (std::size_t which = 0; which < 8; ++which) {
        std::mutex guard;
        bool done = false;
        SimulatorOptions options;
        options.tamper = [&](AgentId from, AgentId, const Tag& tag,
                             std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
          const std::lock_guard lock(guard);
          const std::size_t at = 2 * sizeof(Digest) + which * roster_entry_bytes;
          if (done || from != relay || tag.step != step || bytes.size() < at + roster_entry_bytes)
            return std::nullopt;
          const auto owner = value_at<std::uint32_t>(bytes.subspan(at));
          if (owner == relay) return std::nullopt;  // an agent may choose its own key
          done = true;
          std::vector<std::byte> other(bytes.begin(), bytes.end());
          Prg prg = Prg::from_seed(which, "forged", relay);
          const KeyPair forged(prg);
          std::ranges::copy(forged.public_key(), other.begin() + static_cast<std::ptrdiff_t>(at + 4));
          return SimulatorOptions::Instead{{tag, other}};
        };
        Simulator simulator(graph, options);
        const auto outcomes = simulator.run_with_losses<Values>([&](tacit::Run& net) {
          return exact_sum(net, plan, Values{1, 2, 3});
        });
        if (!done) continue;
        ++tried;
        for (const auto& outcome : outcomes) {
          if (outcome.result) {
            EXPECT_EQ(*outcome.result, (Values{14, 28, 42}));
          }
          named += outcome.error.find("is not signed by its owner") != std::string::npos;
        }
      }
  EXPECT_GT(tried, 20u);
  EXPECT_GE(named, tried);
}

// Agent 1 sees the key of agent 2, below it, before it must present its own, and presents the same.
TEST(TreeKeys, ACopiedKeyIsRefused) {
  const Graph path(4, {{0, 1}, {1, 2}, {2, 3}});
  const ExactPlan plan = tree_plan(4, 2);
  SimulatorOptions options;
  Prg source = Prg::from_seed(options.seed, "identity", 1);
  const Identity hostile(source);
  options.tamper = [&](AgentId from, AgentId, const Tag& tag,
                       std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
    if (from != 1 || tag.step != Step::join) return std::nullopt;
    std::vector<std::byte> other(bytes.begin(), bytes.end());
    constexpr std::size_t head = 2 * sizeof(Digest);
    const auto entries = std::span(other).subspan(head);
    EXPECT_EQ(value_at<std::uint32_t>(entries), 1u);
    EXPECT_EQ(value_at<std::uint32_t>(entries.subspan(roster_entry_bytes)), 2u);
    const auto key = value_at<PublicKey>(entries.subspan(roster_entry_bytes + 4));
    const Signature signature = hostile.sign(key_text(value_at<Digest>(other), 1, key));
    std::ranges::copy(key, entries.begin() + 4);
    std::ranges::copy(signature, entries.begin() + 4 + sizeof key);
    return SimulatorOptions::Instead{{tag, other}};
  };
  Simulator simulator(path, options);
  std::size_t named = 0;
  for (const auto& outcome : simulator.run_with_losses<Values>([&](tacit::Run& net) {
         return exact_sum(net, plan, Values{1, 2, 3});
       })) {
    EXPECT_FALSE(outcome.result);
    named += outcome.error.find("agents 1 and 2 present the same key") != std::string::npos;
  }
  EXPECT_GT(named, 0u);
}

// The receiver refuses lists with keys of other places, too few keys or too many.
TEST(TreeKeys, MalformedListsAreRefused) {
  const Graph graph = random_regular(20, 4, 2);
  const ExactPlan plan = tree_plan(20, 3);
  for (const int how : {0, 1, 2, 3}) {
    SimulatorOptions options;
    options.threads = 1;
    bool done = false;
    options.tamper = [&](AgentId from, AgentId, const Tag& tag,
                         std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
      if (done || from != 0 || tag.step != Step::roster) return std::nullopt;
      done = true;
      std::vector<std::byte> other(bytes.begin(), bytes.end());
      constexpr std::size_t head = 2 * sizeof(Digest);
      if (how == 0) other.resize(other.size() - roster_entry_bytes);
      if (how == 1) other.resize(other.size() + roster_entry_bytes);
      if (how == 2) other.resize(sizeof(Digest) + 5);
      if (how == 3)
        std::swap_ranges(other.begin() + head, other.begin() + head + roster_entry_bytes,
                         other.begin() + head + roster_entry_bytes);
      return SimulatorOptions::Instead{{tag, other}};
    };
    Simulator simulator(graph, options);
    std::size_t refused = 0;
    for (const auto& outcome : simulator.run_with_losses<Values>([&](tacit::Run& net) {
           return exact_sum(net, plan, Values{1, 2, 3});
         })) {
      EXPECT_FALSE(outcome.result);
      refused += outcome.error.find("agent 0 sent a malformed message") != std::string::npos;
    }
    EXPECT_EQ(refused, 1u) << how;
  }
}

}  // namespace
}  // namespace tacit
