#include "tacit/protocol/exact/exact.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <Eigen/LU>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "tacit/base/base_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/exact/roster.hpp"
#include "tacit/protocol/protocol_testing.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using testing::random_connected_graph;

// A graph, a plan and values that are multiples of the plan's unit, so that sums of reals are exact as well.
struct ExactCase {
  std::mt19937_64 random;
  Graph graph;
  ExactPlan plan;
  std::vector<Values> values;
  SimulatorOptions options;

  explicit ExactCase(std::uint64_t seed)
      : random(seed), graph(random_connected_graph(2 + random() % 9, random() % 9, random)) {
    ExactRequest request;
    request.agents = graph.agents();
    request.dimension = 1 + random() % 5;
    request.unit = std::ldexp(1.0, -static_cast<int>(random() % 30));
    request.value_bound = std::ldexp(1.0, static_cast<int>(random() % 12));
    request.originator = static_cast<AgentId>(random() % graph.agents());
    request.fewest = 2;
    if (random() % 2) request.collusion = random() % graph.agents();
    request.tree = random() % 2;
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

  std::function<Task<Values>(tacit::Run&)> program() {
    return [this](tacit::Run& net) { return exact_sum(net, plan, values[net.self()]); };
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

TEST(Exact, AllAgentsGetTheSumToTheBitOnAnyGraphInAnyOrderOfMessages) {
  const std::uint64_t seeds = testing::repeats(300, 1000);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    ExactCase c(seed);
    Simulator simulator(c.graph, c.options);
    for (const Values& result : simulator.run<Values>(c.program()))
      ASSERT_EQ(result, c.sum_of(everybody(c.graph.agents()))) << "seed " << seed;
  }
}

TEST(Exact, PathsAndPlainCyclesAndWideWordsToo) {
  const auto check = [](const Graph& graph, double unit) {
    const ExactPlan plan =
        make_exact_plan({.agents = graph.agents(), .dimension = 3, .value_bound = 1e6, .unit = unit});
    Simulator simulator(graph);
    const auto results = simulator.run<Values>([&](tacit::Run& net) {
      return exact_sum(net, plan, Values{1.0 * net.self(), -2.5, 1e6});
    });
    const double n = static_cast<double>(graph.agents());
    for (const Values& result : results) EXPECT_EQ(result, (Values{n * (n - 1) / 2, -2.5 * n, 1e6 * n}));
    return plan.modulus_bits;
  };
  std::vector<Edge> path;
  for (AgentId i = 0; i + 1 < 30; ++i) path.push_back({i, i + 1});
  EXPECT_LE(check(Graph(30, path), 0x1p-20), 64u);
  EXPECT_GT(check(Graph(30, path), 0x1p-60), 64u);
  EXPECT_LE(check(ring_lattice(31, 2), 0x1p-20), 64u);
  check(complete_graph(2), 0x1p-20);
}

// 2^75 + 2^22 + 1 units are just above the midpoint between two doubles.
TEST(Exact, ALargeSumIsRoundedToADoubleOnce) {
  const ExactPlan plan =
      make_exact_plan({.agents = 3, .dimension = 1, .value_bound = 0x1p75, .unit = 1, .collusion = 1});
  Simulator simulator(complete_graph(3));
  const auto results = simulator.run<Values>([&](tacit::Run& net) {
    const double mine[] = {0x1p75, 0x1p22, 1};
    return exact_sum(net, plan, Values{mine[net.self()]});
  });
  for (const Values& result : results) EXPECT_EQ(result, Values{0x1p75 + 0x1p23});
}

// A second sum on the same channels reuses the keys and draws fresh masks.
TEST(Exact, FurtherSumsUseTheSameKeysAndFreshMasks) {
  for (const bool tree : {false, true}) {
    const Graph graph = ring_lattice(12, 4);
    const ExactPlan plan =
        make_exact_plan({.agents = 12, .dimension = 4, .value_bound = 100, .unit = 0x1p-10, .tree = tree});
    SimulatorOptions options;
    options.coalition = everybody(12);
    Simulator simulator(graph, options);
    const auto run = [&] {
      return simulator.run<Values>([&](tacit::Run& net) { return exact_sum(net, plan, Values(4, 1.5)); });
    };
    const auto first = run();
    const SimulationCost with_keys = simulator.cost();
    const auto second = run();
    const SimulationCost both = simulator.cost();
    EXPECT_EQ(first[5], second[5]);
    EXPECT_EQ(with_keys.messages, exact_messages(plan));
    EXPECT_EQ(both.messages - with_keys.messages, (tree ? 4 : 3 * 12) * 11u);
    // The inputs are the same, but no masked vector occurs twice, except those that are passed on.
    std::set<std::string> seen;
    for (const Received& r : simulator.view())
      if (r.tag.step == Step::partial || r.tag.step == Step::vector)
        seen.emplace(reinterpret_cast<const char*>(r.bytes.data()), r.bytes.size());
    EXPECT_EQ(seen.size(), tree ? 22u : 24u);
  }
}

TEST(Exact, AnotherPlanIsDetectedAndItsAgentNamed) {
  for (const bool tree : {false, true}) {
    const ExactRequest request{
        .agents = 6, .dimension = 2, .value_bound = 100, .unit = 0x1p-10, .tree = tree};
    ExactRequest finer = request;
    finer.unit = 0x1p-11;
    const ExactPlan plan = make_exact_plan(request), other = make_exact_plan(finer);
    const Values mine{1, 2}, total{6, 12};
    Simulator simulator(ring_lattice(6, 4));
    const auto run = [&](tacit::Run& net) -> Task<Values> {
      const Values first = co_await exact_sum(net, plan, mine);
      EXPECT_EQ(first, total);
      co_return co_await exact_sum(net, net.self() == 3 ? other : plan, mine);
    };
    std::size_t named = 0;
    for (const auto& outcome : simulator.run_with_losses<Values>(run)) {
      EXPECT_FALSE(outcome.result);
      named += outcome.error.find("agent 3 has another transcript of this run") != std::string::npos;
    }
    EXPECT_GT(named, 0u);
  }
}

// Masks that suffice against a small coalition do not suffice against a larger one.
TEST(Exact, ALargerCollusionBoundNeedsMoreKeys) {
  const ExactRequest request{.agents = 12, .dimension = 1, .value_bound = 100, .unit = 1, .collusion = 1};
  ExactRequest wary = request;
  wary.collusion = 9;
  const ExactPlan plan = make_exact_plan(request), dense = make_exact_plan(wary);
  ASSERT_GT(dense.mask_degree, plan.mask_degree);
  const Values mine{2}, total{24};
  Simulator simulator(ring_lattice(12, 4));
  const auto run = [&](tacit::Run& net) -> Task<std::size_t> {
    const Values few = co_await exact_sum(net, plan, mine);
    const Values many = co_await exact_sum(net, dense, mine);
    EXPECT_EQ(few, total);
    EXPECT_EQ(many, total);
    co_return net.mask_keys()->keys.size();
  };
  for (const std::size_t partners : simulator.run<std::size_t>(run)) EXPECT_GE(partners, dense.mask_degree);
}

TEST(Exact, TheSameSeedGivesTheSameRunOnAnyNumberOfThreads) {
  ExactCase c(77);
  std::vector<Received> views[2];
  for (unsigned threads : {1u, 3u}) {
    c.options.threads = threads;
    c.options.coalition = everybody(c.graph.agents());
    Simulator simulator(c.graph, c.options);
    simulator.run<Values>(c.program());
    views[threads > 1] = simulator.view();
  }
  ASSERT_EQ(views[0].size(), views[1].size());
  for (std::size_t k = 0; k < views[0].size(); ++k) {
    EXPECT_EQ(views[0][k].tag, views[1][k].tag);
    EXPECT_EQ(views[0][k].bytes, views[1][k].bytes);
  }
}

// A lost agent ends the sum for every agent that still needs a message from it. No agent receives another
// sum.
TEST(Exact, AnAgentThatVanishesChangesNoSum) {
  const std::uint64_t seeds = testing::repeats(250, 700);
  std::size_t finished = 0, lost = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    ExactCase c(seed);
    const auto gone = static_cast<AgentId>(c.random() % c.graph.agents());
    const auto run = static_cast<std::uint32_t>(c.random() % 4);
    c.options.departures = {{.agent = gone, .round = 0, .vanishes_after = c.random() % 6, .run = run}};
    Simulator simulator(c.graph, c.options);
    for (const auto& outcome : simulator.run_with_losses<Values>(c.program())) {
      lost += outcome.error.find("never arrived from agent") != std::string::npos;
      if (!outcome.result) continue;
      ++finished;
      ASSERT_EQ(*outcome.result, c.sum_of(everybody(c.graph.agents()))) << "seed " << seed;
    }
  }
  EXPECT_GT(finished, seeds * 5 / 7);
  EXPECT_GT(lost, seeds * 3 / 7) << "no loss was noticed, so nothing was tested";
}

TEST(Exact, TooFewAgentsGetNoSum) {
  // A collusion bound of 2 needs four agents, whatever `fewest` is.
  EXPECT_EQ(
      make_exact_plan({.agents = 9, .dimension = 1, .value_bound = 1, .fewest = 3, .collusion = 2}).fewest,
      4u);
  EXPECT_EQ(
      make_exact_plan({.agents = 9, .dimension = 1, .value_bound = 1, .fewest = 6, .collusion = 2}).fewest,
      6u);
  ExactPlan plan = make_exact_plan({.agents = 5, .dimension = 1, .value_bound = 1});
  plan.fewest = 6;
  Simulator simulator(complete_graph(5));
  EXPECT_EQ(testing::error_of([&] {
              simulator.run<Values>([&](tacit::Run& net) { return exact_sum(net, plan, Values{1}); });
            }),
            "agent 0: only 5 agents take part, but the sum needs at least 6");
}

TEST(Exact, AValueAboveTheBoundIsRefusedByItsAgent) {
  const ExactPlan plan = make_exact_plan({.agents = 8, .dimension = 1, .value_bound = 1});
  Simulator simulator(ring_lattice(8, 2));
  const auto outcomes = simulator.run_with_losses<Values>(
      [&](tacit::Run& net) { return exact_sum(net, plan, Values{net.self() == 5 ? 1.5 : 1.0}); });
  for (const auto& outcome : outcomes) EXPECT_FALSE(outcome.result);
  EXPECT_NE(outcomes[5].error.find("value 0 exceeds the public bound 1"), std::string::npos);
}

// The dimensions of the paper's SARCOS experiment: far fewer bytes and a fifth of the rounds.
TEST(Exact, CostsAFractionOfTheConsensus) {
  const Graph graph = ring_lattice(20, 4);
  constexpr double bound = 2.2e4, unit = 1e-4;
  PlanRequest request;
  request.dimension = 2800;
  request.value_bound = 20 * bound;
  request.lz = unit;
  request.iterations = 100;
  const ConsensusPlan consensus = make_plan(graph, request);
  for (const bool tree : {false, true}) {
    const ExactPlan plan =
        make_exact_plan({.agents = 20, .dimension = 2800, .value_bound = bound, .unit = unit, .tree = tree});
    Simulator simulator(graph);
    simulator.run<Values>(
        [&](tacit::Run& net) { return exact_sum(net, plan, Values(2800, 1.0 * net.self())); });
    const SimulationCost cost = simulator.cost();
    EXPECT_EQ(cost.messages, exact_messages(plan));
    EXPECT_GE(cost.bytes, exact_vector_bytes(plan));
    EXPECT_LE((tree ? 300 : 30) * cost.bytes, planned_traffic(graph, consensus).bytes);
    EXPECT_LE(5 * cost.rounds, planned_rounds(graph, consensus));
  }
}

TEST(Exact, AThousandAgentsFitInOneProcess) {
  const Graph graph = ring_lattice(1000, 8);
#ifdef TACIT_SANITIZED
  constexpr std::size_t values = 10;
#else
  constexpr std::size_t values = 10'000;
#endif
  ExactRequest request{.agents = 1000, .dimension = values, .value_bound = 1000, .unit = 1e-6};
  request.collusion = 10;  // few partners keep the test fast; the default is 100
  const ExactPlan plan = make_exact_plan(request);
  Simulator simulator(graph);
  const auto results = simulator.run<Values>(
      [&](tacit::Run& net) { return exact_sum(net, plan, Values(values, 1.0 * net.self())); });
  for (const Values& result : results) ASSERT_EQ(result, Values(values, 499'500));
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

// Harary's circle stays connected after any `collusion` agents leave, for every plan.
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

// What a coalition knows after a sum that may have ended early, as linear algebra. The unknowns are the
// honest agents' values x_i, their self-masks unless released to the coalition, and the streams that two
// honest agents share. Every masked vector that the coalition receives is one equation.
class Knowledge {
 public:
  Knowledge(const ExactCase& c, const std::vector<Received>& everything, const std::set<AgentId>& coalition,
            bool self_masks)
      : coalition_(coalition), self_masks_(self_masks) {
    std::map<AgentId, std::vector<AgentId>> children;
    std::set<AgentId> released, seen;
    for (const Received& r : everything) {
      if (r.tag.step == Step::partial) children[r.to].push_back(r.from);
      if (!coalition.contains(r.to)) continue;
      if (r.tag.step == Step::self_mask) released.insert(r.tag.about);
      if (r.tag.step == Step::seeds)
        for (std::size_t at = sizeof(Digest); at < r.bytes.size(); at += 36)
          released.insert(value_at<std::uint32_t>(std::span(r.bytes).subspan(at)));
    }
    std::size_t honest = 0;
    for (AgentId i = 0; i < c.graph.agents(); ++i) honest += !coalition.contains(i) && !released.contains(i);
    opened = honest == 0;
    for (const Received& r : everything) {
      if (!coalition.contains(r.to)) continue;
      std::map<std::string, double> equation;
      if (r.tag.step == Step::total) {
        for (AgentId i = 0; i < c.graph.agents(); ++i)
          if (!coalition.contains(i)) equation[name("x", i)] += 1;
        opened = true;
      } else if (r.tag.step == Step::partial) {
        for (AgentId i : below(children, r.from)) add(c, i, released, equation);
      } else if (r.tag.step == Step::vector && seen.insert(r.tag.about).second) {
        add(c, r.tag.about, released, equation);
      }
      if (!equation.empty()) equations_.push_back(std::move(equation));
    }
  }

  // The dimension of what is known about the values: combinations of the equations in which no mask remains.
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

  bool opened = false;  ///< the coalition received a total, or everything needed to compute one

 private:
  static std::string name(const char* kind, AgentId i, AgentId j = 0) {
    return kind + std::to_string(i) + "." + std::to_string(j);
  }

  static std::vector<AgentId> below(std::map<AgentId, std::vector<AgentId>>& children, AgentId top) {
    std::vector<AgentId> all{top};
    for (AgentId child : children[top])
      for (AgentId i : below(children, child)) all.push_back(i);
    return all;
  }

  void add(const ExactCase& c, AgentId i, const std::set<AgentId>& released,
           std::map<std::string, double>& equation) const {
    if (coalition_.contains(i)) return;
    equation[name("x", i)] += 1;
    if (self_masks_ && !released.contains(i)) equation[name("b", i)] += 1;
    const Gathering all(c.graph);
    const std::vector<AgentId>& circle = mask_circle(all, c.plan);
    const auto place = static_cast<std::size_t>(std::ranges::find(circle, i) - circle.begin());
    for (std::size_t j : mask_partners(circle.size(), place, c.plan.mask_degree)) {
      const AgentId partner = circle[j];
      if (!coalition_.contains(partner))
        equation[name("r", std::min(i, partner), std::max(i, partner))] += i < partner ? 1 : -1;
    }
  }

  const std::set<AgentId>& coalition_;
  bool self_masks_;
  std::vector<std::map<std::string, double>> equations_;
};

// With random graphs, delays and losses, no view reveals more than the total to a coalition within the bound,
// and the total only after it was opened. Without self-masks some views do: all masked vectors together give
// the total before any agent has confirmed anything.
TEST(Exact, NoViewRevealsMoreThanTheOpenedTotal) {
  const std::uint64_t seeds = testing::repeats(500, 1500);
  std::size_t opened = 0, naive_leaks = 0, checked = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    ExactCase c(seed);
    const std::size_t n = c.graph.agents();
    if (n < 3) continue;
    std::set<AgentId> coalition;
    while (coalition.size() < std::min({n - 2, c.plan.collusion, std::size_t{1 + c.random() % 3}}))
      coalition.insert(static_cast<AgentId>(c.random() % n));
    if (coalition.empty()) continue;
    const auto gone = static_cast<AgentId>(c.random() % n);
    const auto run = static_cast<std::uint32_t>(c.random() % 4);
    c.options.departures = {{.agent = gone, .round = 0, .vanishes_after = c.random() % 6, .run = run}};
    c.options.coalition = everybody(n);
    Simulator simulator(c.graph, c.options);
    simulator.run_with_losses<Values>(c.program());
    const auto everything = simulator.view();
    const Knowledge knowledge(c, everything, coalition, true);
    ++checked;
    ASSERT_LE(knowledge.known(), knowledge.opened ? 1 : 0) << "seed " << seed;
    opened += knowledge.opened;
    naive_leaks += Knowledge(c, everything, coalition, false).known() > knowledge.known();
  }
  EXPECT_GT(checked, seeds * 7 / 15);
  EXPECT_GT(opened, seeds * 2 / 15);
  EXPECT_GT(naive_leaks, seeds / 300) << "the control found no leak, so the test proves nothing";
}

}  // namespace
}  // namespace tacit
