#include "tacit/protocol/consensus/consensus.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/protocol_testing.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {
namespace {

using testing::plain_step;
using testing::random_triangle_graph;

template <class Signed>
using States = std::vector<WipedVector<Signed>>;

template <class Word>
States<SignedOf<Word>> run_masked(Simulator& simulator, const ConsensusPlan& plan,
                                  const States<SignedOf<Word>>& start) {
  return simulator.run<WipedVector<SignedOf<Word>>>(
      [&](tacit::Run& net) { return secure_average_state<Word>(net, plan, start[net.self()]); });
}

// A random case: a graph, a plan with a sufficient modulus, and states anywhere in the plan's range.
struct Case {
  std::mt19937_64 random;
  Graph graph;
  ConsensusPlan plan;
  States<Integer128> start;

  explicit Case(std::uint64_t seed) : random(seed), graph(make_graph()), plan(make()) {
    const long double scale = static_cast<long double>(plan.denominator) / plan.lz * plan.value_bound;
    for (std::size_t i = 0; i < graph.agents(); ++i) {
      start.emplace_back();
      for (std::size_t k = 0; k < plan.dimension; ++k) {
        start.back().push_back(static_cast<Integer128>(testing::extreme_or_ordinary(random) * scale));
      }
    }
  }
  Graph make_graph() { return random_triangle_graph(3 + random() % 9, random() % 12, random); }
  ConsensusPlan make() {
    PlanRequest request;
    request.dimension = 1 + random() % 4;
    request.lz = std::pow(10.0, -static_cast<double>(random() % 7));
    request.value_bound = std::pow(10.0, static_cast<double>(random() % 13) - 2);
    request.iterations = 1 + random() % 6;
    request.rule = random() % 2 ? ModulusRule::range : ModulusRule::paper;
    if (random() % 3 == 0) request.modulus_bits = 100 + random() % 29;
    return make_plan(graph, request);
  }
  States<Integer128> plain() const {
    const MetropolisWeights weights(graph);
    States<Integer128> result = start;
    for (std::size_t k = 0; k < plan.dimension; ++k) {
      std::vector<Integer128> column;
      for (const auto& s : start) column.push_back(s[k]);
      for (std::size_t t = 0; t < plan.iterations; ++t) column = plain_step(weights, column);
      for (std::size_t i = 0; i < column.size(); ++i) result[i][k] = column[i];
    }
    return result;
  }
};

States<std::int64_t> narrow(const States<Integer128>& wide) {
  States<std::int64_t> out;
  for (const auto& s : wide) out.emplace_back(s.begin(), s.end());
  return out;
}

// Theorem 2: z ≡ z̄. Also with the smaller modulus, which wraps if the range lemma is wrong.
TEST(SecureAverage, MaskedEqualsUnmaskedToTheBitInThousandsOfCases) {
  std::size_t narrow_cases = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Case c(seed);
    Simulator simulator(c.graph,
                        {.threads = 1, .seed = seed, .network = {}, .coalition = {}, .progress = nullptr});
    const auto expected = c.plain();
    ASSERT_TRUE(run_masked<Word128>(simulator, c.plan, c.start) == expected) << "case " << seed;
    if (!fits_64(c.plan)) continue;
    ++narrow_cases;
    ASSERT_TRUE(run_masked<Word64>(simulator, c.plan, narrow(c.start)) == narrow(expected))
        << "case " << seed;
  }
  EXPECT_GT(narrow_cases, 1000u);  // both widths were tested
  EXPECT_LT(narrow_cases, 2900u);
}

TEST(SecureAverage, PreservesTheAverageExactly) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Case c(seed);
    Simulator simulator(c.graph);
    const auto end = run_masked<Word128>(simulator, c.plan, c.start);
    for (std::size_t k = 0; k < c.plan.dimension; ++k) {
      Integer128 before = 0, after = 0;
      for (std::size_t i = 0; i < end.size(); ++i) {
        before += c.start[i][k];
        after += end[i][k];
      }
      ASSERT_TRUE(before == after) << "case " << seed;
    }
  }
}

// The lemma behind modulus_bound_range, for the plain dynamics: no quantised state ever exceeds the largest
// of the start.
TEST(SecureAverage, QuantisedStatesNeverLeaveTheirRange) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::mt19937_64 random(seed);
    const Graph graph = random_triangle_graph(3 + random() % 10, random() % 20, random);
    const MetropolisWeights weights(graph);
    const Integer128 d = static_cast<Integer128>(weights.denominator());
    std::vector<Integer128> state;
    for (std::size_t i = 0; i < graph.agents(); ++i)
      state.push_back(static_cast<Integer128>(random() % 2001) - 1000 + (random() % 2 ? d / 2 : 0));
    auto q = [&](Integer128 s) {
      return static_cast<long>(std::floor(static_cast<double>(2 * s + d) / static_cast<double>(2 * d)));
    };
    auto range = [&] {
      std::vector<long> all;
      for (Integer128 s : state) all.push_back(q(s));
      const auto [low, high] = std::minmax_element(all.begin(), all.end());
      return std::pair(*low, *high);
    };
    auto [low, high] = range();
    for (int t = 0; t < 60; ++t) {
      state = plain_step(weights, state);
      const auto [l, h] = range();
      ASSERT_GE(l, low) << "case " << seed;
      ASSERT_LE(h, high) << "case " << seed;
      low = l;
      high = h;
    }
  }
}

// Lemma quantMetro and Theorem 2: after enough iterations all agents are within L_z of the average.
TEST(SecureAverage, EndsWithinLzOfTheAverage) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const Graph graph = random_triangle_graph(4 + random() % 8, random() % 10, random);
    PlanRequest request;
    request.dimension = 3;
    request.value_bound = 50;
    request.lz = 0.01;
    request.iterations = 4 * make_plan(graph, request).iterations;  // the transient is negligible
    const ConsensusPlan plan = make_plan(graph, request);
    std::vector<Values> start(graph.agents(), Values(3));
    Values average(3);
    for (Values& z : start)
      for (std::size_t k = 0; k < 3; ++k) {
        z[k] = static_cast<double>(random() % 100001) / 1000 - 50;
        average[k] += z[k] / static_cast<double>(graph.agents());
      }
    Simulator simulator(graph);
    const auto end =
        simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, start[net.self()]); });
    for (const Values& z : end)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_LE(std::abs(z[k] - average[k]), plan.lz * (1 + 0.5 * plan.lw()) + 1e-12) << "case " << seed;
  }
}

// T from λ: the plan's error bound for its own T.
TEST(SecureAverage, PlannedIterationsLeaveThePlannedError) {
  const Graph graph = ring_lattice(20, 4);
  PlanRequest request;
  request.value_bound = 100;
  const ConsensusPlan plan = make_plan(graph, request);
  EXPECT_LE(plan.transient(), plan.lz);
  std::vector<double> start;
  for (std::size_t i = 0; i < 20; ++i) start.push_back(i < 10 ? 100 : -100);  // these starts mix most slowly
  Simulator simulator(graph);
  const auto end = simulator.run<Values>(
      [&](tacit::Run& net) { return secure_average(net, plan, Values(1, start[net.self()])); });
  for (const Values& z : end) EXPECT_LE(std::abs(z[0]), 2 * plan.lz);
}

// Lemma zeroshare, checked on the messages: φ_ij is ζ_ij minus the weighted value, φ_ii is what i received
// minus what it sent.
TEST(SecureAverage, MasksSumToZeroForEveryAggregator) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Case c(seed);
    c.plan.iterations = 1;
    std::vector<AgentId> everybody(c.graph.agents());
    std::iota(everybody.begin(), everybody.end(), AgentId{0});
    Simulator simulator(
        c.graph, {.threads = 2, .seed = seed, .network = {}, .coalition = everybody, .progress = nullptr});
    run_masked<Word128>(simulator, c.plan, c.start);

    const MetropolisWeights weights(c.graph);
    const Ring<Word128> ring(c.plan.modulus_bits);
    const Integer128 d = static_cast<Integer128>(c.plan.denominator);
    std::vector<std::vector<Word128>> sums(c.graph.agents(), std::vector<Word128>(c.plan.dimension));
    bool masks_are_there = false;
    for (const Received& message : simulator.view()) {
      std::vector<Word128> content(c.plan.dimension);
      const ConstBytes bytes = message.bytes;
      add_packed<Word128>(ring, std::span(&bytes, 1), content);
      const AgentId i = message.tag.about;
      for (std::size_t k = 0; k < content.size(); ++k) {
        if (message.tag.step == Step::masked) {
          const Integer128 doubled = 2 * c.start[message.from][k] + d;
          Integer128 q = doubled / (2 * d);
          if (q * 2 * d > doubled) --q;
          const Word128 phi = content[k] - weights.between(i, message.from) * static_cast<Word128>(q);
          masks_are_there |= ring.reduce(phi) != 0;
          sums[i][k] += phi;
        } else if (message.to == i) {
          sums[i][k] += content[k];  // into φ_ii
        } else if (message.from == i) {
          sums[i][k] -= content[k];  // i's own share is minus what it sent
        }
      }
    }
    ASSERT_TRUE(masks_are_there);
    for (const auto& sum : sums)
      for (Word128 s : sum) ASSERT_TRUE(ring.reduce(s) == 0) << "case " << seed;
  }
}

TEST(SecureAverage, FreshMasksEveryRoundAndRun) {
  const Graph graph = complete_graph(4);
  PlanRequest request;
  request.iterations = 3;
  const ConsensusPlan plan = make_plan(graph, request);
  Simulator simulator(graph, {.threads = 1, .seed = 1, .network = {}, .coalition = {0}, .progress = nullptr});
  for (int run = 0; run < 2; ++run)
    simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(1, 0.5)); });
  std::set<std::string> seen;
  for (const Received& message : simulator.view())
    seen.emplace(reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size());
  EXPECT_EQ(seen.size(), simulator.view().size());  // no payload twice
}

TEST(SecureAverage, ValueAboveThePublicBoundIsRefusedWithTheBitsThatWouldDo) {
  const Graph graph = ring_lattice(10, 4);
  PlanRequest request;
  request.lz = 1e-4;
  request.value_bound = 10;
  const ConsensusPlan plan = make_plan(graph, request);
  request.value_bound = 40;
  const unsigned bits = make_plan(graph, request).modulus_bits;
  Simulator simulator(graph);
  try {
    simulator.run<Values>(
        [&](tacit::Run& net) { return secure_average(net, plan, Values(1, net.self() == 3 ? -40.0 : 1.0)); });
    FAIL() << "accepted";
  } catch (const InputError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("agent 3"), std::string::npos) << text;
    EXPECT_NE(text.find(std::to_string(bits) + " bits"), std::string::npos) << text;
    EXPECT_EQ(text.find("40.0"), std::string::npos) << "the message shows the private value: " << text;
  }
}

TEST(SecureAverage, ValueThatNoModulusCoversIsRefusedWithoutShowingIt) {
  const Graph graph = complete_graph(3);
  for (unsigned blinding : {0u, 40u}) {
    PlanRequest request;
    request.hardening.blinding = blinding;
    const ConsensusPlan plan = make_plan(graph, request);
    Simulator simulator(graph);
    try {
      simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(1, 7.5e200)); });
      FAIL() << "accepted";
    } catch (const InputError& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("no supported modulus"), std::string::npos) << text;
      EXPECT_EQ(text.find("7.5"), std::string::npos) << "the message shows the private value: " << text;
    }
  }
}

TEST(SecureAverage, NonFiniteValueIsRefused) {
  const Graph graph = complete_graph(3);
  const ConsensusPlan plan = make_plan(graph, {});
  Simulator simulator(graph);
  EXPECT_THROW(
      simulator.run<Values>([&](tacit::Run& net) { return secure_average(net, plan, Values(1, NAN)); }),
      InputError);
}

// The paper's Protocol 1 needs no roster, identity or transcript.
TEST(SecureAverage, AChannelGivesTheSameBitsAsARun) {
  const Graph graph = ring_lattice(7, 4);
  for (const unsigned blinding : {0u, 30u}) {
    PlanRequest request;
    request.iterations = 5;
    request.hardening.blinding = blinding;
    const ConsensusPlan plan = make_plan(graph, request);
    const auto twice = [&](const std::function<Task<Values>(tacit::Run&, std::uint32_t number)>& average) {
      SimulatorOptions options;
      options.coalition = {0, 3};
      Simulator simulator(graph, options);
      std::vector<Values> results;
      for (const std::uint32_t number : {0u, 1u})
        for (Values& result : simulator.run<Values>([&](tacit::Run& net) { return average(net, number); }))
          results.push_back(std::move(result));
      return std::pair(results, simulator.view());
    };
    const auto [of_run, seen_in_run] = twice([&](tacit::Run& net, std::uint32_t) {
      return secure_average(net, plan, Values(1, 0.1 * net.self()));
    });
    const auto [of_channel, seen] = twice([&](tacit::Run& net, std::uint32_t number) {
      return secure_average(net.channel(), plan, Values(1, 0.1 * net.self()), number);
    });
    EXPECT_EQ(of_run, of_channel);
    ASSERT_EQ(seen_in_run.size(), seen.size());
    for (std::size_t k = 0; k < seen.size(); ++k) {
      EXPECT_EQ(seen_in_run[k].tag, seen[k].tag);
      EXPECT_EQ(seen_in_run[k].bytes, seen[k].bytes);
    }
  }
}

TEST(SecureAverage, SeededMasksNeedARun) {
  const Graph graph = complete_graph(4);
  PlanRequest request;
  request.hardening.masks = MaskSource::seeded;
  const ConsensusPlan plan = make_plan(graph, request);
  Simulator simulator(graph);
  try {
    simulator.run<Values>([&](Channel& net) { return secure_average(net, plan, Values(1, 0.5)); });
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("pass a Run"), std::string::npos) << e.what();
  }
}

// A neighbour that sends too few or too many bytes is named.
Task<Values> misbehave(tacit::Run& net, std::size_t bytes) {
  const std::uint32_t run = net.begin_run();
  for (AgentId a : net.neighbourhood().neighbours)
    for (AgentId l : net.neighbourhood().circle(a)) net.send(l, {run, 0, a, Step::share}, net.buffer(bytes));
  co_return Values{};
}

TEST(SecureAverage, MalformedMessageIsRefusedNamingSenderAndTag) {
  const Graph graph = complete_graph(4);
  const ConsensusPlan plan = make_plan(graph, {});
  for (std::size_t bytes : {std::size_t{0}, plan.message_bytes() - 1, plan.message_bytes() + 1}) {
    Simulator simulator(graph);
    try {
      simulator.run<Values>([&](tacit::Run& net) {
        return net.self() == 2 ? misbehave(net, bytes) : secure_average(net, plan, Values(1, 0.5));
      });
      FAIL() << "accepted";
    } catch (const Error& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("agent 2 sent a malformed message"), std::string::npos) << text;
      EXPECT_NE(text.find("share of round 0"), std::string::npos) << text;
    }
  }
}

// An agent with another plan moves the sum out of range. The others stop, with words of both widths.
void expect_stop_out_of_range(unsigned bits, const Hardening& hardening) {
  const Graph graph = complete_graph(4);
  PlanRequest request;
  request.lz = 1e-4;
  request.iterations = 20;
  request.modulus_bits = bits;
  request.hardening = hardening;
  const ConsensusPlan plan = make_plan(graph, request);
  request.value_bound = 1e6;
  const ConsensusPlan other = make_plan(graph, request);
  Simulator simulator(graph);
  EXPECT_THROW(simulator.run<Values>([&](tacit::Run& net) {
    return net.self() == 1 ? secure_average(net, other, Values(1, 1e6))
                           : secure_average(net, plan, Values(1, 1.0));
  }),
               Error);
}
TEST(SecureAverage, StateOutOfRangeStopsTheRun) {
  for (const unsigned bits : {60u, 100u}) {
    expect_stop_out_of_range(bits, {});
    expect_stop_out_of_range(
        bits, {.masks = MaskSource::seeded, .acceleration = Acceleration::chebyshev, .blinding = 0});
  }
}

}  // namespace
}  // namespace tacit
