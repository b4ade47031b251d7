#include "tacit/consortium/tune/tune_exact.hpp"

#include <gtest/gtest.h>
#include <nlopt.h>

#include <cmath>
#include <map>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/rows/row_blocks.hpp"

namespace tacit {
namespace {

struct TuningParties {
  std::vector<Samples> agents;
  TuneFacts facts;
  ExactTuneOptions options;
  Priors start;

  std::vector<ExactTuning> run(const Graph& graph, const SecureSum& secure_sum, unsigned threads = 2) const {
    Simulator simulator(graph,
                        {.threads = threads, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
    std::vector<LocalExperts> local;
    for (const Samples& agent : agents) local.emplace_back(agent);
    TuneFacts all = facts;
    all.inputs = static_cast<std::size_t>(agents[0].inputs.cols());
    return simulator.run<ExactTuning>([&](tacit::Run& net) {
      return tune_exactly(net, secure_sum, all, options, local[net.self()], start);
    });
  }

  // Σ_i h_i and its slopes in the logarithms, without secrecy.
  double likelihood(const std::vector<double>& logs, std::vector<double>* slopes = nullptr) const {
    double sum = 0;
    if (slopes) slopes->assign(logs.size(), 0);
    for (const Samples& agent : agents)
      for (std::size_t k = 0; k < facts.outputs; ++k) {
        const Prior h = start[k].at(std::span(logs).subspan(3 * k, 3));
        const Likelihood one =
            log_marginal_likelihood(agent.inputs, agent.outputs.col(static_cast<Index>(k)), h);
        sum += one.value;
        if (!slopes) continue;
        for (std::size_t j = 0; j < 3; ++j) (*slopes)[3 * k + j] += one.slopes[j];
      }
    return sum;
  }
};

std::vector<double> logs_of(const Priors& all) {
  std::vector<double> logs;
  for (const Prior& prior : all)
    for (double log : prior.logarithms()) logs.push_back(log);
  return logs;
}

// Ten hospitals with 44 or 45 patients, standardised without secrecy.
TuningParties diabetes() {
  const Table table = read_data(TACIT_SOURCE_DIR "/data/diabetes.csv");
  const auto rows = static_cast<Index>(table.rows()), columns = static_cast<Index>(table.columns().size());
  Matrix all(rows, columns);
  for (Index c = 0; c < columns; ++c) {
    const auto cells = table.numbers(table.columns()[static_cast<std::size_t>(c)]);
    for (Index r = 0; r < rows; ++r) all(r, c) = cells[static_cast<std::size_t>(r)];
    all.col(c).array() -= all.col(c).mean();
    all.col(c) /= std::sqrt(all.col(c).squaredNorm() / static_cast<double>(rows));
  }
  std::vector<std::size_t> numbers(table.rows());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  TuningParties consortium;
  for (const auto& block : contiguous_blocks(numbers, 10)) {
    const auto n = static_cast<Index>(block.size());
    const Matrix mine = all.middleRows(static_cast<Index>(block[0]), n);
    consortium.agents.push_back({mine.leftCols(columns - 1), mine.rightCols(1)});
    consortium.facts.rows = std::max(consortium.facts.rows, block.size());
  }
  consortium.facts.output_max = std::sqrt(static_cast<double>(rows));
  consortium.start = {initial_prior(se(), standard_scale(10))};
  return consortium;
}

struct Reference {
  double value;
  std::vector<double> logs;
};

// An independent optimiser, without our slopes and sums, on the same objective.
Reference plain_optimum(const TuningParties& consortium) {
  const auto size = static_cast<unsigned>(3 * consortium.facts.outputs);
  nlopt_opt simplex = nlopt_create(NLOPT_LN_SBPLX, size);
  auto objective = [](unsigned n, const double* x, double*, void* data) {
    return static_cast<const TuningParties*>(data)->likelihood({x, x + n});
  };
  nlopt_set_max_objective(simplex, objective, const_cast<TuningParties*>(&consortium));
  nlopt_set_lower_bounds1(simplex, std::log(consortium.options.box_low));
  nlopt_set_upper_bounds1(simplex, std::log(consortium.options.box_high));
  nlopt_set_xtol_abs1(simplex, 1e-6);
  Reference found{0, logs_of(consortium.start)};
  EXPECT_GT(nlopt_optimize(simplex, found.logs.data(), &found.value), 0);
  nlopt_destroy(simplex);
  return found;
}

TEST(TuneExactly, FindsThePlainOptimumOnDiabetesWithinThirtyEvaluations) {
  const BlasThreads one_each(1);
  TuningParties hospitals = diabetes();
  const auto results = hospitals.run(complete_graph(10), testing::PlainSum());
  const Reference reference = plain_optimum(hospitals);
  const Trial& best = results[0].best;
  EXPECT_LE(results[0].trials.size(), 30u);
  EXPECT_NE(results[0].end, EndOf::too_many_evaluations);
  EXPECT_NEAR(best.likelihood, reference.value, 1e-4);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(logs_of(best.priors)[k], reference.logs[k], 5e-3);

  std::vector<double> slopes;  // at the maximum; the reported likelihood must be the true one
  EXPECT_NEAR(hospitals.likelihood(logs_of(best.priors), &slopes), best.likelihood, 1e-7);
  for (double slope : slopes) EXPECT_LT(std::abs(slope), 0.05);
  for (const ExactTuning& one : results) EXPECT_EQ(logs_of(one.best.priors), logs_of(best.priors));

  hospitals.start = {{se(), 0.1}};  // a distant start takes longer and ends at the same maximum
  EXPECT_NEAR(hospitals.run(complete_graph(10), testing::PlainSum())[0].best.likelihood, best.likelihood,
              1e-4);
}

TuningParties small(std::size_t agents, Index outputs) {
  std::mt19937_64 random(4);
  TuningParties consortium;
  for (std::size_t i = 0; i < agents; ++i)
    consortium.agents.push_back(testing::random_samples(8 + static_cast<Index>(i), 2, outputs, random));
  consortium.facts = {static_cast<std::size_t>(outputs), 8 + agents, 1.5};
  consortium.start.assign(static_cast<std::size_t>(outputs), {se(), 0.5});
  return consortium;
}

TEST(TuneExactly, EveryAgentOfAConsensusEndsWithTheSameBitsAtTheSamePlace) {
  TuningParties c = small(6, 2);
  c.options.originator = 4;
  const Graph ring = ring_lattice(6, 4);
  const auto exact = c.run(complete_graph(6), testing::PlainSum());
  const ConsensusSum consensus(ring, {});
  const auto near = c.run(ring, consensus);
  const auto expected = logs_of(exact[0].best.priors);
  for (const ExactTuning& one : near) {
    EXPECT_EQ(logs_of(one.best.priors), logs_of(near[0].best.priors));
    EXPECT_EQ(one.trials.size(), near[0].trials.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(logs_of(one.best.priors)[k], expected[k], 2e-3);
    EXPECT_NEAR(one.best.likelihood, exact[0].best.likelihood, 1e-5);
  }
  const auto again = c.run(ring, consensus, 1);
  EXPECT_EQ(logs_of(again[3].trials.back().priors), logs_of(near[3].trials.back().priors));
}

TEST(TuneExactly, RestartsFindWhatOneSearchMisses) {
  TuningParties c = small(3, 1);
  c.start = {{se(0.05), 1}};  // no two rows are near each other, so the slope in the length-scale is 0
  c.options.limits.most_evaluations = 60;
  const ExactTuning once = c.run(complete_graph(3), testing::PlainSum())[0];
  c.options.restarts = 6;
  const ExactTuning many = c.run(complete_graph(3), testing::PlainSum())[1];
  EXPECT_EQ(many.trials.back().search, 6u);
  EXPECT_GT(many.best.likelihood, once.best.likelihood + 1);
  std::map<std::size_t, std::size_t> evaluations;
  for (const Trial& trial : many.trials) {
    ++evaluations[trial.search];
    EXPECT_LE(trial.likelihood, many.best.likelihood);
  }
  EXPECT_EQ(evaluations.size(), 7u);
  EXPECT_EQ(evaluations[0], once.trials.size());
}

// For all data and trials, an agent's contribution is within the public range (otherwise PlainSum refuses
// it).
TEST(TuneExactly, LikelihoodsStayWithinTheirPublicRange) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> log(std::log(0.01), std::log(100));
  for (int repeat = 0; repeat < 200; ++repeat) {
    TuningParties c;
    const auto rows = 1 + static_cast<Index>(random() % 30);
    for (int i = 0; i < 2; ++i) c.agents.push_back(testing::random_samples(rows, 1, 1, random));
    c.agents[0].inputs *= std::exp(log(random));
    c.agents[1].outputs.setConstant(1.5);
    c.facts = {1, static_cast<std::size_t>(rows), 1.5};
    c.options.limits.most_evaluations = 1;
    c.start = {{se(std::exp(log(random)), std::exp(log(random))), std::exp(log(random))}};
    EXPECT_NO_THROW(c.run(complete_graph(2), testing::PlainSum(), 1));
  }
}

// The slope in the length-scale is steepest for rows on a line with alternating outputs.
TEST(TuneExactly, SteepestSlopesStayWithinTheirPublicRange) {
  TuningParties c;
  Samples rows{Vector::LinSpaced(14, 0, 13), Vector(14)};
  for (Index r = 0; r < 14; ++r) rows.outputs(r, 0) = r % 2 ? 1.5 : -1.5;
  c.agents = {rows, rows};
  c.facts = {1, 14, 1.5};
  c.options.limits.most_evaluations = 1;
  double steepest = 0;
  for (double log = 0; log < 3; log += 0.05) {
    c.start = {{se(std::exp(log), 100), 0.011}};
    EXPECT_NO_THROW(c.run(complete_graph(2), testing::PlainSum(), 1));
    std::vector<double> slopes;
    c.likelihood(logs_of(c.start), &slopes);
    steepest = std::max(steepest, std::abs(slopes[0]) / 2);
  }
  EXPECT_GT(steepest, 14 * 1.5 * 1.5 / (0.011 * 0.011));  // larger than the bound on the other slopes
}

TEST(TuneExactly, DataAboveThePublicBoundAreRefusedEverywhere) {
  TuningParties c = small(4, 1);
  c.agents[2].outputs.setConstant(1e6);
  EXPECT_THROW(c.run(complete_graph(4), testing::PlainSum()), InputError);
}

TEST(TuneExactly, RefusesAnOriginatorThatIsNotThere) {
  TuningParties c = small(3, 1);
  c.options.originator = 3;
  EXPECT_THROW(c.run(complete_graph(3), testing::PlainSum()), InputError);
}

// The result of the other agents if the originator, agent 0, uses other options and another start.
std::string led_astray(const TuningParties& honest, const ExactTuneOptions& options, const Priors& start,
                       const SecureSum& secure_sum) {
  Simulator simulator(complete_graph(honest.agents.size()));
  std::vector<LocalExperts> local;
  for (const Samples& agent : honest.agents) local.emplace_back(agent);
  const auto outcomes = simulator.run_with_losses<ExactTuning>([&](tacit::Run& net) {
    const bool hostile = net.self() == 0;
    return tune_exactly(net, secure_sum, honest.facts, hostile ? options : honest.options, local[net.self()],
                        hostile ? start : honest.start);
  });
  return outcomes[1].error;
}

TEST(TuneExactly, NoAgentTrustsTheOriginatorForATrial) {
  TuningParties c = small(3, 1);
  c.facts.inputs = static_cast<std::size_t>(c.agents[0].inputs.cols());
  const testing::PlainSum same;
  const std::string no = "agent 0 published a trial that does not follow from the totals";
  EXPECT_EQ(led_astray(c, c.options, c.start, same), "");
  Priors other = c.start;
  other[0].noise *= 1.01;
  EXPECT_NE(led_astray(c, c.options, other, same).find(no), std::string::npos);
  ExactTuneOptions longer = c.options;  // differs from the agreed trials only later
  longer.limits.most_evaluations = 200;
  longer.limits.value_tolerance = longer.limits.point_tolerance = 0;
  EXPECT_NE(led_astray(c, longer, c.start, same).find(no), std::string::npos);
  // The last bit of another machine can change a point by one step of the grid.
  c.options.limits.most_evaluations = 1;
  other = c.start;
  other[0].noise *= std::exp(0x1p-28);
  EXPECT_EQ(led_astray(c, c.options, other, same), "");
  other[0].noise *= std::exp(0x1p-27);
  EXPECT_NE(led_astray(c, c.options, other, same).find(no), std::string::npos);
}

// With the consensus, agents' totals differ, so the originator searches. It must not leave the box.
TEST(TuneExactly, ByConsensusTheBoxAndTheNumberOfTrialsHold) {
  TuningParties c = small(3, 1);
  c.facts.inputs = static_cast<std::size_t>(c.agents[0].inputs.cols());
  PlanRequest request;
  const ConsensusSum consensus(complete_graph(3), request);
  const std::string no = "agent 0 published a trial outside the box, or more trials than agreed";
  c.options.limits.most_evaluations = 3;
  ExactTuneOptions longer = c.options;
  longer.limits.most_evaluations = 4;
  longer.limits.value_tolerance = longer.limits.point_tolerance = 0;
  EXPECT_NE(led_astray(c, longer, c.start, consensus).find(no), std::string::npos);
  Priors outside = c.start;
  outside[0].noise = 1e-4;
  ExactTuneOptions wider = c.options;
  wider.box_low = 1e-5;
  EXPECT_NE(led_astray(c, wider, outside, consensus).find(no), std::string::npos);
}

TEST(TuneExactly, NoiseAndLengthscaleHaveFloorsOfTheirOwn) {
  TuningParties c = small(3, 1);
  c.options.noise_low = 0.9;
  c.options.lengthscale_low = 5;
  for (const ExactTuning& found : c.run(complete_graph(3), testing::PlainSum()))
    for (const Trial& trial : found.trials) {
      const Hyperparameters h = hyperparameters_of(trial.priors[0]);
      EXPECT_GE(h.noise, 0.9 * (1 - 1e-8));
      EXPECT_GE(h.lengthscale, 5 * (1 - 1e-8));
    }
}

TEST(TuneExactly, RefusesOptionsThatMakeNoSense) {
  const Priors start{{se(), 0.1}};
  EXPECT_NO_THROW(check({}, start));
  EXPECT_THROW(check({.box_low = 0, .limits = {}}, start), InputError);
  EXPECT_THROW(check({.box_low = 0.2, .limits = {}}, start), InputError);  // the noise starts below the box
  EXPECT_THROW(check({.limits = {.most_evaluations = 0}}, start), InputError);
}

}  // namespace
}  // namespace tacit
