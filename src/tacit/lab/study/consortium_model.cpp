#include "tacit/lab/study/consortium_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/consortium/saved_parts.hpp"
#include "tacit/consortium/terms/usual_search.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/data_terms.hpp"
#include "tacit/lab/study/study_run.hpp"

namespace tacit {
namespace {

void check_parties(const std::vector<Samples>& parties) {
  if (parties.size() < 2)
    throw InputError("a consortium needs at least two parties; for one party, use fit(inputs, outputs, …)");
  for (std::size_t i = 0; i < parties.size(); ++i) {
    check_training_rows(parties[i].inputs, parties[i].outputs);
    if (parties[i].inputs.cols() != parties[0].inputs.cols() ||
        parties[i].outputs.cols() != parties[0].outputs.cols())
      throw InputError(fmt::format(
          "party {} has {} inputs and {} outputs, but party 0 has {} and {}; all parties need the same", i,
          parties[i].inputs.cols(), parties[i].outputs.cols(), parties[0].inputs.cols(),
          parties[0].outputs.cols()));
  }
}

double shortest_lengthscale(const Kernel& kernel) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const Kernel::Leaf& leaf : kernel.leaves())
    for (const double lengthscale : leaf.lengthscale) shortest = std::min(shortest, lengthscale);
  return shortest;
}

Terms terms_of(const std::vector<Samples>& parties, const Kernel& kernel,
               const ConsortiumFitOptions& options) {
  Terms terms;
  terms.graph = complete_graph(parties.size());
  terms.inputs = input_columns(parties, {});
  terms.targets = target_columns(parties);
  terms.model.start = initial_prior(kernel, standard_scale(terms.inputs.size()));
  terms.model.fusion = options.fusion;
  terms.model.committee = options.committee;
  terms.model.standardise = true;
  terms.model.landmarks.count = options.landmarks;
  terms.model.landmarks.seed = options.seed;
  terms.model.landmarks.above_ceiling = true;  // no consent is needed, because one process has all rows
  ExactTuneOptions& search = terms.tuning.search.emplace();
  search.box_low = options.box_low;
  search.box_high = options.box_high;
  const Prior& start = terms.model.start;
  search.noise_low = options.noise_floor.value_or(std::min(start.noise, usual_noise_floor(true)));
  search.lengthscale_low = options.lengthscale_floor.value_or(
      usual_lengthscale_floor(terms.inputs.size(), true, shortest_lengthscale(start.kernel)));
  search.restarts = options.restarts;
  search.seed = options.seed;
  search.shared = options.shared;
  search.limits = options.limits;
  terms.limits.rows = most_rows(parties);
  return terms;
}

Simulator simulator_for(const Terms& terms, std::uint64_t seed, unsigned threads) {
  return Simulator(terms.graph,
                   {.threads = threads, .seed = seed, .network = {}, .coalition = {}, .progress = nullptr});
}

std::vector<std::string> at_bound(const Priors& priors, const ExactTuneOptions& search) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < (search.shared ? 1 : priors.size()); ++k) {
    const std::vector<double> logs = priors[k].logarithms();
    const auto box = search_box(search, priors[k]);
    for (std::size_t j = 0; j < logs.size(); ++j)
      if (logs[j] < std::log(box[j].first) + 1e-6 || logs[j] > std::log(box[j].second) - 1e-6)
        names.push_back(priors[k].names()[j]);
  }
  return names;
}

ConsortiumReport report_on(const Fit& found, const Terms& terms, const std::vector<Samples>& parties) {
  ConsortiumReport report;
  report.log_marginal_likelihood = found.fitted.likelihood;
  report.evaluations = found.fitted.evaluations;
  if (found.search) {
    report.converged = found.search->end == EndOf::value_settled || found.search->end == EndOf::point_settled;
    report.reason = to_string(found.search->end);
    report.at_bound = at_bound(found.fitted.priors, *terms.tuning.search);
    for (const Trial& trial : found.search->trials) report.trace.push_back(trial.likelihood);
  }
  for (const Samples& party : parties)
    report.experts += expert_count(static_cast<std::size_t>(party.inputs.rows()), terms.model.committee);
  if (found.fitted.pooled) report.landmarks = static_cast<std::size_t>(found.fitted.pooled->landmarks.rows());
  report.opened = found.opened;
  return report;
}

FitWatch watch_of(Progress* progress) {
  if (!progress) return {};
  FitWatch watch;
  watch.stage = [progress](FitStage stage) {
    progress->begin(stage == FitStage::standardising ? "standardising"
                    : stage == FitStage::landmarks   ? "landmarks"
                    : stage == FitStage::tuning      ? "tuning"
                                                     : "pooling",
                    0);
  };
  watch.trial = [progress](const ExactTuning& so_far) {
    progress->done = so_far.trials.size();
    progress->note(trial_words(so_far));
  };
  return watch;
}

}  // namespace

struct ConsortiumModel::State {
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::vector<Samples> parties;
  Terms terms;
  Fitted fitted;
  ConsortiumReport report;

  static ConsortiumModel make(const std::vector<Samples>& parties, const Terms& terms, std::uint64_t seed,
                              unsigned threads, Progress* progress) {
    check_parties(parties);
    const BlasThreads one_each(1);  // parties are computed in parallel
    check_model(terms);
    check_landmarks(terms);
    Simulator simulator = simulator_for(terms, seed, threads);
    const auto sums = make_sums(terms, {});
    const Fit found = simulator.run<Fit>([&](Run& net) {
      return tacit::fit_privately(net, *sums, terms, 0,
                                  crew_of(parties[net.self()], terms.model.committee, 1),
                                  net.self() == 0 ? watch_of(progress) : FitWatch{});
    })[0];
    return ConsortiumModel(std::make_shared<const State>(
        State{seed, threads, parties, terms, found.fitted, report_on(found, terms, parties)}));
  }
};

const Priors& ConsortiumModel::priors() const { return state_->fitted.priors; }
const std::optional<Standardisation>& ConsortiumModel::standardisation() const {
  return state_->fitted.standardisation;
}
const ConsortiumReport& ConsortiumModel::report() const { return state_->report; }
Vector ConsortiumModel::noise_variance() const { return state_->fitted.noise_variance(); }

ConsortiumModel fit_consortium(const std::vector<Samples>& parties, const Kernel& kernel,
                               const ConsortiumFitOptions& options) {
  check_parties(parties);
  return ConsortiumModel::State::make(parties, terms_of(parties, kernel, options), options.seed,
                                      options.threads ? options.threads : default_threads(), nullptr);
}

ConsortiumModel fit_consortium(const Parties& parties, const StudyOptions& options, Progress* progress) {
  check_parties(parties.agents);
  if (options.protocol.sums != SumProtocol::exact || options.paper_tuning)
    throw InputError(
        "a consortium model needs exact sums, because the consensus leaves each agent with its own model");
  return ConsortiumModel::State::make(
      parties.agents,
      study_terms(parties, options, HelpedGraph(complete_graph(parties.agents.size())),
                  most_rows(parties.agents)),
      options.seed, options.threads ? options.threads : default_threads(), progress);
}

void ConsortiumModel::check(const Matrix& points) const {
  const Index inputs = state_->parties[0].inputs.cols();
  if (points.cols() != inputs)
    throw InputError(fmt::format(
        "points have {} columns, but the parties' inputs have {}; give the same columns in the same order",
        points.cols(), inputs));
  check_finite("points", points);
}

Prediction ConsortiumModel::predict_at_home(std::size_t party, const Matrix& points) const {
  check(points);
  if (party >= state_->parties.size())
    throw InputError(
        fmt::format("there is no party {}; the parties are 0 to {}", party, state_->parties.size() - 1));
  const BlasThreads one_each(1);  // as in predict
  return FittedExperts(state_->terms, state_->fitted, state_->parties[party], state_->threads)
      .at_home(points);
}

Prediction ConsortiumModel::predict(const Matrix& points) const {
  check(points);
  const std::vector<Samples>& parties = state_->parties;
  const Fitted& fitted = state_->fitted;
  const BlasThreads one_each(1);
  Terms terms = state_->terms;
  include(terms.inputs, points);  // points may be outside the range of the training rows
  std::vector<LocalEvidence> evidence(parties.size());
  parallel_for(state_->threads, parties.size(), [&](std::size_t i) {
    evidence[i] = FittedExperts(terms, fitted, parties[i]).evidence(points);
  });
  Simulator simulator = simulator_for(terms, state_->seed, state_->threads);
  const auto sums = make_prediction_sums(terms, {});
  return simulator.run<Prediction>(
      [&](Run& net) { return tacit::predict(net, *sums, terms, fitted, evidence[net.self()]); })[0];
}

namespace {

constexpr SavedKind saved_kind{"tacitcsm", 1, "a saved model of a consortium",
                               "fit and save the model again"};

}  // namespace

std::string ConsortiumModel::to_file() const {
  const auto& [seed, threads, parties, terms, fitted, report] = *state_;
  SavedWriter out;
  out.number(seed);
  out.number<std::uint64_t>(terms.inputs.size());
  for (const Column& column : terms.inputs) {
    out.text(column.name);
    write(out, column.levels);
  }
  out.number<std::uint64_t>(terms.targets.size());
  for (const Column& column : terms.targets) out.text(column.name);
  out.number(static_cast<std::uint32_t>(terms.model.fusion));
  out.number<std::uint32_t>(terms.model.standardise);
  write(out, terms.model.committee);
  write(out, fitted);
  out.number<std::uint64_t>(parties.size());
  for (const Samples& party : parties) write(out, party);
  out.number<std::uint32_t>(report.converged);
  out.text(report.reason);
  write(out, report.at_bound);
  out.matrix(Eigen::Map<const Vector>(report.trace.data(), static_cast<Index>(report.trace.size())));
  out.number<std::uint64_t>(report.opened);
  return out.file(saved_kind);
}

ConsortiumModel ConsortiumModel::from_file(std::string whole) {
  SavedReader in(saved_kind, "the saved model", std::move(whole));
  State state;
  state.threads = default_threads();
  state.seed = in.number<std::uint64_t>();
  Terms& terms = state.terms;
  terms.inputs.resize(in.count(sizeof(std::uint64_t)));
  for (Column& column : terms.inputs) {
    column.name = in.text();
    column.levels = read_texts(in);
  }
  terms.targets.resize(in.count(sizeof(std::uint64_t)));
  for (Column& column : terms.targets) column.name = in.text();
  terms.model.fusion = in.choice<Fusion>(std::size(all_fusions));
  terms.model.standardise = in.choice<std::uint32_t>(2) != 0;
  terms.model.committee = read_committee(in);
  const std::size_t inputs = width(terms.inputs), targets = terms.targets.size();
  if (inputs == 0 || targets == 0) in.damaged();
  state.fitted = read_fitted(in, inputs, targets);
  state.parties.resize(in.count(4 * sizeof(std::uint64_t)));
  for (Samples& party : state.parties) party = read_rows(in, inputs, targets);
  check_parties(state.parties);
  ConsortiumReport& report = state.report;
  report.converged = in.choice<std::uint32_t>(2) != 0;
  report.reason = in.text();
  report.at_bound = read_texts(in);
  const Vector trace = in.vector();
  report.trace.assign(trace.begin(), trace.end());
  report.opened = in.number<std::uint64_t>();
  in.end();
  // The remaining members follow from these.
  terms.graph = complete_graph(state.parties.size());
  terms.limits.rows = most_rows(state.parties);
  const std::vector<Column> outputs = target_columns(state.parties);
  Index at = 0;
  const std::vector<Column> numbers = input_columns(state.parties, {});
  for (Column& column : terms.inputs) {
    if (!column.categorical()) {
      column.low = numbers[static_cast<std::size_t>(at)].low;
      column.high = numbers[static_cast<std::size_t>(at)].high;
    }
    at += column.categorical() ? static_cast<Index>(column.levels.size()) : 1;
  }
  for (std::size_t t = 0; t < targets; ++t) {
    terms.targets[t].low = outputs[t].low;
    terms.targets[t].high = outputs[t].high;
  }
  report.log_marginal_likelihood = state.fitted.likelihood;
  report.evaluations = state.fitted.evaluations;
  for (const Samples& party : state.parties)
    report.experts += expert_count(static_cast<std::size_t>(party.inputs.rows()), terms.model.committee);
  if (state.fitted.pooled) report.landmarks = static_cast<std::size_t>(state.fitted.pooled->landmarks.rows());
  return ConsortiumModel(std::make_shared<const State>(std::move(state)));
}

}  // namespace tacit
