#include "tacit/consortium/tune/objective_pooled.hpp"

#include <gtest/gtest.h>
#include <nlopt.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/consortium/tune/tune_exact.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/landmarks/landmark_likelihood.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

constexpr CommitteeOptions few_rows{.expert_rows = 12};

struct Consortium {
  std::vector<Samples> agents;
  Matrix landmarks;
  TuneFacts facts;
  ExactTuneOptions options;
  Priors start;

  template <class Result, class Work>
  std::vector<Result> run(const Graph& graph, Work&& work, unsigned threads = 2) const {
    Simulator simulator(graph,
                        {.threads = threads, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
    std::vector<LocalExperts> local;
    for (const Samples& agent : agents) local.emplace_back(agent, few_rows);
    std::vector<PooledObjective> objectives;
    for (const LocalExperts& one : local) objectives.emplace_back(facts, landmarks, one);
    return simulator.run<Result>([&](tacit::Run& net) { return work(net, objectives[net.self()]); });
  }

  std::vector<ExactTuning> tune(const Graph& graph, const SecureSum& secure_sum) const {
    return run<ExactTuning>(graph, [&](tacit::Run& net, const Objective& objective) {
      return tune_exactly(net, secure_sum, objective, options, start);
    });
  }

  std::vector<Evaluated> evaluate(const SecureSum& secure_sum, unsigned threads = 2) const {
    return run<Evaluated>(
        complete_graph(agents.size()),
        [&](tacit::Run& net, const Objective& objective) {
          return objective.evaluate(net, secure_sum, options, start);
        },
        threads);
  }

  // The likelihood of all rows without secrecy, at these logarithms.
  double likelihood(std::span<const double> logs) const {
    double sum = 0;
    for (std::size_t k = 0; k < (options.shared ? 1 : start.size()); ++k) {
      const std::size_t size = start[k].kernel.parameters() + 1;
      const Prior prior = start[k].at(logs.subspan(k * size, size));
      const Index outputs = options.shared ? static_cast<Index>(facts.outputs) : 1;
      const auto seen = std::make_shared<const Landmarks>(landmarks, prior.kernel);
      LandmarkSums all(seen->count(), outputs);
      for (const Samples& agent : agents)
        all += Committee(agent.inputs, agent.outputs, few_rows)
                   .landmark_sums(prior, static_cast<Index>(k), outputs, *seen);
      sum += PooledPart(seen, all.precision, all.weighted).log_marginal_likelihood(all).sum();
    }
    return sum;
  }
};

std::vector<double> logs_of(const Priors& all, bool shared) {
  std::vector<double> logs;
  for (std::size_t k = 0; k < (shared ? 1 : all.size()); ++k)
    for (double log : all[k].logarithms()) logs.push_back(log);
  return logs;
}

Consortium waves(std::size_t agents, Index outputs, bool shared, const Kernel& kernel = se()) {
  std::mt19937_64 random(4);
  Consortium consortium;
  for (std::size_t i = 0; i < agents; ++i)
    consortium.agents.push_back(testing::random_samples(14 + static_cast<Index>(i), 2, outputs, random));
  consortium.landmarks = testing::random_samples(9, 2, 1, random).inputs;
  consortium.facts = {static_cast<std::size_t>(outputs), 14 + agents, 1.5, 2, 2};
  consortium.options.shared = shared;
  consortium.start.assign(static_cast<std::size_t>(outputs), checked_prior({kernel, 0.5}, 2));
  return consortium;
}

// An independent optimiser, without our slopes and sums, on the likelihood of all rows.
std::pair<double, std::vector<double>> plain_optimum(const Consortium& consortium) {
  std::vector<double> logs = logs_of(consortium.start, consortium.options.shared);
  nlopt_opt simplex = nlopt_create(NLOPT_LN_SBPLX, static_cast<unsigned>(logs.size()));
  auto objective = [](unsigned n, const double* x, double*, void* data) {
    return static_cast<const Consortium*>(data)->likelihood({x, n});
  };
  nlopt_set_max_objective(simplex, objective, const_cast<Consortium*>(&consortium));
  nlopt_set_lower_bounds1(simplex, std::log(consortium.options.box_low));
  nlopt_set_upper_bounds1(simplex, std::log(consortium.options.box_high));
  nlopt_set_xtol_abs1(simplex, 1e-5);
  nlopt_set_maxeval(simplex, 20000);
  double value = 0;
  EXPECT_GT(nlopt_optimize(simplex, logs.data(), &value), 0);
  nlopt_destroy(simplex);
  return {value, logs};
}

TEST(PooledObjective, TuningOnItFindsWhatAPlainSearchInOnePlaceFinds) {
  const BlasThreads one_each(1);
  for (const bool shared : {true, false}) {
    const Consortium c = waves(4, 2, shared);
    const ExactSecureSum exact({.agents = 4});
    const auto results = c.tune(complete_graph(4), exact);
    const auto reference = plain_optimum(c);
    const Trial& best = results[0].best;
    const std::vector<double> found = logs_of(best.priors, shared);
    EXPECT_NEAR(best.likelihood, reference.first, 1e-4);
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], reference.second[k], 5e-3) << k;
    EXPECT_NEAR(c.likelihood(found), best.likelihood, 1e-5);
    EXPECT_NE(results[0].end, EndOf::too_many_evaluations);
    for (const ExactTuning& one : results) {
      EXPECT_EQ(logs_of(one.best.priors, shared), found);
      EXPECT_EQ(one.best.likelihood, best.likelihood);
    }
  }
}

TEST(PooledObjective, ByConsensusAllAgentsEndAtTheSamePlace) {
  const BlasThreads one_each(1);
  Consortium c = waves(5, 1, true);
  c.options.originator = 3;
  const Graph ring = ring_lattice(5, 4);
  const ConsensusSum consensus(ring, {});
  const auto near = c.tune(ring, consensus), exact = c.tune(complete_graph(5), testing::PlainSum());
  for (const ExactTuning& one : near) {
    EXPECT_EQ(one.best.priors, near[0].best.priors);
    EXPECT_NEAR(one.best.likelihood, exact[0].best.likelihood, 1e-3);
  }
}

// If every row is a landmark, it is the likelihood of the exact model of all rows.
TEST(PooledObjective, WithEveryRowALandmarkTunesTheExactPooledModel) {
  const BlasThreads one_each(1);
  Consortium c = waves(3, 1, true);
  Samples all{Matrix(0, 2), Matrix(0, 1)};
  for (const Samples& agent : c.agents) {
    Samples more{Matrix(all.inputs.rows() + agent.inputs.rows(), 2), Matrix()};
    more.outputs.resize(more.inputs.rows(), 1);
    more.inputs << all.inputs, agent.inputs;
    more.outputs << all.outputs, agent.outputs;
    all = more;
  }
  c.landmarks = all.inputs;
  const Trial best = c.tune(complete_graph(3), testing::PlainSum())[0].best;
  const Likelihood exact = log_marginal_likelihood(all.inputs, all.outputs, best.priors[0]);
  EXPECT_NEAR(best.likelihood, exact.value, 1e-4);
  for (double slope : exact.slopes) EXPECT_LT(std::abs(slope), 0.1);
}

TEST(PooledObjective, HasTheValueAndTheSlopesOfTheLikelihoodInOnePlace) {
  for (const Kernel& kernel :
       {se(0.8, 1.1), matern32(ard) + linear(0.4), rational_quadratic(1.) * periodic(3.)})
    for (const bool shared : {true, false}) {
      SCOPED_TRACE(kernel.text());
      Consortium c = waves(3, 2, shared, kernel);
      c.options.originator = 1;
      const auto evaluated = c.evaluate(testing::PlainSum());
      const std::vector<double> at = logs_of(c.start, shared);
      ASSERT_EQ(evaluated[0].total.size(), 1 + at.size());
      EXPECT_NEAR(evaluated[0].total[0], c.likelihood(at), 1e-5);
      double own = 0;
      for (const Evaluated& one : evaluated) {
        EXPECT_EQ(one.total, evaluated[0].total);
        own += one.own;
      }
      EXPECT_GT(own, evaluated[0].total[0]);  // the term of the weights belongs to no agent
      for (std::size_t k = 0; k < at.size(); ++k) {
        std::vector<double> up = at, down = at;
        up[k] += 1e-4;
        down[k] -= 1e-4;
        EXPECT_NEAR(evaluated[0].total[1 + k], (c.likelihood(up) - c.likelihood(down)) / 2e-4, 1e-3) << k;
      }
    }
}

// For all data and trials, an agent's contribution is within the public ranges (otherwise PlainSum refuses
// it), and the plans of protocol exact are possible.
TEST(PooledObjective, SumsStayWithinTheirPublicRanges) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> log(std::log(0.01), std::log(100));
  const ExactSecureSum exact({.agents = 2});
  for (int repeat = 0; repeat < 150; ++repeat) {
    Consortium c = waves(2, 1 + repeat % 2, repeat % 3 == 0);
    const Index outputs = c.agents[0].outputs.cols(), rows = 1 + static_cast<Index>(random() % 25);
    for (Samples& agent : c.agents) agent = testing::random_samples(rows, 2, outputs, random);
    c.agents[0].outputs.setConstant(repeat % 2 ? 1.5 : -1.5);
    if (repeat % 5 == 0) c.agents[1].inputs = c.landmarks.row(0).replicate(rows, 1);
    c.facts = {static_cast<std::size_t>(outputs), static_cast<std::size_t>(rows), 1.5, 2, 2};
    const double l = std::exp(log(random)), signal = std::exp(log(random)), noise = std::exp(log(random));
    const Kernel kernels[] = {se(l, signal), matern12(l, signal), linear(signal) + se(l),
                              rational_quadratic(l, 0.5, signal) * periodic(2.)};
    c.start.assign(static_cast<std::size_t>(outputs), {kernels[random() % 4], noise});
    EXPECT_NO_THROW(c.evaluate(testing::PlainSum(), 1)) << c.start[0].kernel.text() << ' ' << noise;
    const PooledTrialSums sums = pooled_trial_sums(c.facts, 2, c.options, c.landmarks, c.start);
    EXPECT_NO_THROW(exact.plan(sums.statistics));
    EXPECT_NO_THROW(exact.plan(sums.likelihood));
  }
}

TEST(PooledObjective, CountsTheNumbersThatATrialOpens) {
  const Consortium c = waves(3, 2, true);
  const auto shared = pooled_trial_sums(c.facts, 3, c.options, c.landmarks, c.start);
  EXPECT_EQ(shared.statistics.dimension, 9u * 10 / 2 + 2 * 9);
  EXPECT_EQ(shared.likelihood.dimension, 1u + 3);
  const auto apart = pooled_trial_sums(c.facts, 3, {.shared = false, .limits = {}}, c.landmarks, c.start);
  EXPECT_EQ(apart.statistics.dimension, 2 * (9u * 10 / 2 + 9));
  EXPECT_EQ(apart.likelihood.dimension, 1u + 6);
}

// With a hundred thousand rows each and a thousand landmarks, the unit becomes coarser but stays far below a
// slope per row.
TEST(PooledObjective, SumsOfManyRowsAndLandmarksFitTheRing) {
  std::mt19937_64 random(9);
  const TuneFacts facts{1, 100000, 1500, 8, 10};
  const Matrix landmarks = testing::random_samples(1000, 8, 1, random).inputs;
  const ExactSecureSum exact({.agents = 20});
  for (double noise : {0.05, 0.5}) {
    const auto sums = pooled_trial_sums(facts, 20, {}, landmarks, {{se(), noise}});
    EXPECT_NO_THROW(exact.plan(sums.statistics));
    EXPECT_NO_THROW(exact.plan(sums.likelihood));
    EXPECT_LT(20 * sums.likelihood.range.unit / (20 * 1e5), 1e-3);
  }
}

TEST(PooledObjective, RefusesAKernelWithoutABoundAndLandmarksOfOtherColumns) {
  Consortium c = waves(3, 1, true, linear());
  c.landmarks = Matrix::Zero(1, 2);  // where a line is 0 for every slope
  EXPECT_THROW(c.evaluate(testing::PlainSum()), InputError);
  c = waves(3, 1, true);
  c.landmarks = Matrix::Zero(1, 3);
  EXPECT_THROW(c.evaluate(testing::PlainSum()), InputError);
}

TEST(PooledObjective, DataAboveThePublicBoundAreRefused) {
  Consortium c = waves(4, 1, true);
  c.agents[2].outputs.setConstant(1e9);
  EXPECT_THROW(c.evaluate(testing::PlainSum()), InputError);
}

}  // namespace
}  // namespace tacit
