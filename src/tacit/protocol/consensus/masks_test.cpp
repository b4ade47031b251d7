// Seeded masks and every combination of the options: masked runs equal unmasked ones to the bit.
#include "tacit/protocol/consensus/masks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/consensus/key_exchange.hpp"
#include "tacit/protocol/protocol_testing.hpp"

namespace tacit {
namespace {

template <class Signed>
using MaskStates = std::vector<WipedVector<Signed>>;

SimulatorOptions watched(const Graph& graph, std::uint64_t seed) {
  std::vector<AgentId> everybody(graph.agents());
  std::iota(everybody.begin(), everybody.end(), AgentId{0});
  return {.threads = 1, .seed = seed, .network = {}, .coalition = everybody, .progress = nullptr};
}

// A random graph, plan and start, with any of the options.
struct MaskCase {
  std::mt19937_64 random;
  Graph graph;
  ConsensusPlan plan;
  MaskStates<Integer128> start;

  explicit MaskCase(std::uint64_t seed) : random(seed), graph(make_graph()), plan(make()) {
    for (std::size_t i = 0; i < graph.agents(); ++i) {
      start.emplace_back();
      for (std::size_t k = 0; k < plan.dimension; ++k) {
        start.back().push_back(
            static_cast<Integer128>(testing::extreme_or_ordinary(random) * plan.value_bound / plan.unit()));
      }
    }
  }
  Graph make_graph() { return testing::random_connected_graph(2 + random() % 9, random() % 12, random); }
  ConsensusPlan make() {
    PlanRequest request;
    request.dimension = 1 + random() % 4;
    request.lz = std::pow(10.0, -static_cast<double>(random() % 5));
    request.value_bound = std::pow(10.0, static_cast<double>(random() % 7) - 2);
    request.iterations = 1 + random() % 30;
    request.rule = random() % 2 ? ModulusRule::range : ModulusRule::paper;
    request.require_triangles = false;
    request.hardening.masks = random() % 4 ? MaskSource::seeded : MaskSource::shares;
    request.hardening.acceleration = random() % 2 ? Acceleration::chebyshev : Acceleration::none;
    request.hardening.blinding = random() % 3 ? 0 : 1 + static_cast<unsigned>(random() % 20);
    if (random() % 4 == 0) request.modulus_bits = 110 + random() % 19;
    return make_plan(graph, request);
  }
  // Computed from the start and the noise that a run has sent.
  MaskStates<Integer128> plain(const std::vector<Received>& view) const {
    MaskStates<Integer128> result = start;
    const unsigned bits = plan.noise_bits + 1;
    const std::size_t bytes = (bits + 7) / 8;
    for (const Received& message : view) {
      if (message.tag.step != Step::blind) continue;
      for (std::size_t k = 0; k < plan.dimension; ++k) {
        Word128 r = 0;
        for (std::size_t b = 0; b < bytes; ++b)
          r |= static_cast<Word128>(message.bytes[k * bytes + b]) << (8 * b);
        const Integer128 noise = static_cast<Integer128>(r << (128 - bits)) >> (128 - bits);
        result[message.from][k] += noise;
        result[message.to][k] -= noise;
      }
    }
    const MetropolisWeights weights(graph);
    for (std::size_t k = 0; k < plan.dimension; ++k) {
      std::vector<Integer128> column;
      for (const auto& s : result) column.push_back(s[k]);
      column = testing::plain_run(weights, plan, column);
      for (std::size_t i = 0; i < column.size(); ++i) result[i][k] = column[i];
    }
    return result;
  }
};

template <class Word>
void expect_masked_equals_plain(const MaskCase& c, std::uint64_t seed) {
  using Signed = SignedOf<Word>;
  Simulator simulator(c.graph, watched(c.graph, seed));
  const auto end = simulator.run<WipedVector<Signed>>([&](tacit::Run& net) {
    const auto& mine = c.start[net.self()];
    return secure_average_state<Word>(net, c.plan, WipedVector<Signed>(mine.begin(), mine.end()));
  });
  const auto expected = c.plain(simulator.view());
  for (std::size_t i = 0; i < end.size(); ++i)
    ASSERT_TRUE(std::ranges::equal(end[i], expected[i]))
        << "case " << seed << ", agent " << i << ", " << 8 * sizeof(Word) << "-bit words";
}

TEST(Hardened, MaskedEqualsUnmaskedToTheBitWithAnyOptions) {
  const std::size_t cases = testing::repeats(600, 2000);
  std::size_t narrow = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const MaskCase c(seed);
    expect_masked_equals_plain<Word128>(c, seed);
    if (fits_64(c.plan)) expect_masked_equals_plain<Word64>(c, seed), ++narrow;
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(narrow, cases / 3);  // both widths were tested
  EXPECT_LT(narrow, cases - cases / 10);
}

Graph bipartite() {  // no triangle anywhere
  return Graph(7, {{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 5}, {1, 6}, {2, 4}, {2, 6}, {2, 3}});
}

ConsensusPlan seeded_plan(const Graph& graph, std::size_t iterations, std::size_t dimension = 2) {
  PlanRequest request;
  request.dimension = dimension;
  request.iterations = iterations;
  request.hardening.masks = MaskSource::seeded;
  return make_plan(graph, request);
}

TEST(SeededMasks, SendNoSharesAndNeedNoTriangles) {
  const Graph graph = bipartite();
  EXPECT_THROW(make_plan(graph, {}), InputError);
  const ConsensusPlan plan = seeded_plan(graph, 5);
  Simulator simulator(graph, watched(graph, 1));
  simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(2, 0.5)); });
  std::size_t masked = 0;
  for (const Received& message : simulator.view()) {
    EXPECT_NE(message.tag.step, Step::share);
    masked += message.tag.step == Step::masked;
  }
  EXPECT_EQ(masked, 5 * 2 * graph.edges());
}

// Computed from the messages: ζ minus the weighted value is φ. Every value is 0.5, so z never moves.
void expect_masks_sum_to_zero(const Graph& graph) {
  const MetropolisWeights weights(graph);
  const ConsensusPlan plan = seeded_plan(graph, 3);
  const Ring<Word64> ring(plan.modulus_bits);
  Simulator simulator(graph, watched(graph, 2));
  simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(2, 0.5)); });
  const auto quantised = static_cast<Word64>(std::llround(0.5 / plan.lz));
  std::map<std::pair<AgentId, std::uint32_t>, std::vector<Word64>> sums;
  std::set<Word64> masks;
  for (const Received& message : simulator.view()) {
    if (message.tag.step != Step::masked) continue;
    std::vector<Word64> phi(2, Word64{0} - weights.between(message.to, message.from) * quantised);
    const ConstBytes bytes = message.bytes;
    add_packed<Word64>(ring, {&bytes, 1}, phi);
    auto& sum = sums.try_emplace({message.to, message.tag.round}, 2).first->second;
    for (std::size_t k = 0; k < 2; ++k) {
      sum[k] += phi[k];
      masks.insert(ring.reduce(phi[k]));
    }
  }
  EXPECT_EQ(sums.size(), 3 * graph.agents());
  for (const auto& [where, sum] : sums)
    for (Word64 s : sum) EXPECT_EQ(ring.reduce(s), 0u) << "aggregator " << where.first;
  // The masks of two neighbours of an aggregator differ only in sign. Otherwise no mask occurs twice, in any
  // round.
  EXPECT_FALSE(masks.contains(0));
  EXPECT_EQ(masks.size(), 3 * 2 * 2 * graph.edges());
}

TEST(SeededMasks, SumToZeroForEveryAggregatorAndAreThere) {
  expect_masks_sum_to_zero(bipartite());
  expect_masks_sum_to_zero(ring_lattice(4, 2));  // two agents with two aggregators in common
}

// The setting of Theorem 3: an aggregator and all but two of its neighbours combine their knowledge. What
// remains of the two others' messages is one stream unknown to the coalition, added on one side and
// subtracted on the other.
TEST(SeededMasks, TwoHonestNeighboursHideEachOther) {
  const Graph graph(4, {{0, 1}, {0, 2}, {0, 3}});
  std::size_t hidden = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const ConsensusPlan plan = seeded_plan(graph, 1, 1);
    const Ring<Word64> ring(plan.modulus_bits);
    Simulator simulator(graph, watched(graph, seed));
    std::vector<std::optional<PairKeys>> keys(4);
    Digest occasion;
    const auto program = [&](tacit::Run& net) -> Task<Values> {
      Values z = co_await secure_average(net, plan, Values(1, 0.1 * net.self()));
      keys[net.self()] = net.pair_keys();
      occasion = net.transcript().now();
      co_return z;
    };
    simulator.run<Values>(program);
    std::vector<Word64> left(4);
    for (const Received& message : simulator.view())
      if (message.tag.step == Step::masked && message.to == 0) {
        const ConstBytes bytes = message.bytes;
        add_packed<Word64>(ring, {&bytes, 1}, std::span(&left[message.from], 1));
      }
    // Agent 3 colludes with 0 and subtracts its streams with 1 and 2.
    for (AgentId j : {1u, 2u}) {
      std::vector<std::byte> bytes(ring.element_bytes());
      Prg stream = stream_of(keys[3]->at(j), occasion);
      stream.go_to(0);
      stream.fill(bytes);
      const ConstBytes drawn = bytes;
      subtract_packed<Word64>(ring, {&drawn, 1}, std::span(&left[j], 1));
    }
    EXPECT_FALSE(keys[0]->contains(1)) << "the aggregator must not know masks that hide values from it";
    const Word64 unit = plan.denominator / 8;  // every weight is 1/8
    const auto value = [&](AgentId j) { return unit * static_cast<Word64>(std::llround(0.1 * j / plan.lz)); };
    EXPECT_EQ(ring.reduce(left[1] + left[2]), ring.reduce(value(1) + value(2)));  // the sum, as it must
    hidden += std::abs(ring.balanced(left[1] - value(1))) > (std::int64_t{1} << (plan.modulus_bits - 6));
  }
  EXPECT_GT(hidden, 25u);  // uniform masks exceed a 32nd of q/2 except in one of 32 runs
}

TEST(SeededMasks, RunsOnOneChannelAgreeOnKeysOnceAndNeverRepeatAMask) {
  const Graph graph = bipartite();
  const ConsensusPlan plan = seeded_plan(graph, 2);
  Simulator simulator(graph, watched(graph, 3));
  for (int run = 0; run < 3; ++run)
    simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(2, 0.5)); });
  std::set<std::string> seen;
  std::size_t masked = 0, keys = 0;
  for (const Received& message : simulator.view()) {
    keys += message.tag.step == Step::key;
    if (message.tag.step != Step::masked) continue;
    ++masked;
    seen.emplace(reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size());
  }
  EXPECT_EQ(seen.size(), masked);
  EXPECT_EQ(keys, 2 * graph.edges());
  const Traffic once = planned_traffic(graph, plan), setup = key_traffic(graph, plan);
  EXPECT_EQ(simulator.cost().messages, 3 * once.messages - 2 * setup.messages);
  EXPECT_EQ(simulator.cost().bytes, 3 * once.bytes - 2 * setup.bytes);
}

// Agents 1 and 2 both pass the keys of 0 and 3 to each other.
TEST(SeededMasks, AKeyReplacedOnTheWayIsNoticed) {
  const Graph graph(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const auto meddle = [](tacit::Run& net) -> Task<PairKeys> {
    KeyPair mine(net.randomness());
    for (AgentId j : {0u, 3u})
      for (Step step : {Step::key, Step::introduction}) {
        Payload payload = net.buffer(public_key_bytes);
        std::ranges::copy(mine.public_key(), payload.bytes().begin());
        net.send(j, {0, 0, net.self(), step}, std::move(payload));
      }
    co_return PairKeys{};
  };
  Simulator simulator(graph);
  try {
    simulator.run<PairKeys>(
        [&](tacit::Run& net) { return net.self() == 2 ? meddle(net) : exchange_keys(net, 0); });
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("agent 0: agent 2 passed on a public key of agent 3"),
              std::string::npos)
        << e.what();
  }
}

TEST(SeededMasks, AMalformedKeyIsRefusedNamingItsSender) {
  const Graph graph = complete_graph(3);
  const auto meddle = [](tacit::Run& net, std::size_t bytes) -> Task<PairKeys> {
    for (AgentId j : net.neighbourhood().neighbours) {
      Payload payload = net.buffer(bytes);
      std::ranges::fill(payload.bytes(), std::byte{0});  // a point of small order
      net.send(j, {0, 0, net.self(), Step::key}, std::move(payload));
    }
    co_return PairKeys{};
  };
  for (std::size_t bytes : {0u, 31u, 32u, 33u}) {
    Simulator simulator(graph);
    try {
      simulator.run<PairKeys>(
          [&](tacit::Run& net) { return net.self() == 1 ? meddle(net, bytes) : exchange_keys(net, 0); });
      FAIL() << "accepted " << bytes << " bytes";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(bytes == 32 ? "no shared key with agent 1"
                                                       : "agent 1 sent a malformed message (public key of"),
                std::string::npos)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace tacit
