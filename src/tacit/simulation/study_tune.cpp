// A study's tuning: as the paper has it, or over a secure sum.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/protocol/consensus.hpp"
#include "tacit/simulation/study_run.hpp"

namespace tacit {
namespace {

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

double total_likelihood(const StudyRun& run) {
  std::vector<double> parts(run.agents.size());
  parallel_for(run.threads, parts.size(), [&](std::size_t i) {
    parts[i] = local_likelihood(run.agents[i], run.report.hyperparameters[i]);
  });
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
  run.report.tuning->plan = make_tuning_plan(run.graph, tune, run.consortium.targets.size(), request);
  check_start(tune, run.report.hyperparameters);
  run.facts.signal_low = tune.box_low;
  run.facts.signal_high = tune.box_high;
}

Task<TuneTrace> only_help_tuning(Channel& net, const ConsensusPlan& plan, std::size_t runs) {
  co_await help(net, plan, runs);
  co_return TuneTrace{};
}

void tune_as_the_paper(StudyRun& run) {
  Tuning& tuning = *run.report.tuning;
  const TuneOptions& tune = *run.options.tune;
  auto& hyperparameters = run.report.hyperparameters;
  tuning.likelihood_before = total_likelihood(run);
  const std::uint64_t keys = key_traffic(run.graph, tuning.plan).messages;  // sent in the first step only
  const std::uint64_t others = planned_traffic(run.graph, tuning.plan).messages - keys;
  run.progress.begin("tuning", (run.keys_sent ? 0 : keys) + others * tune.iterations);
  run.keys_sent = true;
  tuning.traces = run.simulator.run<TuneTrace>([&](Channel& net) {
    return net.neighbourhood().helps()
               ? only_help_tuning(net, tuning.plan, tune.iterations)
               : tune_privately(net, tuning.plan, tune, run.agents[net.self()], hyperparameters[net.self()]);
  });
  tuning.traces.resize(run.agents.size());
  for (std::size_t i = 0; i < run.agents.size(); ++i) hyperparameters[i] = tuning.traces[i].back();
  tuning.spread = final_spread(tuning.traces);
  tuning.likelihood_after = total_likelihood(run);
}

std::string trial_text(const ExactTuning& tuning) {
  const Trial& last = tuning.trials.back();
  const Hyperparameters& h = last.hyperparameters[0];
  return fmt::format("evaluation {}: Σh = {:.4f}, θ_l = {:.4g}, θ_s = {:.4g}, σ_ε = {:.4g}",
                     tuning.trials.size(), last.likelihood, h.lengthscale, h.signal, h.noise);
}

void tune_over_sums(StudyRun& run) {
  run.progress.begin("tuning", 0);
  run.keys_sent = true;
  const TuneFacts facts{run.consortium.targets.size(), run.facts.rows, run.facts.output_max};
  const ExactTuneOptions& tune = *run.options.tune_exact;
  auto found = run.simulator.run<ExactTuning>([&](Channel& net) {
    return tune_exactly(net, *run.sums, facts, tune, run.agents[net.self()],
                        run.report.hyperparameters[net.self()],
                        [&](const ExactTuning& so_far) { run.progress.note(trial_text(so_far)); });
  });
  for (std::size_t i = 0; i < run.agents.size(); ++i)
    run.report.hyperparameters[i] = found[i].best.hyperparameters;
  run.report.exact_tuning = std::move(found[tune.originator]);
  // Θ is public and the same everywhere, so predictions can be planned for it instead of for the whole box.
  run.facts.signal_low = run.facts.noise = tune.box_high;
  run.facts.signal_high = tune.box_low;
  for (const Hyperparameters& h : run.report.hyperparameters[0]) {
    run.facts.signal_low = std::min(run.facts.signal_low, h.signal);
    run.facts.signal_high = std::max(run.facts.signal_high, h.signal);
    run.facts.noise = std::min(run.facts.noise, h.noise);
  }
}

}  // namespace

void check_tuning(StudyRun& run) {
  const StudyOptions& options = run.options;
  run.report.hyperparameters = starts(options, run.agents.size(), run.consortium.targets.size());
  if (options.tune && options.protocol == SumProtocol::exact)
    throw InputError(
        "--tune paper mixes estimates by consensus, so it does not go with --protocol exact; use --tune "
        "exact");
  if (options.tune) check_paper(run);
  if (!options.tune_exact) return;
  if (run.graph.helpers() > 0)
    throw InputError(
        "--tune exact does not go with --helpers: the sums depend on trials that helpers do not see");
  check(*options.tune_exact, run.report.hyperparameters[0]);
}

void tune_together(StudyRun& run) {
  const Stopwatch watch;
  if (run.options.tune) tune_as_the_paper(run);
  if (run.options.tune_exact) tune_over_sums(run);
  run.report.tuning_seconds = watch.seconds();
}

}  // namespace tacit
