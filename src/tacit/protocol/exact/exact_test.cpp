#include "tacit/protocol/exact/exact.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <Eigen/LU>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/testing.h"
#include "tacit/secrecy/wire.hpp"
#include "tacit/simulation/simulator.hpp"

namespace tacit {
namespace {

using testing::random_connected_graph;

// A graph, a plan and values that are multiples of the plan's unit, so that sums of reals are exact too.
struct Case {
  std::mt19937_64 random;
  Graph graph;
  ExactPlan plan;
  std::vector<Values> values;
  SimulatorOptions options;

  explicit Case(std::uint64_t seed)
      : random(seed), graph(random_connected_graph(2 + random() % 9, random() % 9, random)) {
    ExactRequest request;
    request.agents = graph.agents();
    request.dimension = 1 + random() % 5;
    request.unit = std::ldexp(1.0, -static_cast<int>(random() % 30));
    request.value_bound = std::ldexp(1.0, static_cast<int>(random() % 12));
    request.originator = static_cast<AgentId>(random() % graph.agents());
    request.fewest = 2;
    if (random() % 2) request.collusion = random() % graph.agents();
    plan = make_exact_plan(request);
    for (std::size_t i = 0; i < graph.agents(); ++i) {
      values.emplace_back();
      const double steps = plan.value_bound / plan.unit;
      for (std::size_t k = 0; k < plan.dimension; ++k) {
        const double u = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
        values.back().push_back(random() % 5 ? plan.unit * std::floor(u * steps) : plan.value_bound);
      }
    }
    options.threads = random() % 16 ? 1 : 2;
    options.seed = seed;
    options.network = {.latency = 1e-3, .bandwidth = 0, .jitter = random() % 2 ? 5e-3 : 0};
  }

  std::function<Task<ExactSum>(Channel&)> program() {
    return [this](Channel& net) { return exact_sum(net, plan, values[net.self()]); };
  }

  Values sum_of(const std::vector<AgentId>& roster) const {
    Values sum(plan.dimension);
    for (AgentId i : roster)
      for (std::size_t k = 0; k < plan.dimension; ++k) sum[k] += values[i][k];
    return sum;
  }
};

std::vector<AgentId> everybody(std::size_t n) {
  std::vector<AgentId> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<AgentId>(i);
  return all;
}

TEST(Exact, EverybodyGetsTheSumToTheBitOnAnyGraphInAnyOrderOfMessages) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Case c(seed);
    Simulator simulator(c.graph, c.options);
    for (const ExactSum& result : simulator.run<ExactSum>(c.program())) {
      ASSERT_EQ(result.sum, c.sum_of(everybody(c.graph.agents()))) << "seed " << seed;
      ASSERT_EQ(result.roster, everybody(c.graph.agents())) << "seed " << seed;
    }
  }
}

TEST(Exact, PathsAndPlainCyclesAndWideWordsToo) {
  const auto check = [](const Graph& graph, double unit) {
    const ExactPlan plan =
        make_exact_plan({.agents = graph.agents(), .dimension = 3, .value_bound = 1e6, .unit = unit});
    Simulator simulator(graph);
    const auto results = simulator.run<ExactSum>([&](Channel& net) {
      return exact_sum(net, plan, Values{1.0 * net.self(), -2.5, 1e6});
    });
    const double n = static_cast<double>(graph.agents());
    for (const ExactSum& result : results)
      EXPECT_EQ(result.sum, (Values{n * (n - 1) / 2, -2.5 * n, 1e6 * n}));
    return plan.modulus_bits;
  };
  std::vector<Edge> path;
  for (AgentId i = 0; i + 1 < 30; ++i) path.push_back({i, i + 1});
  EXPECT_LE(check(Graph(30, path), 0x1p-20), 64u);
  EXPECT_GT(check(Graph(30, path), 0x1p-60), 64u);
  EXPECT_LE(check(ring_lattice(31, 2), 0x1p-20), 64u);
  check(complete_graph(2), 0x1p-20);
}

// 2^75 + 2^22 + 1 units lie just above the middle of two doubles.
TEST(Exact, ALargeSumIsRoundedToADoubleOnce) {
  const ExactPlan plan =
      make_exact_plan({.agents = 3, .dimension = 1, .value_bound = 0x1p75, .unit = 1, .collusion = 1});
  Simulator simulator(complete_graph(3));
  const auto results = simulator.run<ExactSum>([&](Channel& net) {
    const double mine[] = {0x1p75, 0x1p22, 1};
    return exact_sum(net, plan, Values{mine[net.self()]});
  });
  for (const ExactSum& result : results) EXPECT_EQ(result.sum, Values{0x1p75 + 0x1p23});
}

// A second run on the same channels skips the gathering and draws fresh masks.
TEST(Exact, FurtherRunsStandOnTheSameRoster) {
  const Graph graph = ring_lattice(12, 4);
  const ExactPlan plan = make_exact_plan({.agents = 12, .dimension = 4, .value_bound = 100, .unit = 0x1p-10});
  SimulatorOptions options;
  options.coalition = everybody(12);
  Simulator simulator(graph, options);
  const auto run = [&] {
    return simulator.run<ExactSum>([&](Channel& net) { return exact_sum(net, plan, Values(4, 1.5)); });
  };
  const auto first = run();
  const SimulationCost gathered = simulator.cost();
  const auto second = run();
  const SimulationCost both = simulator.cost();
  EXPECT_EQ(first[5].sum, second[5].sum);
  EXPECT_LT(both.messages - gathered.messages, gathered.messages / 2);
  EXPECT_EQ(both.messages - gathered.messages, 4 * 11u);  // up, open, seeds, total over the tree's edges
  // The same inputs, yet no masked sum comes twice.
  std::set<std::string> seen;
  for (const Received& received : simulator.view())
    if (received.tag.step == Step::partial) {
      EXPECT_TRUE(
          seen.emplace(reinterpret_cast<const char*>(received.bytes.data()), received.bytes.size()).second);
    }
  EXPECT_EQ(seen.size(), 22u);
}

// A run on a standing roster has no call in which plans are compared: the partial sums carry the plan.
TEST(Exact, AnotherPlanOnAStandingRosterIsFoundOut) {
  const ExactRequest request{.agents = 6, .dimension = 2, .value_bound = 100, .unit = 0x1p-10};
  ExactRequest finer = request;
  finer.unit = 0x1p-11;
  const ExactPlan plan = make_exact_plan(request), other = make_exact_plan(finer);
  const Values mine{1, 2}, total{6, 12};
  Simulator simulator(ring_lattice(6, 4));
  const auto run = [&](Channel& net) -> Task<ExactSum> {
    const ExactSum first = co_await exact_sum(net, plan, mine);
    EXPECT_EQ(first.sum, total);
    co_return co_await exact_sum(net, net.self() == 3 ? other : plan, mine);
  };
  try {
    simulator.run<ExactSum>(run);
    FAIL() << "sums of different units were added";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("another plan"), std::string::npos) << e.what();
  }
}

// Masks that were dense enough for a small coalition are not for a larger one.
TEST(Exact, ALargerCollusionBoundGathersAnew) {
  const ExactRequest request{.agents = 12, .dimension = 1, .value_bound = 100, .unit = 1, .collusion = 1};
  ExactRequest wary = request;
  wary.collusion = 9;
  const ExactPlan plan = make_exact_plan(request), dense = make_exact_plan(wary);
  ASSERT_GT(dense.mask_degree, plan.mask_degree);
  const Values mine{2}, total{24};
  Simulator simulator(ring_lattice(12, 4));
  const auto run = [&](Channel& net) -> Task<std::size_t> {
    const ExactSum few = co_await exact_sum(net, plan, mine);
    const ExactSum many = co_await exact_sum(net, dense, mine);
    EXPECT_EQ(few.sum, total);
    EXPECT_EQ(many.sum, total);
    co_return net.standing()->keys.size();
  };
  for (const std::size_t partners : simulator.run<std::size_t>(run)) EXPECT_GE(partners, dense.mask_degree);
}

TEST(Exact, TheSameSeedGivesTheSameRunOnAnyNumberOfThreads) {
  Case c(77);
  std::vector<Received> views[2];
  for (unsigned threads : {1u, 3u}) {
    c.options.threads = threads;
    c.options.coalition = everybody(c.graph.agents());
    Simulator simulator(c.graph, c.options);
    simulator.run<ExactSum>(c.program());
    views[threads > 1] = simulator.view();
  }
  ASSERT_EQ(views[0].size(), views[1].size());
  for (std::size_t k = 0; k < views[0].size(); ++k) {
    EXPECT_EQ(views[0][k].tag, views[1][k].tag);
    EXPECT_EQ(views[0][k].bytes, views[1][k].bytes);
  }
}

// What agent `agent` sends before it vanishes, by random choice; the survivors' sum is exact or
// there is none.
TEST(Exact, SurvivorsFinishWithoutThoseWhoVanishBeforeTheOpening) {
  std::size_t finished = 0, failed_opening = 0, restarted = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Case c(seed);
    const auto lost = static_cast<AgentId>(c.random() % c.graph.agents());
    c.options.departures = {{.agent = lost, .round = 0, .vanishes_after = c.random() % 14}};
    Simulator simulator(c.graph, c.options);
    const auto outcomes = simulator.run_with_losses<ExactSum>(c.program());
    for (AgentId i = 0; i < outcomes.size(); ++i) {
      if (!outcomes[i].result) continue;
      const auto& roster = outcomes[i].result->roster;
      ASSERT_EQ(outcomes[i].result->sum, c.sum_of(roster)) << "seed " << seed;
      ++finished;
      restarted += roster.size() < c.graph.agents();
      // All who have a result have the same.
      for (const auto& other : outcomes)
        if (other.result) {
          ASSERT_EQ(other.result->roster, roster) << "seed " << seed;
        }
    }
    bool opening = false;
    for (const auto& outcome : outcomes)
      opening = opening || outcome.error.find("while the sum was being opened") != std::string::npos;
    failed_opening += opening;
    // Nobody is left waiting: if the rest hang together, and the loss did not fall into the
    // opening, they finish.
    std::vector<Edge> left;
    for (const auto& [x, y] : c.graph.edge_list())
      if (x != lost && y != lost) left.push_back({x - (x > lost), y - (y > lost)});
    if (opening || lost == c.plan.originator || c.graph.agents() < 3 ||
        !connected(Graph(c.graph.agents() - 1, left)))
      continue;
    for (AgentId i = 0; i < outcomes.size(); ++i) {
      if (i == lost) continue;
      ASSERT_TRUE(outcomes[i].result) << "seed " << seed << ", agent " << i << ": " << outcomes[i].error;
    }
  }
  EXPECT_GT(finished, 1000u);
  EXPECT_GT(restarted, 500u) << "nobody had to go on without the lost one, so nothing was tested";
  EXPECT_GT(failed_opening, 20u) << "no loss fell into the opening";
}

// A tuning makes many sums on one roster. Whoever was absent from the first is news again in each of them, at
// any moment, and no reason to end any.
TEST(Exact, AnAbsentAgentDisturbsNoSumOfAStandingRoster) {
  constexpr std::size_t sums = 12;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = seed % 2 ? complete_graph(4) : ring_lattice(5 + seed % 5, 4);
    const std::size_t n = graph.agents();
    const auto absent = static_cast<AgentId>(seed % n);
    const ExactPlan plan =
        make_exact_plan({.agents = n,
                         .dimension = 2,
                         .value_bound = 100,
                         .unit = 1,
                         .originator = static_cast<AgentId>((absent + 1 + seed % (n - 1)) % n)});
    SimulatorOptions options;
    options.seed = seed;
    options.threads = 1;
    options.network = {.latency = 1e-3, .bandwidth = 0, .jitter = 5e-3};
    options.departures = {{.agent = absent, .round = 0, .vanishes_after = 0}};
    options.coalition = everybody(n);
    Simulator simulator(graph, options);
    const auto outcomes = simulator.run_with_losses<std::size_t>([&](Channel& net) -> Task<std::size_t> {
      std::size_t good = 0;
      for (std::size_t k = 0; k < sums; ++k) {
        const ExactSum sum = co_await exact_sum(net, plan, Values(2, 1));
        good += sum.roster.size() == n - 1 && sum.sum == Values(2, static_cast<double>(n - 1));
      }
      co_return good;
    });
    for (AgentId i = 0; i < n; ++i)
      if (i != absent) {
        ASSERT_EQ(outcomes[i].result.value_or(0), sums)
            << "seed " << seed << ", agent " << i << ": " << outcomes[i].error;
      }
    for (const Received& r : simulator.view())
      ASSERT_FALSE(r.tag.step == Step::call && r.tag.run > 0)
          << "seed " << seed << ": the roster did not stand";
  }
}

TEST(Exact, ALossDuringTheOpeningSaysWhichAgentAndStep) {
  // On a path 0 - 1 - 2 agent 1 sends: call, join, roster, partial, open, seeds, total.
  const Graph path(3, {{0, 1}, {1, 2}});
  const ExactPlan plan =
      make_exact_plan({.agents = 3, .dimension = 1, .value_bound = 1, .unit = 0x1p-10, .fewest = 2});
  const char* expected[] = {"lost",
                            "lost",
                            "lost",
                            "lost",
                            "agent 1 was lost while the sum was being opened",
                            "agent 1 was lost while the sum was being opened"};
  for (std::uint64_t sent = 0; sent < 6; ++sent) {
    SimulatorOptions options;
    options.departures = {{.agent = 1, .round = 0, .vanishes_after = sent}};
    Simulator simulator(path, options);
    const auto outcomes =
        simulator.run_with_losses<ExactSum>([&](Channel& net) { return exact_sum(net, plan, Values{1}); });
    EXPECT_FALSE(outcomes[0].result) << sent;
    EXPECT_NE(outcomes[0].error.find(expected[sent]), std::string::npos) << sent << ": " << outcomes[0].error;
    EXPECT_FALSE(outcomes[2].error.empty()) << sent;  // cut off from the originator
  }
}

TEST(Exact, TooFewAgentsGetNoSum) {
  const Graph graph = complete_graph(5);
  const ExactPlan plan = make_exact_plan({.agents = 5, .dimension = 1, .value_bound = 1, .fewest = 4});
  SimulatorOptions options;
  options.departures = {{.agent = 2, .round = 0, .vanishes_after = 0},
                        {.agent = 3, .round = 0, .vanishes_after = 2}};
  Simulator simulator(graph, options);
  for (const auto& outcome :
       simulator.run_with_losses<ExactSum>([&](Channel& net) { return exact_sum(net, plan, Values{1}); })) {
    EXPECT_FALSE(outcome.result);
    if (!outcome.error.empty()) {
      EXPECT_NE(outcome.error.find("only 3 agents are left and the sum needs at least 4"), std::string::npos)
          << outcome.error;
    }
  }
}

TEST(Exact, TheOriginatorsLossEndsTheRun) {
  const ExactPlan plan = make_exact_plan({.agents = 6, .dimension = 1, .value_bound = 1});
  SimulatorOptions options;
  options.departures = {{.agent = 0, .round = 0, .vanishes_after = 4}};
  Simulator simulator(ring_lattice(6, 4), options);
  const auto outcomes =
      simulator.run_with_losses<ExactSum>([&](Channel& net) { return exact_sum(net, plan, Values{1}); });
  for (AgentId i = 1; i < 6; ++i)
    EXPECT_NE(outcomes[i].error.find("agent 0, who asked for the sum, was lost"), std::string::npos)
        << outcomes[i].error;
}

TEST(Exact, OneAgentsRefusalReachesAll) {
  const ExactPlan plan = make_exact_plan({.agents = 8, .dimension = 1, .value_bound = 1});
  Simulator simulator(ring_lattice(8, 2));
  const auto outcomes = simulator.run_with_losses<ExactSum>(
      [&](Channel& net) { return exact_sum(net, plan, Values{net.self() == 5 ? 1.5 : 1.0}); });
  for (const auto& outcome : outcomes)
    EXPECT_NE(outcome.error.find("value 0 exceeds the public bound 1"), std::string::npos) << outcome.error;
  ExactPlan other = plan;
  other.unit *= 2;
  Simulator again(ring_lattice(8, 2));
  for (const auto& outcome : again.run_with_losses<ExactSum>(
           [&](Channel& net) { return exact_sum(net, net.self() == 5 ? other : plan, Values{1}); }))
    EXPECT_NE(outcome.error.find("agent 5 has another plan"), std::string::npos) << outcome.error;
}

// The paper's SARCOS shape: hundreds of times fewer bytes and a fifth of the rounds.
TEST(Exact, CostsAFractionOfTheConsensus) {
  const Graph graph = ring_lattice(20, 4);
  constexpr double bound = 2.2e4, unit = 1e-4;
  PlanRequest request;
  request.dimension = 2800;
  request.value_bound = 20 * bound;
  request.lz = unit;
  request.iterations = 100;
  const ConsensusPlan consensus = make_plan(graph, request);
  const ExactPlan plan =
      make_exact_plan({.agents = 20, .dimension = 2800, .value_bound = bound, .unit = unit});
  Simulator simulator(graph);
  simulator.run<ExactSum>([&](Channel& net) { return exact_sum(net, plan, Values(2800, 1.0 * net.self())); });
  const SimulationCost cost = simulator.cost();
  EXPECT_EQ(cost.messages, exact_messages(plan, graph.edges()));
  EXPECT_GE(cost.bytes, exact_vector_bytes(plan));
  EXPECT_LE(300 * cost.bytes, planned_traffic(graph, consensus).bytes);
  EXPECT_LE(5 * cost.rounds, planned_rounds(graph, consensus));
}

TEST(Exact, AThousandAgentsFitInOneProcess) {
  const Graph graph = ring_lattice(1000, 8);
#ifdef TACIT_SANITIZED
  constexpr std::size_t values = 10;
#else
  constexpr std::size_t values = 10'000;
#endif
  ExactRequest request{.agents = 1000, .dimension = values, .value_bound = 1000, .unit = 1e-6};
  request.collusion = 10;  // few partners, so that the test is quick; the default of 100 is slower
  const ExactPlan plan = make_exact_plan(request);
  Simulator simulator(graph);
  const auto results = simulator.run<ExactSum>(
      [&](Channel& net) { return exact_sum(net, plan, Values(values, 1.0 * net.self())); });
  for (const ExactSum& result : results) ASSERT_EQ(result.sum, Values(values, 499'500));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 4'000'000);  // kB
}

TEST(Exact, PlansRefuseWhatDoesNotFit) {
  const auto error = [](const ExactRequest& request) {
    try {
      make_exact_plan(request);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(error({.agents = 5, .dimension = 1, .value_bound = 1}), "");
  EXPECT_NE(error({.agents = 1, .dimension = 1, .value_bound = 1}), "");
  EXPECT_NE(error({.agents = 5, .dimension = 0, .value_bound = 1}), "");
  EXPECT_NE(error({.agents = 5, .dimension = 1, .value_bound = INFINITY}), "");
  EXPECT_NE(error({.agents = 5, .dimension = 1, .value_bound = 1, .unit = 1e-60}).find("larger unit"),
            std::string::npos);
  EXPECT_NE(error({.agents = 5, .dimension = 1, .value_bound = 1, .unit = 0, .originator = 5}), "");
  // One bit fewer would wrap: M times the bound must fit.
  const ExactPlan plan = make_exact_plan({.agents = 4, .dimension = 1, .value_bound = 8, .unit = 1});
  EXPECT_EQ(plan.modulus_bits, 7u);  // 4 · 9 = 36 on both sides of zero: 72 < 128
}

// Harary's circle: connected after any `collusion` agents are gone, for every plan.
TEST(Exact, MaskPartnersWithstandTheCollusionTheyPromise) {
  for (std::size_t n : {2u, 3u, 5u, 8u, 13u, 30u})
    for (std::size_t wanted : {0u, 1u, 2u, 3u, 5u, 8u, 27u, 28u}) {
      const ExactPlan plan = make_exact_plan({.agents = n,
                                              .dimension = 1,
                                              .value_bound = 1,
                                              .unit = 0,
                                              .originator = 0,
                                              .fewest = 3,
                                              .collusion = wanted});
      EXPECT_GE(plan.collusion, std::min(wanted, n - 2));
      std::vector<Edge> edges;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j : mask_partners(n, i, plan.mask_degree)) {
          edges.push_back({static_cast<AgentId>(i), static_cast<AgentId>(j)});
          const auto back = mask_partners(n, j, plan.mask_degree);
          EXPECT_TRUE(std::ranges::count(back, i)) << "masks would not cancel";
        }
      const Graph masks(n, edges);
      if (plan.mask_degree == 0)
        EXPECT_TRUE(masks.complete());
      else
        EXPECT_EQ(masks.degree(0), plan.mask_degree);
    }
}

// What a coalition knows after a run with losses, as linear algebra: unknown are the honest agents' values
// x_i, their self-masks of every epoch unless released to the coalition, and the streams that two honest
// agents share in an epoch. Every masked sum the coalition receives is one equation.
class Knowledge {
 public:
  Knowledge(const Case& c, const std::vector<Received>& everything, const std::set<AgentId>& coalition,
            bool self_masks)
      : coalition_(coalition), self_masks_(self_masks) {
    std::map<std::uint32_t, std::map<AgentId, std::vector<AgentId>>> children;  // by epoch and parent
    std::map<std::uint32_t, std::vector<AgentId>> rosters;
    std::set<std::pair<std::uint32_t, AgentId>> released;
    for (const Received& r : everything) {
      if (r.tag.step == Step::partial) children[r.tag.round][r.to].push_back(r.from);
      if (r.tag.step == Step::roster) {
        rosters[r.tag.round].clear();
        for (const RosterEntry& entry : roster_from(r.bytes)) rosters[r.tag.round].push_back(entry.agent);
      }
      if (r.tag.step == Step::seeds && coalition.contains(r.to))
        for (std::size_t at = 0; at < r.bytes.size(); at += 36) {
          std::uint32_t agent = 0;
          std::memcpy(&agent, r.bytes.data() + at, sizeof agent);
          released.insert({r.tag.round, agent});
        }
    }
    for (const auto& [epoch, roster] : rosters) {
      std::size_t colluding = 0, open = 0;
      for (AgentId i : roster) {
        colluding += coalition.contains(i);
        open += coalition.contains(i) || released.contains({epoch, i});
      }
      if (coalition.contains(c.plan.originator) && open == roster.size()) opened = true;  // it can do the sum
      const std::size_t n = roster.size();
      within_bound =
          within_bound && colluding + 2 <= n && (!c.plan.mask_degree || colluding < c.plan.mask_degree);
    }
    for (const Received& r : everything) {
      if (!coalition.contains(r.to)) continue;
      const std::uint32_t epoch = r.tag.round;
      std::map<std::string, double> equation;
      if (r.tag.step == Step::total) {
        for (AgentId i : rosters[epoch])
          if (!coalition.contains(i)) equation[name("x", 0, i)] += 1;
        opened = true;
      } else if (r.tag.step == Step::partial) {
        for (AgentId i : below(children[epoch], r.from)) add(c, epoch, rosters[epoch], i, released, equation);
      }
      if (!equation.empty()) equations_.push_back(std::move(equation));
    }
  }

  // Dimension of what is known of the values alone: combinations of the equations in which no mask is left.
  Eigen::Index known() const {
    std::map<std::string, Eigen::Index> columns;
    for (const auto& equation : equations_)
      for (const auto& [unknown, factor] : equation)
        columns.emplace(unknown, static_cast<Eigen::Index>(columns.size()));
    if (columns.empty()) return 0;
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(equations_.size()),
                                                static_cast<Eigen::Index>(columns.size()));
    Eigen::MatrixXd masks = all;
    for (std::size_t row = 0; row < equations_.size(); ++row)
      for (const auto& [unknown, factor] : equations_[row]) {
        const auto r = static_cast<Eigen::Index>(row);
        all(r, columns[unknown]) = factor;
        if (unknown[0] != 'x') masks(r, columns[unknown]) = factor;
      }
    return Eigen::FullPivLU<Eigen::MatrixXd>(all).rank() - Eigen::FullPivLU<Eigen::MatrixXd>(masks).rank();
  }

  bool opened = false;       ///< the coalition was given a total, or all that makes one
  bool within_bound = true;  ///< no larger in any epoch than what the plan withstands

 private:
  static std::string name(const char* kind, std::uint32_t epoch, AgentId i, AgentId j = 0) {
    return kind + std::to_string(epoch) + "." + std::to_string(i) + "." + std::to_string(j);
  }

  static std::vector<AgentId> below(std::map<AgentId, std::vector<AgentId>>& children, AgentId top) {
    std::vector<AgentId> all{top};
    for (AgentId child : children[top])
      for (AgentId i : below(children, child)) all.push_back(i);
    return all;
  }

  void add(const Case& c, std::uint32_t epoch, const std::vector<AgentId>& roster, AgentId i,
           const std::set<std::pair<std::uint32_t, AgentId>>& released,
           std::map<std::string, double>& equation) const {
    if (coalition_.contains(i)) return;
    equation[name("x", 0, i)] += 1;
    if (self_masks_ && !released.contains({epoch, i})) equation[name("b", epoch, i)] += 1;
    const auto place = static_cast<std::size_t>(std::ranges::lower_bound(roster, i) - roster.begin());
    for (std::size_t k : mask_partners(roster.size(), place, c.plan.mask_degree)) {
      const AgentId j = roster[k];
      if (!coalition_.contains(j))
        equation[name("r", epoch, std::min(i, j), std::max(i, j))] += i < j ? 1 : -1;
    }
  }

  const std::set<AgentId>& coalition_;
  bool self_masks_;
  std::vector<std::map<std::string, double>> equations_;
};

// Random graphs, delays and losses: no view, over all epochs, tells a coalition within the bound more than
// the total that was opened. Without self-masks some do (findings 1c): an epoch that ends after its masked
// total has reached the originator and the one after it differ by the lost agent's value.
TEST(Exact, NoTwoEpochsTogetherTellMoreThanTheTotalThatWasOpened) {
  std::size_t opened = 0, epochs_lost = 0, naive_leaks = 0, checked = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Case c(seed);
    const std::size_t n = c.graph.agents();
    std::set<AgentId> coalition;
    while (coalition.size() < std::min(n - 2, 1 + c.random() % 3))
      coalition.insert(static_cast<AgentId>(c.random() % n));
    if (coalition.empty()) continue;
    for (int k = 0; k < 2; ++k)
      c.options.departures.push_back({.agent = static_cast<AgentId>(c.random() % n),
                                      .round = static_cast<std::uint32_t>(k),
                                      .vanishes_after = c.random() % 14});
    c.options.coalition = everybody(n);
    Simulator simulator(c.graph, c.options);
    simulator.run_with_losses<ExactSum>(c.program());
    const auto everything = simulator.view();
    const Knowledge knowledge(c, everything, coalition, true);
    if (!knowledge.within_bound) continue;
    ++checked;
    ASSERT_EQ(knowledge.known(), knowledge.opened ? 1 : 0) << "seed " << seed;
    opened += knowledge.opened;
    for (const Received& r : everything) epochs_lost += r.tag.step == Step::abort;
    naive_leaks += Knowledge(c, everything, coalition, false).known() > knowledge.known();
  }
  EXPECT_GT(checked, 700u);
  EXPECT_GT(opened, 200u);
  EXPECT_GT(epochs_lost, 500u);
  EXPECT_GT(naive_leaks, 5u) << "the control was not caught: the test proves nothing";
}

}  // namespace
}  // namespace tacit
