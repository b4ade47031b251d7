#include "tacit/simulation/consortium_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/consortium/fitted_experts.hpp"
#include "tacit/consortium/place_landmarks.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/gp/blas_threads.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/simulation/data_terms.hpp"
#include "tacit/simulation/simulator.hpp"

namespace tacit {
namespace {

void check(const std::vector<Samples>& parties) {
  if (parties.size() < 2)
    throw InputError("a consortium needs at least two parties; use fit(inputs, outputs, …)");
  for (std::size_t i = 0; i < parties.size(); ++i) {
    check_training_rows(parties[i].inputs, parties[i].outputs);
    if (parties[i].inputs.cols() != parties[0].inputs.cols() ||
        parties[i].outputs.cols() != parties[0].outputs.cols())
      throw InputError(
          fmt::format("party {} has {} inputs and {} outputs, party 0 {} and {}; all need the same", i,
                      parties[i].inputs.cols(), parties[i].outputs.cols(), parties[0].inputs.cols(),
                      parties[0].outputs.cols()));
  }
}

Terms terms_of(const std::vector<Samples>& parties, const Kernel& kernel,
               const ConsortiumFitOptions& options) {
  Terms terms;
  terms.graph = HelpedGraph(complete_graph(parties.size()));
  terms.inputs = input_columns(parties, {});
  terms.targets = target_columns(parties);
  terms.model.start = usual_prior(kernel, standard_scale(terms.inputs.size()));
  terms.model.fusion = options.fusion;
  terms.model.committee = options.committee;
  terms.model.standardise = true;
  terms.model.landmarks.count = options.landmarks;
  terms.model.landmarks.seed = options.seed;
  terms.model.landmarks.above_ceiling = true;  // whoever has all rows need not ask
  ExactTuneOptions& search = terms.tuning.search.emplace();
  search.box_low = options.box_low;
  search.box_high = options.box_high;
  search.restarts = options.restarts;
  search.seed = options.seed;
  search.shared = options.shared;
  search.limits = options.limits;
  terms.limits.rows = most_rows(parties);
  return terms;
}

unsigned threads_of(const ConsortiumFitOptions& options) {
  return options.threads ? options.threads : default_threads();
}

Simulator simulator_for(const Terms& terms, const ConsortiumFitOptions& options) {
  return Simulator(terms.graph, {.threads = threads_of(options),
                                 .seed = options.seed,
                                 .network = {},
                                 .coalition = {},
                                 .progress = nullptr});
}

std::vector<std::string> at_bound(const Priors& priors, const ConsortiumFitOptions& options) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < (options.shared ? 1 : priors.size()); ++k) {
    const std::vector<double> logs = priors[k].logarithms();
    for (std::size_t j = 0; j < logs.size(); ++j)
      if (logs[j] < std::log(options.box_low) + 1e-6 || logs[j] > std::log(options.box_high) - 1e-6)
        names.push_back(priors[k].names()[j]);
  }
  return names;
}

}  // namespace

struct ConsortiumModel::State {
  ConsortiumFitOptions options;
  std::vector<Samples> parties;
  Terms terms;
  Fitted fitted;
  ConsortiumReport report;
};

const Priors& ConsortiumModel::priors() const { return state_->fitted.priors; }
const Standardisation& ConsortiumModel::standardisation() const { return *state_->fitted.standardisation; }
const ConsortiumReport& ConsortiumModel::report() const { return state_->report; }

ConsortiumModel fit(const std::vector<Samples>& parties, const Kernel& kernel,
                    const ConsortiumFitOptions& options) {
  check(parties);
  const BlasThreads one_each(1);  // parties are computed side by side
  const Terms terms = terms_of(parties, kernel, options);
  check_model(terms);
  check_landmarks(terms);
  Simulator simulator = simulator_for(terms, options);
  const Fit found =
      simulator.run<Fit>([&](Channel& net) { return fit(net, terms, {}, parties[net.self()]); })[0];
  ConsortiumReport report;
  report.log_marginal_likelihood = found.fitted.likelihood;
  report.evaluations = found.fitted.evaluations;
  report.converged = found.search->end == EndOf::value_settled || found.search->end == EndOf::point_settled;
  report.reason = to_string(found.search->end);
  report.at_bound = at_bound(found.fitted.priors, options);
  for (const Trial& trial : found.search->trials) report.trace.push_back(trial.likelihood);
  for (const Samples& party : parties)
    report.experts += expert_count(static_cast<std::size_t>(party.inputs.rows()), options.committee);
  if (found.fitted.pooled) report.landmarks = static_cast<std::size_t>(found.fitted.pooled->landmarks.rows());
  report.opened = found.opened;
  return ConsortiumModel(std::make_shared<const ConsortiumModel::State>(
      ConsortiumModel::State{options, parties, terms, found.fitted, std::move(report)}));
}

void ConsortiumModel::check(const Matrix& points) const {
  const Index inputs = state_->parties[0].inputs.cols();
  if (points.cols() != inputs)
    throw InputError(fmt::format(
        "points have {} columns, but the parties' inputs have {}; give the same columns in the same order",
        points.cols(), inputs));
  check_finite("points", points);
}

ConsortiumPosterior ConsortiumModel::predict_at_home(std::size_t party, const Matrix& points) const {
  check(points);
  if (party >= state_->parties.size())
    throw InputError(fmt::format("there is no party {}; the last is {}", party, state_->parties.size() - 1));
  const BlasThreads one_each(1);  // as in predict
  return FittedExperts(state_->terms, state_->fitted, state_->parties[party], threads_of(state_->options))
      .at_home(points);
}

ConsortiumPosterior ConsortiumModel::predict(const Matrix& points) const {
  check(points);
  const std::vector<Samples>& parties = state_->parties;
  const Fitted& fitted = state_->fitted;
  const BlasThreads one_each(1);
  Terms terms = state_->terms;
  terms.inputs = input_columns(parties, points);
  std::vector<LocalEvidence> said(parties.size());
  parallel_for(threads_of(state_->options), parties.size(),
               [&](std::size_t i) { said[i] = FittedExperts(terms, fitted, parties[i]).evidence(points); });
  Simulator simulator = simulator_for(terms, state_->options);
  return simulator.run<ConsortiumPosterior>(
      [&](Channel& net) { return tacit::predict(net, terms, {}, fitted, said[net.self()]); })[0];
}

}  // namespace tacit
