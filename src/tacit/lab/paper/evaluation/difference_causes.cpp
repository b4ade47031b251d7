#include "tacit/lab/paper/evaluation/difference_causes.hpp"

#include <cmath>
#include <functional>
#include <iterator>

#include "tacit/graph/generators.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/graph/spectrum.hpp"

namespace tacit {
namespace {

double rate(const Graph& graph) { return consensus_rate(graph, MetropolisWeights(graph)); }

std::vector<RateCause> rates(std::uint64_t seed) {
  return {{"ring lattice i±1, i±2", rate(ring_lattice(20, 4)), rate(ring_lattice(40, 4))},
          {"a random 4-regular graph", rate(random_regular(20, 4, seed)), rate(random_regular(40, 4, seed))}};
}

constexpr double noises[] = {1, 6, 30};
constexpr double signals[] = {0, 5, 3, 2, 1};  // 0: as tuned

VarianceCause variance_cause(const DataSet& data, double noise, bool noise_in_variance,
                             const ReproduceSettings& base) {
  ReproduceSettings settings = base;
  settings.noise = noise;
  settings.noise_in_variance = noise_in_variance;
  settings.progress = nullptr;
  const OutputHyperparameters shared = tuned_hyperparameters(data, settings);
  VarianceCause cause{data.name, noise, noise_in_variance, shared[0], {}};
  for (const PublishedRow& row : published_table)
    if (row.data == data.name)
      cause.rows.push_back(
          run_table_row(data, {row.agents, row.degree}, table_variants()[0], shared, 1, settings));
  return cause;
}

std::vector<SignalCause> signal_causes(const DataSet& data, ReproduceSettings settings,
                                       const std::function<void()>& advance) {
  settings.progress = nullptr;  // rows count messages, but this bar counts steps
  const OutputHyperparameters tuned = tuned_hyperparameters(data, settings);
  std::vector<SignalCause> causes;
  for (const double signal : signals) {
    SignalCause cause;
    OutputHyperparameters used = tuned;
    if (signal > 0) {
      cause.signal = signal;
      for (Hyperparameters& h : used) h.signal = signal;
    }
    for (const TableCase& network : table_cases(data))
      if (network.degree == 4)
        cause.rows.push_back(run_table_row(data, network, table_variants()[0], used, 1, settings));
    causes.push_back(std::move(cause));
    advance();
  }
  return causes;
}

InputCause input_cause(DiabetesInputs inputs, bool tuned, const ReproduceSettings& settings) {
  const DataSet data = diabetes(inputs);
  const Parties parties = deal(data, 20, settings.seed);
  const OutputHyperparameters by_hand{{.lengthscale = 5, .signal = 150, .noise = 55}};
  const OutputHyperparameters shared = tuned ? tuned_hyperparameters(data, settings) : by_hand;
  const Prediction fused = plain_gpr(parties, shared, settings).fused;
  const double mean = fused.mean.mean();
  return {inputs == DiabetesInputs::unit_norm ? "as in the paper, near 0.05" : "standardised, near 1",
          tuned ? "tuned" : "by hand",
          shared[0],
          test_error(fused, parties),
          constant_error(parties),
          std::sqrt((fused.mean.array() - mean).square().mean())};
}

bool has_signals(const DataSet& data) { return data.name == "SARCOS"; }

// The steps of the progress bar: each noise with and without it in V_i, the signals, and four cases of
// inputs.
std::size_t steps_of(const std::vector<DataSet>& data) {
  std::size_t steps = 4;
  for (const DataSet& set : data)
    steps += 2 * std::size(noises) + (has_signals(set) ? std::size(signals) : 0);
  return steps;
}

}  // namespace

double RateCause::ratio() const { return std::pow(lambda_40 / lambda_20, 100); }

Causes reproduce_causes(const std::vector<DataSet>& data, const ReproduceSettings& settings) {
  if (settings.progress) settings.progress->begin("causes", steps_of(data));
  const auto advance = [&] {
    if (settings.progress) ++settings.progress->done;
  };
  Causes causes;
  causes.rates = rates(settings.seed);
  for (const DataSet& set : data)
    for (const double noise : noises)
      for (const bool noise_in_variance : {false, true}) {
        causes.variances.push_back(variance_cause(set, noise, noise_in_variance, settings));
        advance();
      }
  for (const DataSet& set : data)
    if (has_signals(set)) causes.signals = signal_causes(set, settings, advance);
  for (const bool tuned : {true, false})
    for (const DiabetesInputs inputs : {DiabetesInputs::unit_norm, DiabetesInputs::standardised}) {
      causes.inputs.push_back(input_cause(inputs, tuned, settings));
      advance();
    }
  return causes;
}

}  // namespace tacit
