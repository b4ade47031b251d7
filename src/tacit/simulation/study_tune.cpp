// A study's tuning: as the paper has it, or over a secure sum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/protocol/consensus.hpp"
#include "tacit/simulation/study_run.hpp"

namespace tacit {
namespace {

// Θ_i(0) for every agent.
std::vector<Priors> starts(const StudyOptions& options, std::size_t agents, std::size_t outputs,
                           std::size_t inputs) {
  std::vector<Priors> all(agents, Priors(outputs, checked_prior(options.prior, static_cast<Index>(inputs))));
  if (!options.tune_start) return all;
  const auto [low, high] = *options.tune_start;
  std::mt19937_64 generator(
      options.seed);  // public numbers; the draw below is the same with every standard library
  auto draw = [&, low = low, high = high] {
    return low + (high - low) * static_cast<double>(generator() >> 11) * 0x1p-53;
  };
  for (auto& agent : all)
    for (Prior& prior : agent) {
      const double lengthscale = draw(), signal = draw();
      prior = Hyperparameters{lengthscale, signal, prior.noise};
    }
  return all;
}

double total_likelihood(const StudyRun& run) {
  std::vector<double> parts(run.agents.size());
  parallel_for(run.threads, parts.size(),
               [&](std::size_t i) { parts[i] = run.local[i].likelihood(run.report.priors[i]).value; });
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

OutputHyperparameters hyperparameters_of(const Priors& priors) {
  OutputHyperparameters all;
  for (const Prior& prior : priors) all.push_back(tacit::hyperparameters_of(prior));
  return all;
}

void check_start(const TuneOptions& tune, const std::vector<Priors>& start) {
  for (const Priors& agent : start)
    for (const Hyperparameters& h : hyperparameters_of(agent))
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

void check_paper(StudyRun& run) {
  const TuneOptions& tune = *run.options.tune;
  check(tune);
  if (!(run.options.tune_lz > 0 && run.options.tune_lz < tune.box_low))
    throw InputError(fmt::format(
        "the tuning's L_z (--tune-lz) must be positive and below the box's low end {:g}, not {:g}",
        tune.box_low, run.options.tune_lz));
  PlanRequest request = run.options.plan;
  request.modulus_bits.reset();  // what was asked for is for the prediction
  request.lz = run.options.tune_lz;
  run.report.tuning.emplace();
  run.report.tuning->plan = make_tuning_plan(run.graph, tune, run.parties.targets.size(), request);
  check_start(tune, run.report.priors);
}

Task<TuneTrace> only_help_tuning(Channel& net, const ConsensusPlan& plan, std::size_t runs) {
  co_await help(net, plan, runs);
  co_return TuneTrace{};
}

void tune_as_the_paper(StudyRun& run) {
  Tuning& tuning = *run.report.tuning;
  const TuneOptions& tune = *run.options.tune;
  tuning.likelihood_before = total_likelihood(run);
  const std::uint64_t keys = key_traffic(run.graph, tuning.plan).messages;  // sent in the first step only
  const std::uint64_t others = planned_traffic(run.graph, tuning.plan).messages - keys;
  run.progress.begin("tuning", (run.keys_sent ? 0 : keys) + others * tune.iterations);
  run.keys_sent = true;
  tuning.traces = run.simulator.run<TuneTrace>([&](Channel& net) {
    return net.neighbourhood().helps() ? only_help_tuning(net, tuning.plan, tune.iterations)
                                       : tune_privately(net, tuning.plan, tune, run.agents[net.self()],
                                                        hyperparameters_of(run.report.priors[net.self()]));
  });
  tuning.traces.resize(run.agents.size());
  for (std::size_t i = 0; i < run.agents.size(); ++i)
    run.report.priors[i] = priors_of(tuning.traces[i].back());
  tuning.spread = final_spread(tuning.traces);
  tuning.likelihood_after = total_likelihood(run);
}

std::string trial_text(const ExactTuning& tuning) {
  const Trial& last = tuning.trials.back();
  const Prior& prior = last.priors[0];
  std::string numbers;
  const std::vector<double> logs = prior.logarithms();
  for (std::size_t k = 0; k < std::min<std::size_t>(3, logs.size() - 1); ++k)
    numbers += fmt::format(", {} = {:.4g}", prior.names()[k], std::exp(logs[k]));
  return fmt::format("evaluation {}: Σh = {:.4f}{}, noise = {:.4g}", tuning.trials.size(), last.likelihood,
                     numbers, prior.noise);
}

void tune_over_sums(StudyRun& run) {
  run.progress.begin("tuning", 0);
  run.keys_sent = true;
  const TuneFacts facts{run.parties.targets.size(), run.facts.rows, run.facts.output_max,
                        run.parties.inputs.size(), run.input_max};
  const ExactTuneOptions& tune = *run.options.tune_exact;
  auto found = run.simulator.run<ExactTuning>([&](Channel& net) {
    return tune_exactly(net, *run.sums, facts, tune, run.local[net.self()], run.report.priors[net.self()],
                        [&](const ExactTuning& so_far) { run.progress.note(trial_text(so_far)); });
  });
  for (std::size_t i = 0; i < run.agents.size(); ++i) run.report.priors[i] = found[i].best.priors;
  run.report.exact_tuning = std::move(found[tune.originator]);
}

}  // namespace

void check_tuning(StudyRun& run) {
  const StudyOptions& options = run.options;
  run.report.priors =
      starts(options, run.agents.size(), run.parties.targets.size(), run.parties.inputs.size());
  if (options.tune && options.protocol == SumProtocol::exact)
    throw InputError(
        "--tune paper mixes estimates by consensus, so it does not go with --protocol exact; use --tune "
        "exact");
  if (options.tune) check_paper(run);
  if (!options.tune_exact) return;
  if (run.graph.helpers() > 0)
    throw InputError(
        "--tune exact does not go with --helpers: the sums depend on trials that helpers do not see");
  check(*options.tune_exact, run.report.priors[0]);
}

void tune_together(StudyRun& run) {
  const Stopwatch watch;
  if (run.options.tune) tune_as_the_paper(run);
  if (run.options.tune_exact) tune_over_sums(run);
  run.report.tuning_seconds = watch.seconds();
}

}  // namespace tacit
