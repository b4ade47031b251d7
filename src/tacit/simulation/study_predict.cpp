// A study's predictions: each agent's alone, and all of them together by Protocol 2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/gp/kernel/bounds.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/simulation/study_run.hpp"

namespace tacit {

std::vector<Fusion> rules_of(const StudyRun& run) {
  std::vector<Fusion> rules{run.options.fusion};
  if (run.parties.test_targets_known)
    for (Fusion rule : all_fusions)
      if (rule != run.options.fusion) rules.push_back(rule);
  return rules;
}

PredictionSum prediction_sum(const StudyRun& run) {
  const PublicBounds& bounds = run.report.bounds;
  const double unit = run.options.protocol == SumProtocol::exact ? usual_unit(bounds) : usual_lz(bounds);
  return {run.options.fusion,
          {bounds.value / static_cast<double>(run.agents.size()), run.options.plan.lz.value_or(unit)},
          bounds.count_unit};
}

SumShape prediction_shape(const StudyRun& run, std::size_t points) {
  return {prediction_dimension(points, run.parties.targets.size(), run.options.fusion),
          prediction_sum(run).range};
}

std::unique_ptr<SecureSum> prediction_sums(const StudyRun& run) {
  return make_sums(run.graph, run.options, run.options.plan);
}

std::unique_ptr<SecureSum> make_sums(const HelpedGraph& graph, const StudyOptions& options,
                                     const PlanRequest& request) {
  if (options.protocol == SumProtocol::consensus) return std::make_unique<ConsensusSum>(graph, request);
  check_connected(graph.agents);
  if (request.lz && !(*request.lz > 0 && std::isfinite(*request.lz)))
    throw InputError(fmt::format(
        "the unit of values, L_z (--lz), must be a positive number, not {}; leave it out to have it planned",
        *request.lz));
  ExactRequest exact;
  exact.agents = graph.agents.agents();
  exact.collusion = options.collusion;
  return std::make_unique<ExactSecureSum>(exact);
}

void make_experts(StudyRun& run) {
  run.local.reserve(run.agents.size());
  for (const Samples& agent : run.agents) {
    run.local.emplace_back(agent, run.options.committee);
    run.report.experts += run.local.back().experts();
  }
}

void plan_for_priors(StudyRun& run) {
  PublicFacts& facts = run.facts;
  facts.experts = expert_count(facts.rows, run.options.committee);
  facts.expert_rows = run.options.committee.expert_rows;
  facts.noise = facts.prior_low = INFINITY;
  facts.prior_high = 0;
  for (const Prior& prior : run.report.priors[0]) {
    const KernelBounds bounds = kernel_bounds(prior.kernel, run.agents[0].inputs.cols(), run.input_max);
    facts.prior_low = std::min(facts.prior_low, bounds.low);
    facts.prior_high = std::max(facts.prior_high, bounds.high);
    facts.noise = std::min(facts.noise, prior.noise);
  }
  if (run.options.tune) {  // estimates differ between agents, so what counts is where they can lie
    facts.prior_low = run.options.tune->box_low * run.options.tune->box_low;
    facts.prior_high = run.options.tune->box_high * run.options.tune->box_high;
  }
}

std::vector<LocalEvidence> predict_all_alone(StudyRun& run) {
  const Stopwatch watch;
  const std::size_t agents = run.agents.size();
  const std::vector<Fusion> rules = rules_of(run);
  run.progress.begin("local models", agents);
  std::vector<LocalEvidence> results(agents);
  parallel_for(run.threads, agents, [&](std::size_t i) {
    results[i] =
        run.local[i].evidence(run.standard_points(i, run.parties.test.inputs), run.report.priors[i], rules);
    ++run.progress.done;
  });
  run.report.local_seconds = watch.seconds();
  for (const LocalEvidence& one : results) {
    run.report.clamped += one.clamped;
    run.report.jitter = std::max(run.report.jitter, one.jitter);
  }
  return results;
}

void predict_together(StudyRun& run, const std::vector<LocalEvidence>& alone) {
  const SumShape shape = prediction_shape(run, static_cast<std::size_t>(run.parties.test.inputs.rows()));
  const PredictionSum sum = prediction_sum(run);
  const auto sums = prediction_sums(run);
  const SecureSum& secure_sum = *sums;
  const double before = run.simulator.cost().computing_seconds;
  run.report.predictions = run_together<Prediction>(run, "protocol", secure_sum, {shape}, [&](Channel& net) {
    const LocalEvidence& mine = alone[net.self()];
    return predict_privately(net, secure_sum, sum, mine.by_rule[0], mine.prior);
  });
  run.report.protocol_seconds = run.simulator.cost().computing_seconds - before;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    run.report.unconverged += unconverged(run.report.predictions[i]);
    run.report.predictions[i] = run.original(i, run.report.predictions[i]);
  }
}

}  // namespace tacit
