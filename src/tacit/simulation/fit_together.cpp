#include "tacit/simulation/fit_together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/gp/blas_threads.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/gp/kernel/bounds.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/regression/public_bounds.hpp"
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

// Ranges that a charter would state: here those of the data.
ColumnFacts facts_of(const std::vector<Samples>& parties) {
  ColumnFacts facts{.agents = parties.size(), .rows = 0, .inputs = {}, .outputs = {}};
  const auto ranges = [&](const Matrix Samples::*part) {
    std::vector<ColumnRange> all;
    for (Index c = 0; c < (parties[0].*part).cols(); ++c) {
      ColumnRange range{INFINITY, -INFINITY};
      for (const Samples& party : parties) {
        range.low = std::min(range.low, (party.*part).col(c).minCoeff());
        range.high = std::max(range.high, (party.*part).col(c).maxCoeff());
      }
      all.push_back(range);
    }
    return all;
  };
  facts.inputs = ranges(&Samples::inputs);
  facts.outputs = ranges(&Samples::outputs);
  for (const Samples& party : parties)
    facts.rows = std::max(facts.rows, static_cast<std::size_t>(party.inputs.rows()));
  return facts;
}

Simulator simulator_for(std::size_t parties, const ConsortiumFitOptions& options) {
  return Simulator(complete_graph(parties), {.threads = options.threads ? options.threads : default_threads(),
                                             .seed = options.seed,
                                             .network = {},
                                             .coalition = {},
                                             .progress = nullptr});
}

std::vector<LocalExperts> experts_of(const std::vector<Samples>& parties, const CommitteeOptions& options) {
  std::vector<LocalExperts> all;
  for (const Samples& party : parties) all.emplace_back(party, options);
  return all;
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

ConsortiumModel fit(const std::vector<Samples>& parties, const Kernel& kernel,
                    const ConsortiumFitOptions& options) {
  check(parties);
  const BlasThreads one_each(1);
  const ColumnFacts facts = facts_of(parties);
  const ExactSecureSum sums({.agents = parties.size()});
  Simulator simulator = simulator_for(parties.size(), options);
  ConsortiumModel model;
  model.options_ = options;
  model.standardisation_ = simulator.run<Standardisation>(
      [&](Channel& net) { return standardise_privately(net, sums, facts, parties[net.self()]); })[0];
  auto standard = std::make_shared<std::vector<Samples>>();
  for (const Samples& party : parties) standard->push_back(model.standardisation_.standard(party));
  model.parties_ = standard;

  const std::vector<LocalExperts> local = experts_of(*standard, options.committee);
  ExactTuneOptions tune;
  tune.box_low = options.box_low;
  tune.box_high = options.box_high;
  tune.restarts = options.restarts;
  tune.seed = options.seed;
  tune.shared = options.shared;
  tune.limits = options.limits;
  const Priors start(facts.outputs.size(), usual_prior(kernel, standard_scale(facts.inputs.size())));
  check(tune, start);
  const TuneFacts tune_facts{facts.outputs.size(), facts.rows,
                             standard_output_max(facts, model.standardisation_.rows), facts.inputs.size(),
                             standard_input_max(facts, model.standardisation_)};
  const ExactTuning found = simulator.run<ExactTuning>(
      [&](Channel& net) { return tune_exactly(net, sums, tune_facts, tune, local[net.self()], start); })[0];
  model.priors_ = found.best.priors;
  model.report_.log_marginal_likelihood = found.best.likelihood;
  model.report_.evaluations = found.trials.size();
  model.report_.converged = found.end == EndOf::value_settled || found.end == EndOf::point_settled;
  model.report_.reason = to_string(found.end);
  model.report_.at_bound = at_bound(model.priors_, options);
  for (const Trial& trial : found.trials) model.report_.trace.push_back(trial.likelihood);
  for (const LocalExperts& party : local) model.report_.experts += party.experts();
  return model;
}

ConsortiumPosterior ConsortiumModel::predict(const Matrix& points) const {
  const std::vector<Samples>& parties = *parties_;
  if (points.cols() != parties[0].inputs.cols())
    throw InputError(
        fmt::format("points have {} columns, but the parties' inputs {}; give the same columns in the "
                    "same order",
                    points.cols(), parties[0].inputs.cols()));
  check_finite("points", points);
  const BlasThreads one_each(1);
  const Matrix standard = standardisation_.inputs.standard(points);
  double reach = 1, output_max = 0;
  PublicFacts facts{
      .agents = parties.size(), .prior_low = INFINITY, .noise = INFINITY, .fusion = options_.fusion};
  for (const Samples& party : parties) {
    facts.rows = std::max(facts.rows, static_cast<std::size_t>(party.inputs.rows()));
    reach = std::max(reach, party.inputs.cwiseAbs().maxCoeff());
    output_max = std::max(output_max, party.outputs.cwiseAbs().maxCoeff());
  }
  if (points.size()) reach = std::max(reach, standard.cwiseAbs().maxCoeff());
  for (const Prior& prior : priors_) {
    const KernelBounds bounds = kernel_bounds(prior.kernel, points.cols(), reach);
    facts.prior_low = std::min(facts.prior_low, bounds.low);
    facts.prior_high = std::max(facts.prior_high, bounds.high);
    facts.noise = std::min(facts.noise, prior.noise);
  }
  facts.output_max = std::max(output_max, 1e-300);
  facts.experts = expert_count(facts.rows, options_.committee);
  facts.expert_rows = options_.committee.expert_rows;
  const PublicBounds bounds = public_bounds(facts);
  const PredictionSum sum{options_.fusion,
                          {bounds.value / static_cast<double>(parties.size()), usual_unit(bounds)},
                          bounds.count_unit};

  const std::vector<LocalExperts> local = experts_of(parties, options_.committee);
  std::vector<LocalEvidence> said(parties.size());
  parallel_for(options_.threads ? options_.threads : default_threads(), parties.size(), [&](std::size_t i) {
    said[i] = local[i].evidence(standard, priors_, std::span(&sum.rule, 1));
  });
  const ExactSecureSum sums({.agents = parties.size()});
  Simulator simulator = simulator_for(parties.size(), options_);
  const Prediction fused = simulator.run<Prediction>([&](Channel& net) {
    const LocalEvidence& mine = said[net.self()];
    return predict_privately(net, sums, sum, mine.by_rule[0], mine.prior);
  })[0];
  const Prediction original = standardisation_.original(fused);
  ConsortiumPosterior result{original.mean, original.variance, original.variance};
  for (std::size_t k = 0; k < priors_.size(); ++k) {
    const auto column = static_cast<Index>(k);
    const double noise = priors_[k].noise * standardisation_.outputs.scale(column);
    result.observed_variance.col(column).array() += noise * noise;
  }
  return result;
}

}  // namespace tacit
