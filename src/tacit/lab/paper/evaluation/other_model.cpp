#include "tacit/lab/paper/evaluation/other_model.hpp"

#include <chrono>

#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/lab/study/data_terms.hpp"

namespace tacit {
namespace {

Terms terms_of(const Parties& parties, const Graph& graph, const OtherModel& model) {
  Terms terms;
  terms.graph = graph;
  terms.inputs = input_columns(parties.agents, parties.test.inputs);
  for (const std::string& target : parties.columns.targets)
    terms.targets.push_back({target, -parties.target_range.most(), parties.target_range.most(), {}});
  terms.model.fusion = Fusion::rbcm;
  terms.model.landmarks.count = model.landmarks;
  terms.tuning.search.emplace().shared = false;  // each output has its own A
  terms.limits.rows = parties.most_rows();
  return terms;
}

// One agent's side of a fit that uses the paper's Θ instead of a search.
Task<Fitted> fit_landmarks(Run& net, const SecureSum& sums, const Terms& terms, const Priors& priors,
                           const Samples& mine) {
  Fitted fitted;
  fitted.priors = priors;
  PlacedLandmarks placed =
      co_await place_landmarks(net, sums, terms, fitted, *crew_of(mine, terms.model.committee));
  if (placed.points.rows() == 0) co_return fitted;
  const PooledFacts facts = pooled_facts(terms, fitted, static_cast<std::size_t>(placed.points.rows()));
  const LocalExperts experts(mine, terms.model.committee);
  const std::vector<LandmarkSums> own = experts.landmark_sums(priors, placed.points);
  std::vector<PooledTotals> totals = co_await pool_privately(net, sums, facts, own);
  fitted.pooled =
      std::make_shared<const Pooled>(placed.rows, std::move(placed.points), std::move(totals), priors);
  co_return fitted;
}

}  // namespace

OtherModelRun run_other_model(const Parties& parties, const Graph& graph, const OtherModel& model,
                              const OutputHyperparameters& shared, const SimulatorOptions& options) {
  using Clock = std::chrono::steady_clock;
  const BlasThreads one_each(1);
  const Terms terms = terms_of(parties, graph, model);
  const Priors priors = priors_of(shared);
  const std::size_t agents = parties.agents.size();
  Simulator simulator(terms.graph, options);
  Fitted fitted;
  fitted.priors = priors;
  const auto sums = make_sums(terms, {});
  if (terms.model.landmarks.any())
    fitted = simulator.run<Fitted>(
        [&](Run& net) { return fit_landmarks(net, *sums, terms, priors, parties.agents[net.self()]); })[0];

  OtherModelRun run;
  run.landmarks = fitted.pooled ? static_cast<std::size_t>(fitted.pooled->landmarks.rows()) : 0;
  run.seconds.resize(agents);
  std::vector<LocalEvidence> evidence(agents);
  std::vector<double> errors(agents);
  parallel_for(options.threads, agents, [&](std::size_t i) {
    const auto start = Clock::now();
    const FittedExperts experts(terms, fitted, parties.agents[i]);
    Prediction home;
    if (model.at_home)
      home = experts.at_home(parties.test.inputs);
    else
      evidence[i] = experts.evidence(parties.test.inputs);
    run.seconds[i] = std::chrono::duration<double>(Clock::now() - start).count();
    if (model.at_home) errors[i] = test_error(home, parties);
  });
  if (!model.at_home) {
    const auto its = make_prediction_sums(terms, {});
    const auto answers = simulator.run<Prediction>(
        [&](Run& net) { return predict(net, *its, terms, fitted, evidence[net.self()]); });
    for (std::size_t i = 0; i < agents; ++i) errors[i] = test_error(answers[i], parties);
  }
  for (double error : errors) run.test_error += error / static_cast<double>(agents);
  run.cost = simulator.cost();
  return run;
}

}  // namespace tacit
