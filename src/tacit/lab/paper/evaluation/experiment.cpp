#include "tacit/lab/paper/evaluation/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/predict/public_bounds.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/graph/generators.hpp"

namespace tacit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

unsigned ReproduceSettings::used_threads() const { return threads ? threads : default_threads(); }

TuneOptions paper_tuning(GradientOf gradient) {
  return {
      .iterations = 30, .step = 0.1, .decay = 0.99, .gradient = gradient, .box_low = 0.01, .box_high = 80};
}

std::vector<OutputHyperparameters> random_starts(std::size_t agents, std::size_t outputs, double noise,
                                                 std::uint64_t seed) {
  std::mt19937_64 generator(seed);  // public numbers, the same with all standard libraries
  const auto draw = [&] {
    return start_low + (start_high - start_low) * static_cast<double>(generator() >> 11) * 0x1p-53;
  };
  std::vector<OutputHyperparameters> all(agents, OutputHyperparameters(outputs));
  for (auto& agent : all)
    for (Hyperparameters& h : agent) {
      h.lengthscale = draw();
      h.signal = draw();
      h.noise = noise;
    }
  return all;
}

std::vector<TuneTrace> tune_together(const Parties& parties, const ConsensusPlan& plan,
                                     const TuneOptions& options,
                                     const std::vector<OutputHyperparameters>& start,
                                     const ReproduceSettings& settings) {
  const BlasThreads one_each(1);
  Simulator simulator(ring_lattice(parties.agents.size(), 4), {.threads = settings.used_threads(),
                                                               .seed = settings.seed,
                                                               .network = {},
                                                               .coalition = {},
                                                               .progress = nullptr});
  return simulator.run<TuneTrace>([&](Run& net) {
    return tune_privately(net, plan, options, parties.agents[net.self()], start[net.self()]);
  });
}

OutputHyperparameters tuned_hyperparameters(const DataSet& data, const ReproduceSettings& settings) {
  constexpr std::size_t agents = 20;
  const Parties parties = deal(data, agents, settings.seed);
  const TuneOptions options = paper_tuning(settings.gradient);
  PlanRequest request;
  request.lz = tuning_lz;
  const ConsensusPlan plan = make_tuning_plan(ring_lattice(agents, 4), options, data.targets.size(), request);
  const auto traces = tune_together(
      parties, plan, options,
      random_starts(agents, data.targets.size(), settings.noise_of(data), settings.seed), settings);
  std::vector<OutputHyperparameters> last;
  for (const TuneTrace& trace : traces) last.push_back(trace.back());
  return mean_hyperparameters(last);
}

double PlainResult::work_seconds() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
double PlainResult::longest_seconds() const { return *std::max_element(seconds.begin(), seconds.end()); }

PlainResult plain_gpr(const Parties& parties, const std::vector<OutputHyperparameters>& by_agent,
                      const ReproduceSettings& settings) {
  const BlasThreads one_each(1);
  const std::size_t agents = parties.agents.size();
  PlainResult result{std::vector<Prediction>(agents), {}, std::vector<double>(agents)};
  parallel_for(settings.used_threads(), agents, [&](std::size_t i) {
    const auto start = Clock::now();
    result.alone[i] = predict_alone(parties.agents[i], parties.test.inputs, priors_of(by_agent[i]));
    if (settings.noise_in_variance)
      for (std::size_t k = 0; k < by_agent[i].size(); ++k)
        result.alone[i].latent_variance.col(static_cast<Index>(k)).array() +=
            by_agent[i][k].noise * by_agent[i][k].noise;
    result.seconds[i] = seconds_since(start);
  });
  std::vector<Matrix> means, variances;
  for (const Prediction& one : result.alone) {
    means.push_back(one.mean);
    variances.push_back(one.latent_variance);
  }
  result.fused = fuse_poe(means, variances);
  return result;
}

PlainResult plain_gpr(const Parties& parties, const OutputHyperparameters& shared,
                      const ReproduceSettings& settings) {
  return plain_gpr(parties, std::vector<OutputHyperparameters>(parties.agents.size(), shared), settings);
}

PlanRequest prediction_request(const Parties& parties, const OutputHyperparameters& shared) {
  const auto [low, high] = std::minmax_element(
      shared.begin(), shared.end(), [](const auto& a, const auto& b) { return a.signal < b.signal; });
  PlanRequest request;
  request.dimension = prediction_dimension(static_cast<std::size_t>(parties.test.inputs.rows()),
                                           parties.columns.targets.size());
  request.value_bound = public_bounds({.agents = parties.agents.size(),
                                       .rows = parties.most_rows(),
                                       .prior_low = low->signal * low->signal,
                                       .prior_high = high->signal * high->signal,
                                       .noise = shared[0].noise,
                                       .output_max = parties.target_range.most()})
                            .value;
  return request;
}

double test_error(const Prediction& prediction, const Parties& parties) {
  const Matrix& truth = parties.test.outputs;
  return std::sqrt((prediction.mean - truth).squaredNorm() / static_cast<double>(truth.size()));
}

double constant_error(const Parties& parties) {
  Vector sum = Vector::Zero(parties.test.outputs.cols());
  for (const Samples& agent : parties.agents) sum += agent.outputs.colwise().sum().transpose();
  const Vector mean = sum / static_cast<double>(parties.rows());
  return test_error({mean.transpose().replicate(parties.test.outputs.rows(), 1), Matrix()}, parties);
}

}  // namespace tacit
