#include "tacit/lab/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/audit/helped_audit.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"
#include "tacit/lab/study/data_terms.hpp"
#include "tacit/lab/study/helper_side.hpp"
#include "tacit/lab/study/parties/row_groups.hpp"
#include "tacit/lab/study/study_run.hpp"
#include "tacit/table/rows/streamed_rows.hpp"

namespace tacit {
namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

std::shared_ptr<const RowReader> rows_of(const std::shared_ptr<const RowReader>& from,
                                         const std::vector<std::size_t>& rows) {
  return some_rows(from, {rows.begin(), rows.end()});
}

void hold_out_rows(StudyRun& run) {
  const double fraction = run.options.holdout->fraction;
  if (!(fraction > 0 && fraction < 1))
    throw InputError(fmt::format(
        "the fraction of rows that an agent holds out (--holdout) must be between 0 and 1, not {}",
        fraction));
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const std::size_t rows = run.rows[i]->rows();
    if (rows < 2)
      throw InputError(
          fmt::format("'{}' has {} row and cannot hold out any; leave out --holdout or this agent",
                      run.parties.names[i], rows));
    const auto [train, held] = hold_out(rows, fraction, run.options.seed + i);
    run.held_out.push_back(samples_of(*rows_of(run.rows[i], held)));
    run.rows[i] = rows_of(run.rows[i], train);
  }
}

// Plans the prediction from public facts. Throws InputError if the plan cannot be used.
void plan_prediction(StudyRun& run, const Fitted& fitted) {
  StudyReport& report = run.report;
  report.bounds = public_bounds(public_facts(run.terms, fitted));
  const auto points = static_cast<std::size_t>(run.parties.test.inputs.rows());
  const SumShape shape = prediction_shape(run.terms, fitted, points);
  const SumPlan plan = make_prediction_sums(run.terms, {})->plan(shape);
  double error = 0, error_at_t = 0;
  if (const auto* exact = std::get_if<ExactPlan>(&plan)) {
    report.exact_plan = *exact;
    error = error_at_t = exact->error();
  } else {
    report.plan = std::get<ConsensusPlan>(plan);
    error = report.plan.quantiser_error();
    error_at_t = report.plan.error();
  }
  const double variance = report.bounds.variance_high;
  // Sums over residuals are relative to the prior variance that landmarks leave, which is less than this.
  const double unit = fitted.pooled ? public_facts(run.terms, fitted).prior_high : 1;
  if (!precision_suffices(error, variance))
    throw InputError(
        fmt::format("L_z = {:g} is too coarse: the precision condition needs it below {:g} (--lz)",
                    shape.range.unit, shape.range.unit / error / variance));
  // gPoE multiplies 1/P by the number of experts.
  const double tempered = run.terms.model.fusion == Fusion::gpoe ? report.bounds.experts : 1;
  report.gamma = unit * tempered * gamma_bound(error_at_t, variance);
  report.beta =
      std::sqrt(unit) * beta_bound(error_at_t, variance, report.bounds.mean / std::sqrt(unit) / variance);
}

void assess_privacy(StudyRun& run) {
  StudyReport& report = run.report;
  if (report.exact_plan) {
    report.privacy = exact_privacy(*report.exact_plan, run.terms.graph);
    return;
  }
  PrivacyQuestion question{report.plan.hardening, report.plan.iterations, report.plan.dimension};
  if (run.options.paper_tuning) question.hardening.blinding = 0;  // the paper's steps are not blinded
  report.privacy = consensus_privacy(run.graph, question);
}

// The largest difference between two agents' shifts or scales of a column, in scales.
double spread(const std::vector<Fit>& fits) {
  const Standardisation& first = *fits[0].fitted.standardisation;
  double most = 0;
  for (Scaling Standardisation::*part : {&Standardisation::inputs, &Standardisation::outputs})
    for (Vector Scaling::*number : {&Scaling::shift, &Scaling::scale}) {
      Vector low = first.*part.*number, high = low;
      for (const Fit& one : fits) {
        low = low.cwiseMin(*one.fitted.standardisation.*part.*number);
        high = high.cwiseMax(*one.fitted.standardisation.*part.*number);
      }
      most = std::max(most, (high - low).cwiseQuotient((first.*part).scale).maxCoeff());
    }
  return most;
}

double final_spread(const std::vector<TuneTrace>& traces) {
  double most = 0;
  for (std::size_t k = 0; k < traces[0].back().size(); ++k)
    for (double Hyperparameters::*part : {&Hyperparameters::lengthscale, &Hyperparameters::signal}) {
      double low = traces[0].back()[k].*part, high = low;
      for (const TuneTrace& trace : traces) {
        low = std::min(low, trace.back()[k].*part);
        high = std::max(high, trace.back()[k].*part);
      }
      most = std::max(most, high - low);
    }
  return most;
}

// Σ_i h_i, each at the agent's own first or last estimate.
double total_likelihood(const StudyRun& run, const std::vector<TuneTrace>& traces, bool last) {
  std::vector<double> parts(run.crews.size());
  parallel_for(run.threads, parts.size(), [&](std::size_t i) {
    parts[i] = LocalExperts(run.models[i].standard(run.crews[i]))
                   .likelihood(priors_of(last ? traces[i].back() : traces[i].front()))
                   .value;
  });
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

void report_paper_tuning(StudyRun& run) {
  Tuning& tuning = run.report.tuning.emplace();
  tuning.plan = paper_tuning_plan(run.terms, *run.options.paper_tuning);
  tuning.traces = run.traces;
  tuning.spread = final_spread(tuning.traces);
  tuning.likelihood_before = total_likelihood(run, tuning.traces, false);
  tuning.likelihood_after = total_likelihood(run, tuning.traces, true);
}

}  // namespace

std::string trial_words(const ExactTuning& tuning) {
  const Trial& last = tuning.trials.back();
  const Prior& prior = last.priors[0];
  std::string numbers;
  const std::vector<double> logs = prior.logarithms();
  for (std::size_t k = 0; k < std::min<std::size_t>(3, logs.size() - 1); ++k)
    numbers += fmt::format(", {} = {:.4g}", prior.names()[k], std::exp(logs[k]));
  return fmt::format("evaluation {}: Σh = {:.4f}{}, noise = {:.4g}", tuning.trials.size(), last.likelihood,
                     numbers, prior.noise);
}

namespace {

// All protocols of the agents, in the simulator.
class Rehearsal {
 public:
  explicit Rehearsal(StudyRun& run)
      : run_(run),
        simulator_(run.graph, {.threads = run.threads,
                               .seed = run.options.seed,
                               .network = run.options.network,
                               .coalition = {},
                               .progress = &run.progress}) {}

  SimulationCost cost() const { return simulator_.cost(); }
  std::vector<LinkTraffic> traffic() const { return simulator_.traffic(); }

  std::vector<Fit> fit() {
    const Stopwatch watch;
    double before_tuning = 0, before_pooling = 0;
    FitWatch observer;
    observer.stage = [&](FitStage stage) {
      if (stage == FitStage::standardising) return begin("standardising", standardising());
      if (stage == FitStage::landmarks) return begin("landmarks", 0);
      if (stage == FitStage::pooling) {
        before_pooling = watch.seconds();
        return begin("pooling", 0);
      }
      before_tuning = watch.seconds();
      begin("tuning", tuning());
    };
    observer.trial = [&](const ExactTuning& so_far) { run_.progress.note(trial_words(so_far)); };
    const std::optional<PaperTuning>& paper = run_.options.paper_tuning;
    std::vector<Samples> whole;  // the paper's tuning needs all rows at once
    if (paper)
      for (const auto& rows : run_.rows) whole.push_back(samples_of(*rows));
    run_.traces.resize(whole.size());
    auto fits = together<Fit>(
        [&](Channel& net) {
          const AgentId self = net.self();
          FitWatch its = self == 0 ? observer : FitWatch{};
          return paper ? fit_by_paper(net, run_.terms, *paper, run_.crews[self], whole[self],
                                      run_.traces[self], std::move(its))
                       : tacit::fit(net, run_.terms, {}, run_.crews[self], std::move(its));
        },
        [&](Channel& net) { return help_fit(net, run_.terms, paper ? &*paper : nullptr); });
    const bool tuned = run_.terms.tuning.search || paper;
    const double tuned_after = before_pooling > 0 ? before_pooling : watch.seconds();
    run_.report.standardise_seconds = tuned ? before_tuning : tuned_after;
    run_.report.tuning_seconds = tuned ? tuned_after - before_tuning : 0;
    run_.report.pooling_seconds = before_pooling > 0 ? watch.seconds() - before_pooling : 0;
    return fits;
  }

  std::vector<ConsortiumPosterior> predict(const char* stage, const std::vector<LocalEvidence>& evidence,
                                           std::size_t points) {
    const Fitted& model = run_.models[0];
    const auto sums = make_prediction_sums(run_.terms, {});
    begin(stage, planned(*sums, prediction_shape(run_.terms, model, points)));
    return together<ConsortiumPosterior>(
        [&](Channel& net) {
          return tacit::predict(net, run_.terms, {}, run_.models[net.self()], evidence[net.self()]);
        },
        [&, points](Channel& net) { return help_predict(net, run_.terms, model, points); });
  }

  ConsortiumScore evaluate(const std::vector<ConsortiumPosterior>& predicted) {
    const Fitted& model = run_.models[0];
    begin("scoring", planned(*make_sums(run_.terms, {}), score_sum(score_facts(run_.terms, model))));
    return together<ConsortiumScore>(
        [&](Channel& net) {
          return tacit::evaluate(net, run_.terms, {}, run_.models[net.self()], predicted[net.self()],
                                 run_.held_out[net.self()].outputs);
        },
        [&](Channel& net) { return help_evaluate(net, run_.terms, model); })[0];
  }

 private:
  // Runs the programme at all agents, and `helping` at all helpers. Returns the results of the agents.
  template <class T, class Program, class Help>
  std::vector<T> together(const Program& program, const Help& helping) {
    std::vector<T> results = simulator_.run<T>([&](Channel& net) {
      return net.neighbourhood().helps() ? only_help<T>(helping(net)) : program(net);
    });
    results.resize(run_.crews.size());
    return results;
  }

  template <class T>
  static Task<T> only_help(Task<std::size_t> helping) {
    co_await std::move(helping);
    co_return T{};
  }

  void begin(const char* stage, std::uint64_t messages) {
    run_.progress.begin(stage, messages);
    keys_sent_ = true;
  }

  // The messages of the consensus. Exact sums are not counted, because they take little time.
  std::uint64_t planned(const ConsensusPlan& plan) const {
    const std::uint64_t messages = planned_traffic(run_.graph, plan).messages;
    return keys_sent_ ? messages - key_traffic(run_.terms.graph, plan).messages : messages;
  }
  std::uint64_t planned(const SecureSum& sums, const SumShape& shape) const {
    const SumPlan plan = sums.plan(shape);
    const auto* consensus = std::get_if<ConsensusPlan>(&plan);
    return consensus ? planned(*consensus) : 0;
  }
  std::uint64_t standardising() const {
    std::uint64_t messages = 0;
    const auto sums = make_sums(run_.terms, {});
    for (const SumShape& shape : standardise_sums(column_facts(run_.terms)))
      messages += planned(*sums, shape);
    return messages;
  }
  std::uint64_t tuning() const {  // the length of a search is not known
    const std::optional<PaperTuning>& paper = run_.options.paper_tuning;
    if (!paper) return 0;
    const ConsensusPlan plan = paper_tuning_plan(run_.terms, *paper);
    const std::uint64_t keys = key_traffic(run_.terms.graph, plan).messages;
    const std::uint64_t others = planned_traffic(run_.graph, plan).messages - keys;
    return (keys_sent_ ? 0 : keys) + others * paper->steps.iterations;
  }

  StudyRun& run_;
  Simulator simulator_;
  bool keys_sent_ = false;  // with seeded masks, only the first run sends public keys
};

void report_landmarks(StudyRun& run, const Fit& fit) {
  if (!fit.fitted.pooled) return;
  const Terms& terms = run.terms;
  const Pooled& pooled = *fit.fitted.pooled;
  const std::size_t inputs = terms.inputs.size(), outputs = terms.targets.size();
  LandmarkReport& report = run.report.landmarks.emplace();
  report.landmarks = static_cast<std::size_t>(pooled.landmarks.rows());
  report.ceiling = landmark_ceiling(pooled.rows, inputs, outputs, most_priors(terms));
  const SumShape shape = pooled_sum(pooled_facts(terms, fit.fitted, report.landmarks));
  report.opened = shape.dimension;
  report.opened_all = fit.opened;
  report.held = held_numbers(pooled.rows, inputs, outputs);
  report.plan = std::get<ExactPlan>(make_sums(terms, {})->plan(shape));
}

void store_fits(StudyRun& run, std::vector<Fit> fits) {
  for (const Fit& one : fits) {
    run.models.push_back(fits[0].fitted);
    if (run.options.paper_tuning) run.models.back().priors = one.fitted.priors;
    run.report.priors.push_back(run.models.back().priors);
  }
  if (run.terms.model.standardise) {
    run.report.standardisation = fits[0].fitted.standardisation;
    run.report.standardisation_spread = spread(fits);
  }
  if (run.options.paper_tuning) report_paper_tuning(run);
  report_landmarks(run, fits[0]);
  run.report.exact_tuning = std::move(fits[0].search);
  run.report.noise_variance = run.models[0].noise_variance();
}

// Helpers make masks only for the consensus and for sums that they know in advance.
void check_helpers(const StudyRun& run) {
  if (run.graph.helpers() == 0) return;
  if (run.terms.tuning.search)
    throw InputError(
        "--tune exact cannot be combined with --helpers, because its sums depend on trials that helpers do "
        "not see");
  if (run.terms.protocol.sums != SumProtocol::consensus)
    throw InputError("--helpers applies only to the consensus; protocol exact needs no helpers");
  if (run.terms.model.landmarks.any())
    throw InputError("landmarks cannot be combined with --helpers; use --landmarks 0");
}

void run_local_models(StudyRun& run) {
  const Stopwatch watch;
  const std::size_t agents = run.crews.size();
  const std::vector<Fusion> rules = rules_of(run);
  run.progress.begin("local models", agents);
  run.experts.resize(agents);
  run.evidence.resize(agents);
  run.alone.resize(agents);
  run.report.at_home.resize(agents);
  parallel_for(run.threads, agents, [&](std::size_t i) {
    run.experts[i] = std::make_unique<const FittedExperts>(run.terms, run.models[i], run.crews[i]);
    run.evidence[i] = run.experts[i]->evidence(run.parties.test.inputs, rules);
    run.report.at_home[i] = at_home(run, i, run.evidence[i]);
    if (run.models[i].pooled && run.parties.test_targets_known) {
      Fitted own = run.models[i];
      own.pooled.reset();
      run.alone[i] = at_home(
          run, i, FittedExperts(run.terms, own, run.crews[i]).evidence(run.parties.test.inputs, rules));
    }
    ++run.progress.done;
  });
  run.report.local_seconds = watch.seconds();
  for (std::size_t i = 0; i < agents; ++i) {
    run.report.experts += run.experts[i]->experts();
    run.report.clamped += run.evidence[i].clamped;
    run.report.jitter = std::max(run.report.jitter, run.evidence[i].jitter);
  }
}

void predict_together(StudyRun& run, Rehearsal& rehearsal) {
  const double before = rehearsal.cost().computing_seconds;
  const auto points = static_cast<std::size_t>(run.parties.test.inputs.rows());
  for (ConsortiumPosterior& one : rehearsal.predict("protocol", run.evidence, points)) {
    run.report.unconverged += one.unconverged;
    run.report.predictions.push_back({std::move(one.mean), std::move(one.latent_variance)});
  }
  run.report.protocol_seconds = rehearsal.cost().computing_seconds - before;
}

// The predictions that each agent scores: at its own held-out rows, by its own experts or by the fused model.
std::vector<ConsortiumPosterior> predict_held_out(StudyRun& run, Rehearsal& rehearsal) {
  std::vector<ConsortiumPosterior> predicted;
  if (!run.options.holdout->fused) {
    for (std::size_t i = 0; i < run.experts.size(); ++i)
      predicted.push_back(run.experts[i]->at_home(run.held_out[i].inputs));
    return predicted;
  }
  const Matrix all = pool(run.held_out).inputs;
  std::vector<LocalEvidence> evidence;
  for (const auto& experts : run.experts) evidence.push_back(experts->evidence(all));
  Index first = 0;
  for (ConsortiumPosterior& one :
       rehearsal.predict("held-out rows", evidence, static_cast<std::size_t>(all.rows()))) {
    const Index rows = run.held_out[predicted.size()].inputs.rows();
    const auto part = [&](const Matrix& whole) -> Matrix { return whole.middleRows(first, rows); };
    predicted.push_back({part(one.mean), part(one.latent_variance), part(one.observed_variance)});
    first += rows;
  }
  return predicted;
}

void score_held_out(StudyRun& run, Rehearsal& rehearsal) {
  const Stopwatch watch;
  const std::vector<ConsortiumPosterior> predicted = predict_held_out(run, rehearsal);
  run.report.holdout = rehearsal.evaluate(predicted);
  run.report.holdout_seconds = watch.seconds();
}

}  // namespace

Terms study_terms(const Parties& parties, const StudyOptions& options, const HelpedGraph& graph,
                  std::size_t rows) {
  Terms terms;
  terms.graph = graph.agents;
  terms.inputs = named_input_columns(parties, {});
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
  Progress unseen;
  if (!parties.streamed.empty() && options.paper_tuning)
    throw InputError(
        "the paper's tuning needs all rows of an agent in memory, which --stream avoids; use only one of "
        "them");
  const BlasThreads one_each(
      1);  // agents are computed in parallel, with the same result for any thread count
  HelpedGraph graph =
      with_helpers(parse_topology(options.topology, parties.count(), options.seed), options.helpers);
  StudyRun run{.parties = parties,
               .options = options,
               .threads = options.threads ? options.threads : default_threads(),
               .progress = shown ? *shown : unseen,
               .graph = std::move(graph),
               .terms = {},
               .rows = {},
               .crews = {},
               .held_out = {},
               .models = {},
               .experts = {},
               .evidence = {},
               .alone = {},
               .traces = {},
               .report = {}};
  run.report.edges = run.graph.agents.edges();
  run.report.mask_edges = run.graph.everybody.edges() - run.report.edges;
  for (std::size_t i = 0; i < parties.count(); ++i) run.rows.push_back(parties.rows_of(i));
  if (options.holdout) hold_out_rows(run);
  std::size_t most = most_rows(run.held_out);
  for (const auto& rows : run.rows) most = std::max(most, rows->rows());
  run.crews.resize(run.rows.size());
  parallel_for(run.threads, run.rows.size(), [&](std::size_t i) {
    run.crews[i] =
        parties.crews.empty() ? crew_of_threads(run.rows[i], options.model.committee, 1) : parties.crews[i];
  });
  run.terms = study_terms(parties, options, run.graph, most);
  const std::vector<Column> of_rows = run.terms.inputs;
  const std::vector<Column> of_all = named_input_columns(parties, parties.test.inputs);
  run.terms.inputs = of_all;  // points may be outside the range of the training rows
  check_helpers(run);
  check(run.terms);
  if (options.paper_tuning) check(run.terms, *options.paper_tuning);
  if (!options.tuning.search && !options.model.standardise) {  // refuses unusable plans before the fit
    Fitted start;
    start.priors.assign(parties.targets.size(), options.model.start);
    plan_prediction(run, start);
  }

  run.terms.inputs = of_rows;
  Rehearsal rehearsal(run);
  store_fits(run, rehearsal.fit());
  run.terms.inputs = of_all;
  plan_prediction(run, run.models[0]);
  assess_privacy(run);
  run_local_models(run);
  predict_together(run, rehearsal);
  if (options.holdout) score_held_out(run, rehearsal);
  run.report.cost = rehearsal.cost();
  run.report.traffic = rehearsal.traffic();
  compare_with_plain(run);
  if (parties.test_targets_known) run.report.accuracy = accuracy(run);
  return std::move(run.report);
}

}  // namespace tacit
