// What a study reports about its fit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/lab/study/study_run.hpp"

namespace tacit {
namespace {

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
  std::vector<double> parts(run.agents.size());
  parallel_for(run.threads, parts.size(), [&](std::size_t i) {
    parts[i] = LocalExperts(run.agents[i].model.standard(run.agents[i].crew))
                   .likelihood(priors_of(last ? traces[i].back() : traces[i].front()))
                   .value;
  });
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

std::optional<LandmarkReport> report_landmarks(const StudyRun& run, const Fit& fit) {
  if (!fit.fitted.pooled) return {};
  const Terms& terms = run.terms.fit;
  const Pooled& pooled = *fit.fitted.pooled;
  const std::size_t inputs = terms.inputs.size(), outputs = terms.targets.size();
  LandmarkReport report;
  report.landmarks = static_cast<std::size_t>(pooled.landmarks.rows());
  report.ceiling = landmark_ceiling(pooled.rows, inputs, outputs, most_priors(terms));
  const SumShape shape = pooled_sum(pooled_facts(terms, fit.fitted, report.landmarks));
  report.opened = shape.dimension;
  report.opened_all = fit.opened;
  report.held = held_numbers(pooled.rows, inputs, outputs);
  report.plan = std::get<ExactPlan>(run.sums.usual->plan(shape));
  return report;
}

}  // namespace

void report_paper_tuning(StudyRun& run, const ConsensusPlan& plan, std::vector<TuneTrace> traces) {
  PaperTuningReport& tuning = run.report.tuning.paper.emplace();
  tuning.plan = plan;
  tuning.traces = std::move(traces);
  tuning.spread = final_spread(tuning.traces);
  tuning.likelihood_before = total_likelihood(run, tuning.traces, false);
  tuning.likelihood_after = total_likelihood(run, tuning.traces, true);
}

void store_fits(StudyRun& run, std::vector<Fit> fits) {
  for (std::size_t i = 0; i < fits.size(); ++i) {
    Fitted& model = run.agents[i].model;
    model = fits[0].fitted;
    if (run.options.paper_tuning) model.priors = fits[i].fitted.priors;
    run.report.model.priors.push_back(model.priors);
  }
  if (run.terms.fit.model.standardise)
    run.report.standardising = {*fits[0].fitted.standardisation, spread(fits)};
  run.report.model.landmarks = report_landmarks(run, fits[0]);
  run.report.tuning.exact = std::move(fits[0].search);
  run.report.model.noise_variance = run.agents[0].model.noise_variance();
}

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

}  // namespace tacit
