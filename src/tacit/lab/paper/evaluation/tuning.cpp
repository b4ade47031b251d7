#include "tacit/lab/paper/evaluation/tuning.hpp"

#include <algorithm>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/metropolis.hpp"

namespace tacit {
namespace {

constexpr std::size_t tuned_agents = 20;

double spread(const std::vector<TuneTrace>& traces, double Hyperparameters::*part) {
  double low = traces[0].back()[0].*part, high = low;
  for (const TuneTrace& trace : traces) {
    low = std::min(low, trace.back()[0].*part);
    high = std::max(high, trace.back()[0].*part);
  }
  return high - low;
}

std::vector<OutputHyperparameters> at(const std::vector<TuneTrace>& traces, std::size_t step) {
  std::vector<OutputHyperparameters> all;
  for (const TuneTrace& trace : traces) all.push_back(trace[step]);
  return all;
}

double likelihood(const Parties& parties, const std::vector<OutputHyperparameters>& by_agent) {
  double sum = 0;
  for (std::size_t i = 0; i < tuned_agents; ++i)
    sum += LocalExperts(parties.agents[i]).likelihood(priors_of(by_agent[i])).value;
  return sum;
}

}  // namespace

Hyperparameters TuningRun::agreed() const {
  return mean_hyperparameters(at(traces, traces[0].size() - 1))[0];
}

TuningRun run_tuning(const DataSet& all_outputs, GradientOf gradient, std::uint64_t denominator,
                     const ReproduceSettings& settings) {
  const DataSet data = first_output(all_outputs);
  const Parties parties = deal(data, tuned_agents, settings.seed);
  const TuneOptions options = paper_tuning(gradient);
  PlanRequest request;
  request.lz = tuning_lz;
  request.modulus_bits = tuning_bits;
  request.denominator = denominator;
  const ConsensusPlan plan = make_tuning_plan(ring_lattice(tuned_agents, 4), options, 1, request);

  TuningRun run;
  run.data = data.name;
  run.gradient = gradient;
  run.denominator = denominator;
  run.required_bits = plan.required_bits;
  run.traces =
      tune_together(parties, plan, options,
                    random_starts(tuned_agents, 1, settings.noise_of(data), settings.seed), settings);
  const auto before = at(run.traces, 0), after = at(run.traces, options.iterations);
  run.spread_lengthscale = spread(run.traces, &Hyperparameters::lengthscale);
  run.spread_signal = spread(run.traces, &Hyperparameters::signal);
  for (const auto& agent : after)
    run.at_box += std::clamp(agent[0].lengthscale, 1.0001 * options.box_low, 0.9999 * options.box_high) !=
                      agent[0].lengthscale ||
                  agent[0].signal >= 0.9999 * options.box_high;
  run.likelihood_before = likelihood(parties, before);
  run.likelihood_after = likelihood(parties, after);
  run.error_before = test_error(plain_gpr(parties, before, settings).fused, parties);
  run.error_after = test_error(plain_gpr(parties, after, settings).fused, parties);
  run.error_constant = constant_error(parties);
  return run;
}

std::vector<TuningRun> reproduce_tuning(const std::vector<DataSet>& data, const ReproduceSettings& settings) {
  const std::uint64_t largest = MetropolisWeights(ring_lattice(tuned_agents, 4)).denominator();
  if (settings.progress) settings.progress->begin("tuning", 4 * data.size());
  std::vector<TuningRun> runs;
  for (const DataSet& set : data)
    for (const GradientOf gradient : {GradientOf::likelihood_per_row, GradientOf::likelihood})
      for (const std::uint64_t denominator : {std::uint64_t{40}, largest}) {
        runs.push_back(run_tuning(set, gradient, denominator, settings));
        if (settings.progress) ++settings.progress->done;
      }
  return runs;
}

}  // namespace tacit
