#include "tacit/protocol/consensus/blinding.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/protocol_testing.hpp"

namespace tacit {
namespace {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

const Graph strip(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}});
const std::vector<double> secret = {3.25, -7.5, 9.125, 0.5, -4.75};

PlanRequest strip_request(unsigned blinding, Acceleration acceleration = Acceleration::none) {
  PlanRequest request;
  request.value_bound = 10;
  request.lz = 0x1p-20;
  request.hardening = {.masks = MaskSource::shares, .acceleration = acceleration, .blinding = blinding};
  return request;
}

// z_0(1..T) as agent 0 sees it. Runs of different length with the same seed begin with the same values.
LongVector own_trajectory(ConsensusPlan plan, std::size_t iterations) {
  LongVector seen(static_cast<Eigen::Index>(iterations));
  for (plan.iterations = 1; plan.iterations <= iterations; ++plan.iterations) {
    Simulator simulator(strip,
                        {.threads = 1, .seed = 5, .network = {}, .coalition = {}, .progress = nullptr});
    const auto end = simulator.run<WipedVector<Integer128>>([&](tacit::Run& net) {
      return secure_average_state<Word128>(net, plan,
                                           encode<Integer128>(plan, Values(1, secret[net.self()])));
    });
    seen[static_cast<Eigen::Index>(plan.iterations) - 1] = static_cast<long double>(end[0][0]) * plan.unit();
  }
  return seen;
}

// Findings 1b: row t of the observability matrix is e_0ᵀ p_t(W), and agent 0 knows W.
LongVector attack(const ConsensusPlan& plan, const LongVector& seen) {
  const MetropolisWeights weights(strip);
  LongMatrix w(5, 5);
  for (AgentId i = 0; i < 5; ++i)
    for (AgentId j = 0; j < 5; ++j)
      w(i, j) =
          static_cast<long double>(weights.between(i, j)) / static_cast<long double>(weights.denominator());
  LongMatrix rows(seen.size(), 5), now = LongMatrix::Identity(5, 5), before = now;
  ChebyshevWeights omegas(plan.lambda);
  for (Eigen::Index t = 0; t < seen.size(); ++t) {
    const long double omega = plan.hardening.acceleration == Acceleration::chebyshev
                                  ? static_cast<long double>(omegas.next()) * 0x1p-30L
                                  : 1.0L;
    const LongMatrix next = omega * (w * now) + (1 - omega) * before;
    before = now;
    now = next;
    rows.row(t) = now.row(0);
  }
  return rows.colPivHouseholderQr().solve(seen);
}

TEST(Blinding, TheTrajectoryAttackWorksWithoutIt) {
  for (Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev}) {
    const ConsensusPlan plan = make_plan(strip, strip_request(0, acceleration));
    const LongVector found = attack(plan, own_trajectory(plan, 20));
    for (Eigen::Index j = 1; j < 5; ++j)
      EXPECT_NEAR(static_cast<double>(found[j]), secret[static_cast<std::size_t>(j)], 2e-4);
  }
}

TEST(Blinding, TheTrajectoryAttackFindsNoiseAndTheSumOnly) {
  for (Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev}) {
    const ConsensusPlan plan = make_plan(strip, strip_request(40, acceleration));
    const LongVector found = attack(plan, own_trajectory(plan, 20));
    for (Eigen::Index j = 1; j < 5; ++j)
      EXPECT_GT(std::abs(static_cast<double>(found[j]) - secret[static_cast<std::size_t>(j)]), 1e6)
          << "agent " << j;
    // The noise cancels in the result.
    EXPECT_NEAR(static_cast<double>(found.sum()), 3.25 - 7.5 + 9.125 + 0.5 - 4.75, 2e-3);
  }
}

TEST(Blinding, TheNoiseIsGoneInTheEnd) {
  for (Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev})
    for (const Graph& graph : {strip, ring_lattice(20, 4), complete_graph(6)}) {
      PlanRequest request = strip_request(40, acceleration);
      request.dimension = 2;
      const ConsensusPlan plan = make_plan(graph, request);
      EXPECT_FALSE(fits_64(plan));
      EXPECT_LE(plan.transient(), plan.lz);
      Simulator simulator(graph);
      double average = 0;
      for (AgentId i = 0; i < graph.agents(); ++i)
        average += (i % 3 - 1.0) * 10 / static_cast<double>(graph.agents());
      const auto end = simulator.run<Values>(
          [&](tacit::Run& net) { return secure_average(net, plan, Values(2, (net.self() % 3 - 1.0) * 10)); });
      for (const Values& z : end) EXPECT_LE(std::abs(z[0] - average), 3 * plan.lz);
    }
}

struct Blinded {
  std::vector<WipedVector<Integer128>> states;
  std::vector<Received> view;
};

Blinded blinded_zeros(const Graph& graph, const ConsensusPlan& plan, std::uint64_t seed) {
  Simulator simulator(graph,
                      {.threads = 1, .seed = seed, .network = {}, .coalition = {0, 1}, .progress = nullptr});
  auto states = simulator.run<WipedVector<Integer128>>([&](tacit::Run& net) {
    return blind<Word128>(net, plan, net.begin_run(), WipedVector<Integer128>(plan.dimension));
  });
  return {std::move(states), simulator.view()};
}

TEST(Blinding, NoiseSumsToZeroAndFillsItsRange) {
  PlanRequest request = strip_request(40);
  request.dimension = 500;
  const ConsensusPlan plan = make_plan(strip, request);
  const Integer128 most = Integer128{1} << plan.noise_bits;
  EXPECT_GE(static_cast<double>(static_cast<long double>(most) * plan.unit()), 0x1p40 * plan.value_bound);
  const Blinded run = blinded_zeros(strip, plan, 1);
  std::size_t beyond_one = 0;
  for (std::size_t k = 0; k < plan.dimension; ++k) {
    Integer128 sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const Integer128 size = run.states[i][k] < 0 ? -run.states[i][k] : run.states[i][k];
      sum += run.states[i][k];
      EXPECT_TRUE(size <= static_cast<Integer128>(strip.degree(static_cast<AgentId>(i))) * most);
      beyond_one += size > most;
    }
    EXPECT_TRUE(sum == 0);
  }
  // The sum of two, three or four uniform numbers often exceeds the range of one, in at least a quarter of
  // cases.
  EXPECT_GT(beyond_one, 5 * plan.dimension / 8);
}

TEST(Blinding, EveryPairAndRunHasNoiseOfItsOwn) {
  const Graph graph = complete_graph(5);
  const ConsensusPlan plan = make_plan(graph, strip_request(40));
  std::set<Integer128> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const auto& state : blinded_zeros(graph, plan, seed).states) seen.insert(state[0]);
  EXPECT_EQ(seen.size(), 100u);
}

TEST(Blinding, MalformedNoiseIsRefusedNamingItsSender) {
  const Graph graph = complete_graph(3);
  const ConsensusPlan plan = make_plan(graph, strip_request(40));
  const auto meddle = [](tacit::Run& net) -> Task<Values> {
    const std::uint32_t run = net.begin_run();
    for (AgentId j : net.neighbourhood().neighbours) net.send(j, {run, 0, 0, Step::blind}, net.buffer(3));
    co_return Values{};
  };
  Simulator simulator(graph);
  try {
    simulator.run<Values>([&](tacit::Run& net) {
      return net.self() == 0 ? meddle(net) : secure_average(net, plan, Values(1));
    });
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("agent 0 sent a malformed message (noise from agent 0"),
              std::string::npos)
        << e.what();
  }
}

TEST(Blinding, MoreThanTheWordsHoldIsRefused) {
  PlanRequest request = strip_request(99);
  try {
    make_plan(strip, request);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("blinding"), std::string::npos) << e.what();
  }
  request.hardening.blinding = 1000;
  EXPECT_THROW(make_plan(strip, request), InputError);
}

}  // namespace
}  // namespace tacit
