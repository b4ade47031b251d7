#include "tacit/simulation/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/gp/blas_threads.hpp"
#include "tacit/gp/expert.hpp"
#include "tacit/gp/fusion.hpp"
#include "tacit/gp/likelihood.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/consensus.hpp"

namespace tacit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Samples pool(const std::vector<Samples>& agents) {
  Index rows = 0;
  for (const Samples& agent : agents) rows += agent.inputs.rows();
  Samples all{Matrix(rows, agents[0].inputs.cols()), Matrix(rows, agents[0].outputs.cols())};
  rows = 0;
  for (const Samples& agent : agents) {
    all.inputs.middleRows(rows, agent.inputs.rows()) = agent.inputs;
    all.outputs.middleRows(rows, agent.inputs.rows()) = agent.outputs;
    rows += agent.inputs.rows();
  }
  return all;
}

double root_mean_square(const Matrix& difference) {
  return std::sqrt(difference.squaredNorm() / static_cast<double>(difference.size()));
}

double largest_spread(const std::vector<Prediction>& agents, const Matrix Prediction::*part) {
  Matrix low = agents[0].*part, high = low;
  for (const Prediction& agent : agents) {
    low = low.cwiseMin(agent.*part);
    high = high.cwiseMax(agent.*part);
  }
  return (high - low).maxCoeff();
}

// Θ_i(0) for every agent.
std::vector<OutputHyperparameters> starts(const StudyOptions& options, std::size_t agents,
                                          std::size_t outputs) {
  std::vector<OutputHyperparameters> all(agents, OutputHyperparameters(outputs, options.hyperparameters));
  if (!options.tune_start) return all;
  const auto [low, high] = *options.tune_start;
  std::mt19937_64 generator(
      options.seed);  // public numbers; the draw below is the same with every standard library
  auto draw = [&] { return low + (high - low) * static_cast<double>(generator() >> 11) * 0x1p-53; };
  for (auto& agent : all)
    for (Hyperparameters& h : agent) h = {draw(), draw(), h.noise};
  return all;
}

double total_likelihood(const Consortium& consortium, const std::vector<OutputHyperparameters>& all,
                        unsigned threads) {
  std::vector<double> parts(all.size());
  parallel_for(threads, all.size(),
               [&](std::size_t i) { parts[i] = local_likelihood(consortium.agents[i], all[i]); });
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

void check_start(const TuneOptions& tune, const std::vector<OutputHyperparameters>& start) {
  for (const auto& agent : start)
    for (const Hyperparameters& h : agent)
      for (double value : {h.lengthscale, h.signal})
        if (!(value >= tune.box_low && value <= tune.box_high))
          throw InputError(fmt::format(
              "tuning would start at {:g}, outside the box [{:g}, {:g}]; move the start or widen --tune-box",
              value, tune.box_low, tune.box_high));
}

double final_spread(const std::vector<TuneTrace>& traces) {
  double spread = 0;
  for (std::size_t k = 0; k < traces[0].back().size(); ++k)
    for (double Hyperparameters::*part : {&Hyperparameters::lengthscale, &Hyperparameters::signal}) {
      double low = traces[0].back()[k].*part, high = low;
      for (const TuneTrace& trace : traces) {
        low = std::min(low, trace.back()[k].*part);
        high = std::max(high, trace.back()[k].*part);
      }
      spread = std::max(spread, high - low);
    }
  return spread;
}

}  // namespace

double Accuracy::mean_local() const {
  double sum = 0;
  for (double value : local) sum += value;
  return sum / static_cast<double>(local.size());
}

Privacy consensus_privacy(const HelpedGraph& graph) {
  // On a complete graph z_i(t+1) is a function of z_i(t) and the sum. On any other, some agent i has a
  // non-neighbour; row i of W is then zero there but not everywhere else, so it is no combination of e_i and
  // the sum, and already z_i(1) tells agent i more than the sum.
  return {collusion_bound(graph), collusion_bound_paper(graph), graph.agents.complete()};
}

double paper_rmse(const std::vector<Prediction>& agents, const Matrix Prediction::*part,
                  const Matrix& reference) {
  double sum = 0;
  for (const Prediction& agent : agents)
    sum += std::sqrt((agent.*part - reference).squaredNorm() / static_cast<double>(reference.rows()));
  return sum / static_cast<double>(agents.size());
}

namespace {

// Everything that can be refused is refused here, before anything long starts.
void make_plans(const HelpedGraph& graph, const Consortium& consortium, const StudyOptions& options,
                StudyReport& report) {
  PublicFacts facts{.agents = graph.agents.agents(),
                    .rows = consortium.most_rows(),
                    .signal_low = options.hyperparameters.signal,
                    .signal_high = options.hyperparameters.signal,
                    .noise = options.hyperparameters.noise,
                    .output_max = consortium.y_max};
  if (options.tune) {
    check(*options.tune);
    facts.signal_low = options.tune->box_low;
    facts.signal_high = options.tune->box_high;
    if (!(options.tune_lz > 0 && options.tune_lz < options.tune->box_low))
      throw InputError(fmt::format(
          "the tuning's L_z (--tune-lz) must be positive and below the box's low end {:g}, not {:g}",
          options.tune->box_low, options.tune_lz));
    PlanRequest request = options.plan;
    request.modulus_bits.reset();  // what was asked for is for the prediction
    request.lz = options.tune_lz;
    report.tuning.emplace();
    report.tuning->plan = make_tuning_plan(graph, *options.tune, consortium.targets.size(), request);
    check_start(*options.tune, report.hyperparameters);
  }
  report.bounds = public_bounds(facts);
  PlanRequest request = options.plan;
  const auto points = static_cast<std::size_t>(consortium.test.inputs.rows());
  request.dimension = prediction_dimension(points, consortium.targets.size());
  request.value_bound = report.bounds.value;
  if (!request.lz) request.lz = usual_lz(report.bounds);
  report.plan = make_plan(graph, request);

  const double lz = report.plan.lz, variance = report.bounds.variance_high;
  if (!precision_suffices(lz, variance))
    throw InputError(fmt::format(
        "L_z = {:g} is too coarse for (xi): it must be below M / k(x,x) = {:g} (--lz)", lz, 1 / variance));
  report.gamma = gamma_bound(lz, variance);
  report.beta = beta_bound(lz, variance, report.bounds.mean / variance);
}

// A helper's side of a program that gives each agent a T; it gets nothing.
template <class T>
Task<T> only_help(Channel& net, const ConsensusPlan& plan, std::size_t runs) {
  co_await help(net, plan, runs);
  co_return T{};
}

void tune_together(const HelpedGraph& graph, const Consortium& consortium, const StudyOptions& options,
                   unsigned threads, Simulator& simulator, Progress& progress, StudyReport& report) {
  const auto start = Clock::now();
  Tuning& tuning = *report.tuning;
  tuning.likelihood_before = total_likelihood(consortium, report.hyperparameters, threads);
  progress.begin("tuning", planned_traffic(graph, tuning.plan).messages * options.tune->iterations);
  tuning.traces = simulator.run<TuneTrace>([&](Channel& net) {
    if (net.neighbourhood().helps()) return only_help<TuneTrace>(net, tuning.plan, options.tune->iterations);
    return tune_privately(net, tuning.plan, *options.tune, consortium.agents[net.self()],
                          report.hyperparameters[net.self()]);
  });
  tuning.traces.resize(consortium.agents.size());
  for (std::size_t i = 0; i < tuning.traces.size(); ++i) report.hyperparameters[i] = tuning.traces[i].back();
  tuning.spread = final_spread(tuning.traces);
  tuning.likelihood_after = total_likelihood(consortium, report.hyperparameters, threads);
  report.tuning_seconds = seconds_since(start);
}

std::vector<Prediction> predict_all_alone(const Consortium& consortium, unsigned threads, Progress& progress,
                                          StudyReport& report) {
  const auto start = Clock::now();
  const std::size_t agents = consortium.agents.size();
  progress.begin("local models", agents);
  std::vector<LocalPrediction> results(agents);
  parallel_for(threads, agents, [&](std::size_t i) {
    results[i] = predict_alone(consortium.agents[i], consortium.test.inputs, report.hyperparameters[i]);
    ++progress.done;
  });
  report.local_seconds = seconds_since(start);
  std::vector<Prediction> alone;
  for (LocalPrediction& one : results) {
    report.clamped += one.clamped;
    report.jitter = std::max(report.jitter, one.jitter);
    alone.push_back(std::move(one.prediction));
  }
  return alone;
}

void predict_together(const HelpedGraph& graph, const std::vector<Prediction>& alone, Simulator& simulator,
                      Progress& progress, StudyReport& report) {
  progress.begin("protocol", planned_traffic(graph, report.plan).messages);
  const ConsensusSum secure_sum(report.plan);
  const double before = simulator.cost().computing_seconds;
  report.predictions = simulator.run<Prediction>([&](Channel& net) {
    return net.neighbourhood().helps() ? only_help<Prediction>(net, report.plan, 1)
                                       : predict_privately(net, secure_sum, alone[net.self()]);
  });
  report.predictions.resize(alone.size());
  report.cost = simulator.cost();
  report.protocol_seconds = report.cost.computing_seconds - before;
}

// How exact, and how far apart.
void compare_with_plain(const std::vector<Prediction>& alone, StudyReport& report) {
  std::vector<Matrix> means, variances;
  for (const Prediction& one : alone) {
    means.push_back(one.mean);
    variances.push_back(one.variance);
  }
  report.reference = fuse_poe(means, variances);
  report.rmse_mean = paper_rmse(report.predictions, &Prediction::mean, report.reference.mean);
  report.rmse_variance = paper_rmse(report.predictions, &Prediction::variance, report.reference.variance);
  report.disagreement_mean = largest_spread(report.predictions, &Prediction::mean);
  report.disagreement_variance = largest_spread(report.predictions, &Prediction::variance);
  for (const Prediction& prediction : report.predictions) report.unconverged += unconverged(prediction);
}

// What it is worth.
Accuracy score(const Consortium& consortium, const StudyOptions& options,
               const std::vector<Prediction>& alone, Progress& progress, const StudyReport& report) {
  Accuracy accuracy;
  const Matrix& truth = consortium.test.outputs;
  for (const Prediction& one : alone) accuracy.local.push_back(root_mean_square(one.mean - truth));
  for (const Prediction& prediction : report.predictions)
    accuracy.private_model += root_mean_square(prediction.mean - truth) / static_cast<double>(alone.size());
  if (consortium.rows() > options.most_pooled_rows) return accuracy;
  progress.begin("pooled model", 0);
  const LocalPrediction pooled = predict_alone(pool(consortium.agents), consortium.test.inputs,
                                               mean_hyperparameters(report.hyperparameters));
  accuracy.pooled = root_mean_square(pooled.prediction.mean - truth);
  return accuracy;
}

}  // namespace

StudyReport run_study(const Consortium& consortium, const StudyOptions& options, Progress* shown) {
  Progress unseen;
  Progress& progress = shown ? *shown : unseen;
  const unsigned threads = options.threads ? options.threads : default_threads();
  const BlasThreads one_each(1);  // agents are computed side by side, and alike whatever the thread count
  check_hyperparameters(options.hyperparameters);
  const HelpedGraph graph =
      with_helpers(parse_topology(options.topology, consortium.agents.size(), options.seed), options.helpers);

  StudyReport report;
  report.edges = graph.agents.edges();
  report.mask_edges = graph.everybody.edges() - report.edges;
  report.hyperparameters = starts(options, graph.agents.agents(), consortium.targets.size());
  make_plans(graph, consortium, options, report);
  report.privacy = consensus_privacy(graph);

  Simulator simulator(graph, {.threads = threads,
                              .seed = options.seed,
                              .network = options.network,
                              .coalition = {},
                              .progress = &progress});
  if (options.tune) tune_together(graph, consortium, options, threads, simulator, progress, report);
  const std::vector<Prediction> alone = predict_all_alone(consortium, threads, progress, report);
  predict_together(graph, alone, simulator, progress, report);
  compare_with_plain(alone, report);
  if (consortium.test_targets_known) report.accuracy = score(consortium, options, alone, progress, report);
  return report;
}

}  // namespace tacit
