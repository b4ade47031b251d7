#include "tacit/simulation/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/gp/blas_threads.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/simulation/study_run.hpp"

namespace tacit {

namespace {

// The prediction's numbers from what is public; refuses what cannot be used.
void plan_prediction(StudyRun& run) {
  StudyReport& report = run.report;
  report.bounds = public_bounds(run.facts);
  const auto points = static_cast<std::size_t>(run.parties.test.inputs.rows());
  const SumShape shape = prediction_shape(run, points);
  const auto sums = prediction_sums(run);
  double error = 0, error_at_t = 0;
  if (const auto* exact = dynamic_cast<const ExactSecureSum*>(sums.get())) {
    report.exact_plan = exact->plan(shape);
    report.privacy = exact_privacy(*report.exact_plan, run.graph.agents);
    error = error_at_t = report.exact_plan->error();
  } else {
    report.plan = dynamic_cast<const ConsensusSum&>(*sums).plan(shape);
    error = report.plan.quantiser_error();
    error_at_t = report.plan.error();
  }
  const double variance = report.bounds.variance_high;
  if (!precision_suffices(error, variance))
    throw InputError(fmt::format("L_z = {:g} is too coarse for (xi): it must be below {:g} (--lz)",
                                 shape.range.unit, shape.range.unit / error / variance));
  // gPoE multiplies 1/P by the number of experts.
  const double tempered = run.options.fusion == Fusion::gpoe ? report.bounds.experts : 1;
  report.gamma = tempered * gamma_bound(error_at_t, variance);
  report.beta = beta_bound(error_at_t, variance, report.bounds.mean / variance);
}

// The request for sums other than predictions, whose numbers nobody asks for.
PlanRequest own_sums(PlanRequest request) {
  request.lz.reset();
  request.iterations.reset();
  request.modulus_bits.reset();
  return request;
}

// σ_ε² in the data's units, as agent 0 has it.
Vector noise_variance(const StudyRun& run) {
  Prediction noise{Matrix::Zero(1, static_cast<Index>(run.parties.targets.size())), {}};
  noise.variance = noise.mean;
  for (std::size_t k = 0; k < run.parties.targets.size(); ++k)
    noise.variance(0, static_cast<Index>(k)) = std::pow(run.report.priors[0][k].noise, 2);
  return run.original(0, noise).variance.row(0).transpose();
}

// Public ranges stand in a deployment's charter. Here they are those of the data.
double largest_input(const Parties& parties) {
  double most = parties.test.inputs.size() ? parties.test.inputs.cwiseAbs().maxCoeff() : 0;
  for (const Samples& agent : parties.agents)
    if (agent.inputs.size()) most = std::max(most, agent.inputs.cwiseAbs().maxCoeff());
  return most;
}

}  // namespace

StudyReport run_study(const Parties& parties, const StudyOptions& options, Progress* shown) {
  Progress unseen;
  Progress& progress = shown ? *shown : unseen;
  const unsigned threads = options.threads ? options.threads : default_threads();
  const BlasThreads one_each(1);  // agents are computed side by side, and alike whatever the thread count
  const HelpedGraph graph =
      with_helpers(parse_topology(options.topology, parties.agents.size(), options.seed), options.helpers);

  StudyRun run{.parties = parties,
               .options = options,
               .graph = graph,
               .threads = threads,
               .progress = progress,
               .simulator = Simulator(graph, {.threads = threads,
                                              .seed = options.seed,
                                              .network = options.network,
                                              .coalition = {},
                                              .progress = &progress}),
               .sums = make_sums(graph, options, own_sums(options.plan)),
               .agents = parties.agents,
               .held_out = {},
               .standardisations = {},
               .output_max_unseen = parties.y_max,
               .input_max = largest_input(parties),
               .local = {},
               .facts = {.agents = graph.agents.agents(),
                         .rows = parties.most_rows(),
                         .output_max = parties.y_max,
                         .fusion = options.fusion},
               .report = {}};
  run.report.edges = graph.agents.edges();
  run.report.mask_edges = graph.everybody.edges() - run.report.edges;
  Hardening protection = options.plan.hardening;
  if (options.tune) protection.blinding = 0;  // the steps of that tuning are not blinded, and show as much
  if (options.protocol == SumProtocol::consensus) run.report.privacy = consensus_privacy(graph, protection);
  if (options.protocol == SumProtocol::exact && options.helpers > 0)
    throw InputError("--helpers make masks of the consensus; protocol exact needs none");

  if (options.holdout) hold_out_rows(run);
  check_tuning(run);
  if (options.standardise) standardise_together(run);
  make_experts(run);
  plan_for_priors(run);
  if (!options.tune_exact) plan_prediction(run);  // before anything long starts, as it may refuse
  tune_together(run);
  if (options.tune_exact) {  // for the priors found
    plan_for_priors(run);
    plan_prediction(run);
  }
  run.report.noise_variance = noise_variance(run);

  const std::vector<LocalEvidence> alone = predict_all_alone(run);
  predict_together(run, alone);
  if (options.holdout) score_held_out(run);
  run.report.cost = run.simulator.cost();
  compare_with_plain(run, alone);
  if (parties.test_targets_known) run.report.accuracy = accuracy(run, alone);
  return std::move(run.report);
}

}  // namespace tacit
