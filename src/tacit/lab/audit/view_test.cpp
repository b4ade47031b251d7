// Checks that a coalition's view is independent of honest inputs. Two sets of honest data that give the
// coalition the same outputs must give indistinguishable views. This holds for single messages. It also holds
// for masked values minus all known shares, single or summed over any honest agents.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"
#include "tacit/lab/audit/recorded_testing.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {
namespace {

using testing::Recorded;
using Words = std::vector<Word64>;

Word64 word(const SeenMessage& message) {
  Word64 value = 0;
  std::memcpy(&value, message.bytes.data(), message.bytes.size());
  return value;
}

// The features of the view of one run with p = 1 that are compared.
Words features(const Graph& graph, const Coalition& coalition, std::uint32_t rounds,
               const std::vector<SeenMessage>& seen) {
  const auto in = [&](AgentId i) { return std::binary_search(coalition.begin(), coalition.end(), i); };
  Words found;
  for (const SeenMessage& message : seen)
    if (in(message.to) && !in(message.from)) found.push_back(word(message));
  for (std::uint32_t t = 0; t < rounds; ++t)
    for (AgentId i : coalition) {
      Words left;  // ζ_ij without the shares exchanged between j and the coalition
      for (AgentId j : graph.neighbours(i)) {
        if (in(j)) continue;
        Word64 rest = 0;
        for (const SeenMessage& m : seen) {
          if (m.tag.about != i || m.tag.round != t) continue;
          if (m.tag.step == Step::masked && m.from == j) rest += word(m);
          if (m.tag.step == Step::share && m.from == j && in(m.to)) rest += word(m);
          if (m.tag.step == Step::share && m.to == j && in(m.from)) rest -= word(m);
        }
        left.push_back(rest);
      }
      for (std::size_t set = 1; set < std::size_t{1} << left.size(); ++set) {
        Word64 sum = 0;
        for (std::size_t k = 0; k < left.size(); ++k)
          if (set >> k & 1) sum += left[k];
        found.push_back(sum);
      }
    }
  return found;
}

constexpr int runs = 1500;
constexpr unsigned modulus_bits = 32;

using Protocol = std::function<Task<Values>(tacit::Run&, const ConsensusPlan&, double)>;

struct Setting {
  Graph graph;
  Coalition coalition;
  std::size_t iterations;
  std::vector<double> one, other;  // the data of all agents; equal for the coalition
};

// The largest χ² over all features and their groups of four bits, each with 15 degrees of freedom.
double largest_difference(const Setting& s, const Protocol& protocol, bool fresh_seeds = true) {
  PlanRequest request;
  request.lz = 0x1p-10;
  request.value_bound = 8;
  request.iterations = s.iterations;
  request.modulus_bits = modulus_bits;
  const ConsensusPlan plan = make_plan(s.graph, request);
  using Histogram = std::array<std::array<double, 16>, modulus_bits / 4>;
  std::array<std::vector<Histogram>, 2> counts;
  std::uint64_t seed = 0;
  for (int run = 0; run < runs; ++run)
    for (std::size_t side : {0u, 1u}) {
      const auto& data = side == 0 ? s.one : s.other;
      Recorded recorded(s.graph, fresh_seeds ? seed++ : 0);
      recorded.simulator().run<Values>(
          [&](tacit::Run& net) { return protocol(net, plan, data[net.self()]); });
      const Words found = features(s.graph, s.coalition, static_cast<std::uint32_t>(s.iterations),
                                   recorded.seen_by(s.coalition));
      counts[side].resize(found.size(), Histogram{});
      for (std::size_t f = 0; f < found.size(); ++f)
        for (unsigned k = 0; k < modulus_bits / 4; ++k) ++counts[side][f][k][found[f] >> (4 * k) & 15];
    }
  double largest = 0;
  for (std::size_t f = 0; f < counts[0].size(); ++f)
    for (unsigned k = 0; k < modulus_bits / 4; ++k) {
      double statistic = 0;
      for (unsigned bin = 0; bin < 16; ++bin) {
        const double a = counts[0][f][k][bin], b = counts[1][f][k][bin];
        if (a + b > 0) statistic += (a - b) * (a - b) / (a + b);
      }
      largest = std::max(largest, statistic);
    }
  return largest;
}

// A χ² with 15 degrees of freedom exceeds this with probability 10^-15; there are a few thousand of them.
constexpr double threshold = 110;

Task<Values> real(tacit::Run& net, const ConsensusPlan& plan, double z) {
  return secure_average(net, plan, Values(1, z));
}

// The control: all masks are zero.
Task<Values> unmasked(tacit::Run& net, const ConsensusPlan& plan, double z) {
  const std::uint32_t run = net.begin_run();
  const Neighbourhood& here = net.neighbourhood();
  const auto send = [&](AgentId to, AgentId about, Step step, std::uint32_t value) {
    Payload payload = net.buffer(sizeof value);
    std::memcpy(payload.bytes().data(), &value, sizeof value);
    net.send(to, {run, 0, about, step}, std::move(payload));
  };
  for (AgentId i : here.neighbours) {
    for (AgentId l : here.circle(i)) send(l, i, Step::share, 0);
    send(i, i, Step::masked, static_cast<std::uint32_t>(static_cast<std::int64_t>(z / plan.lz)));
  }
  for (AgentId l : here.neighbours) send(l, here.self, Step::share, 0);
  for (AgentId j : here.neighbours) {
    for (AgentId a : here.circle(j)) (void)co_await net.receive(a, {run, 0, j, Step::share});
    (void)co_await net.receive(j, {run, 0, here.self, Step::share});
    (void)co_await net.receive(j, {run, 0, here.self, Step::masked});
  }
  co_return Values(1, z);
}

// All weights are equal, so equal sums give the coalition equal first steps.
Setting one_round() { return {complete_graph(5), {0, 3}, 1, {1, 2, -3, 4, 5}, {1, -1.5, 6, 4, -0.5}}; }

TEST(View, OneRoundIsIndependentOfHonestInputs) {
  EXPECT_LT(largest_difference(one_round(), real), threshold);
}

// If honest agents exchange their values, the coalition's own states are the same in all rounds.
TEST(View, SeveralRoundsAreIndependentOfWhoHasWhat) {
  EXPECT_LT(largest_difference({complete_graph(4), {1}, 3, {7, 2, -3, 0.25}, {-3, 2, 0.25, 7}}, real),
            threshold);
}

TEST(View, ControlMissingMasksAreCaught) {
  EXPECT_GT(largest_difference(one_round(), unmasked), 4 * threshold);
}

TEST(View, ControlConstantSeedsAreCaught) {
  EXPECT_GT(largest_difference(one_round(), real, false), 4 * threshold);
}

// The centre's output is the same, but the sums of the wings differ. Each single message is uniform.
TEST(View, ControlTheBowTieIsCaught) {
  EXPECT_GT(largest_difference({bow_tie(), {0}, 1, {0, 1, 2, 3, 4}, {0, 3, 4, 1, 2}}, real), 4 * threshold);
}

}  // namespace
}  // namespace tacit
