#include "tacit/lab/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"
#include "tacit/lab/study/data_terms.hpp"
#include "tacit/lab/study/parties/row_groups.hpp"
#include "tacit/lab/study/parties/streamed_rows.hpp"
#include "tacit/lab/study/simulated_run.hpp"
#include "tacit/lab/study/stopwatch.hpp"
#include "tacit/lab/study/study_run.hpp"

namespace tacit {
namespace {

std::shared_ptr<const RowReader> rows_of(const std::shared_ptr<const RowReader>& from,
                                         const std::vector<std::size_t>& rows) {
  return some_rows(from, {rows.begin(), rows.end()});
}

void hold_out_rows(StudyRun& run) {
  const double fraction = run.options.holdout->fraction;
  if (!(fraction > 0 && fraction < 1))
    throw InputError(fmt::format(
        "the fraction of rows that an agent holds out (`holdout`) must be between 0 and 1, not {}",
        fraction));
  for (std::size_t i = 0; i < run.agents.size(); ++i) {
    StudyAgent& agent = run.agents[i];
    const std::size_t rows = agent.rows->rows();
    if (rows < 2)
      throw InputError(
          fmt::format("'{}' has {} row and cannot hold out any; leave out `holdout` or this agent",
                      run.parties.names[i], rows));
    const auto [train, held] = hold_out(rows, fraction, run.options.seed + i);
    agent.held_out = samples_of(*rows_of(agent.rows, held));
    agent.rows = rows_of(agent.rows, train);
  }
}

// Helpers make masks only for the consensus and for sums that they know in advance.
void check_helpers(const HelpedGraph& graph, const Terms& terms) {
  if (graph.helpers() == 0) return;
  if (terms.tuning.search)
    throw InputError(
        "`tune=exact` cannot be combined with `helpers`, because its sums depend on trials that helpers do "
        "not see");
  if (terms.protocol.sums != SumProtocol::consensus)
    throw InputError("`helpers` applies only to the consensus; protocol exact needs no helpers");
  if (terms.model.landmarks.any())
    throw InputError("landmarks cannot be combined with `helpers`; use `landmarks=0`");
}

// The agents with their training rows, before a model is fitted.
void take_rows(StudyRun& run) {
  const Parties& parties = run.parties;
  for (std::size_t i = 0; i < parties.count(); ++i)
    run.agents.push_back({.rows = parties.rows_of(i), .crew = nullptr});
  if (run.options.holdout) hold_out_rows(run);
  parallel_for(run.threads, run.agents.size(), [&](std::size_t i) {
    StudyAgent& agent = run.agents[i];
    agent.crew = parties.elsewhere.crews.empty() ? crew_of_threads(agent.rows, run.options.model.committee, 1)
                                                 : parties.elsewhere.crews[i];
  });
}

void settle_terms(StudyRun& run) {
  std::size_t most = 0;
  for (const StudyAgent& agent : run.agents)
    most = std::max({most, agent.rows->rows(), static_cast<std::size_t>(agent.held_out.inputs.rows())});
  run.terms.fit = run.terms.predict = study_terms(run.parties, run.options, run.graph, most);
  include(run.terms.predict.inputs, run.parties.test.inputs);
  check_helpers(run.graph, run.terms.predict);
  check(run.terms.predict);
  if (run.options.paper_tuning) check(run.terms.predict, *run.options.paper_tuning);
  run.sums = {make_sums(run.terms.predict, {}), make_prediction_sums(run.terms.predict, {})};
}

// True if the fit neither changes the start of the model nor adds a pooled part, so that the prediction can
// be planned before the fit.
bool keeps_start(const StudyOptions& options) {
  return !options.tuning.search && !options.paper_tuning && !options.model.standardise &&
         !options.model.landmarks.any();
}

// Refuses unusable plans before the fit.
void plan_before_fit(StudyRun& run) {
  if (run.options.tuning.search || run.options.model.standardise) return;
  Fitted start;
  start.priors.assign(run.parties.columns.targets.size(), run.options.model.start);
  run.report.plan = plan_prediction(run, start);
}

void run_local_models(StudyRun& run) {
  const Stopwatch watch;
  const Terms& terms = run.terms.predict;
  const Matrix& points = run.parties.test.inputs;
  const std::vector<Fusion> rules = rules_of(run);
  run.progress.begin("local models", run.agents.size());
  run.report.predictions.at_home.resize(run.agents.size());
  parallel_for(run.threads, run.agents.size(), [&](std::size_t i) {
    StudyAgent& agent = run.agents[i];
    agent.experts = std::make_unique<const FittedExperts>(terms, agent.model, agent.crew);
    agent.evidence = agent.experts->evidence(points, rules);
    run.report.predictions.at_home[i] = at_home(run, agent, agent.evidence);
    if (agent.model.pooled && run.parties.test.targets_known) {
      Fitted own = agent.model;
      own.pooled.reset();
      agent.alone = at_home(run, agent, FittedExperts(terms, own, agent.crew).evidence(points, rules));
    }
    ++run.progress.done;
  });
  run.report.seconds.local = watch.seconds();
  ModelReport& model = run.report.model;
  for (const StudyAgent& agent : run.agents) {
    model.experts += agent.experts->experts();
    model.clamped += agent.evidence.clamped;
    model.jitter = std::max(model.jitter, agent.evidence.jitter);
  }
}

void predict_together(StudyRun& run, SimulatedRun& simulated) {
  const double before = simulated.cost().computing_seconds;
  const auto evidence = [&](std::size_t i) -> const LocalEvidence& { return run.agents[i].evidence; };
  PredictionReport& report = run.report.predictions;
  report.together = simulated.predict("protocol", run.report.plan.sums, evidence);
  for (const Prediction& one : report.together) report.unconverged += unconverged(one);
  run.report.seconds.protocol = simulated.cost().computing_seconds - before;
}

// The predictions that each agent scores: at its own held-out rows, by its own experts or by the fused model.
std::vector<Prediction> predict_held_out(StudyRun& run, SimulatedRun& simulated) {
  std::vector<Prediction> predicted;
  if (!run.options.holdout->fused) {
    for (const StudyAgent& agent : run.agents)
      predicted.push_back(agent.experts->at_home(agent.held_out.inputs));
    return predicted;
  }
  std::vector<Samples> held_out;
  for (const StudyAgent& agent : run.agents) held_out.push_back(agent.held_out);
  const Matrix all = pool(held_out).inputs;
  std::vector<LocalEvidence> evidence;
  for (const StudyAgent& agent : run.agents) evidence.push_back(agent.experts->evidence(all));
  const SumPlan plan = plan_of_prediction(run, run.agents[0].model, static_cast<std::size_t>(all.rows()));
  Index first = 0;
  for (Prediction& one : simulated.predict(
           "held-out rows", plan, [&](std::size_t i) -> const LocalEvidence& { return evidence[i]; })) {
    const Index rows = held_out[predicted.size()].inputs.rows();
    const auto part = [&](const Matrix& whole) -> Matrix { return whole.middleRows(first, rows); };
    predicted.push_back({part(one.mean), part(one.latent_variance), part(one.observed_variance)});
    first += rows;
  }
  return predicted;
}

void score_held_out(StudyRun& run, SimulatedRun& simulated) {
  const Stopwatch watch;
  run.report.holdout = simulated.evaluate(predict_held_out(run, simulated));
  run.report.seconds.holdout = watch.seconds();
}

}  // namespace

Terms study_terms(const Parties& parties, const StudyOptions& options, const HelpedGraph& graph,
                  std::size_t rows) {
  Terms terms;
  terms.graph = graph.agents;
  terms.inputs = named_input_columns(parties);
  terms.targets = named_target_columns(parties);
  terms.model = options.model;
  terms.tuning = options.tuning;
  if (options.paper_tuning)
    terms.tuning.own_signals = {options.paper_tuning->steps.box_low, options.paper_tuning->steps.box_high};
  terms.protocol = options.protocol;
  if (terms.protocol.sums == SumProtocol::consensus)
    terms.protocol.consensus = request_without_helpers(graph, terms.protocol.consensus);
  terms.limits.rows = rows;
  return terms;
}

StudyReport run_study(const Parties& parties, const StudyOptions& options, Progress* shown) {
  if (!parties.elsewhere.readers.empty() && options.paper_tuning)
    throw InputError(
        "the paper's tuning needs all rows of an agent in memory, which `stream` avoids; use only one of "
        "them");
  const BlasThreads one_each(1);  // agents are computed in parallel, with the same bits for any thread count
  Progress unseen;
  StudyRun run{.parties = parties,
               .options = options,
               .threads = options.threads ? options.threads : default_threads(),
               .progress = shown ? *shown : unseen,
               .graph = with_helpers(options.topology.graph(parties.count(), options.seed), options.helpers),
               .terms = {},
               .sums = {},
               .agents = {},
               .report = {}};
  if (options.protect) check_protected(parties, *options.protect);
  if (options.protect && options.holdout)
    throw InputError(
        "`holdout` opens exact scores, which `protect` would have to count; use only one of them");
  run.report.network.edges = run.graph.agents.edges();
  run.report.network.mask_edges = run.graph.everybody.edges() - run.graph.agents.edges();
  take_rows(run);
  settle_terms(run);
  plan_before_fit(run);

  SimulatedRun simulated(run);
  simulated.fit();
  if (!keeps_start(options)) run.report.plan = plan_prediction(run, run.agents[0].model);
  run.report.privacy = assess_privacy(run);
  run_local_models(run);
  predict_together(run, simulated);
  if (options.holdout) score_held_out(run, simulated);
  run.report.network.cost = simulated.cost();
  run.report.network.traffic = simulated.traffic();
  compare_with_plain(run);
  if (parties.test.targets_known) run.report.accuracy = accuracy(run);
  if (options.protect)
    run.report.protect = run_protected_study(parties, run.graph.agents, *options.protect,
                                             {.threads = run.threads,
                                              .seed = options.seed,
                                              .network = options.network,
                                              .coalition = {},
                                              .progress = nullptr},
                                             run.progress);
  return std::move(run.report);
}

}  // namespace tacit
