// The quality of a study's predictions, against plain distributed GPR and on the test rows.
#include <algorithm>
#include <cmath>

#include "tacit/gp/committee/fusion.hpp"
#include "tacit/lab/study/parties/streamed_rows.hpp"
#include "tacit/lab/study/study_run.hpp"

namespace tacit {
namespace {

// The quality of predictions in the data's units, for all targets or for one.
Quality quality(const Prediction& predicted, const StudyRun& run, std::optional<Index> target) {
  const Matrix &observed = predicted.observed_variance, &truth = run.parties.test.outputs;
  if (!target) return tacit::quality(predicted.mean, observed, truth);
  return tacit::quality(predicted.mean.col(*target), observed.col(*target), truth.col(*target));
}

Quality mean_of(const std::vector<Quality>& all) {
  Quality mean;
  const double share = 1 / static_cast<double>(all.size());
  for (const Quality& one : all) {
    mean.rmse += share * one.rmse;
    mean.coverage += share * one.coverage;
    mean.log_density += share * one.log_density;
    for (std::size_t level = 0; level < mean.inside.size(); ++level) mean.inside[level] += one.inside[level];
  }
  for (double& level : mean.inside) level /= static_cast<double>(all.size());
  return mean;
}

double largest_spread(const std::vector<Prediction>& agents, const Matrix Prediction::*part) {
  Matrix low = agents[0].*part, high = low;
  for (const Prediction& agent : agents) {
    low = low.cwiseMin(agent.*part);
    high = high.cwiseMax(agent.*part);
  }
  return (high - low).maxCoeff();
}

// The prediction of plain distributed regression by the k-th rule.
Prediction plain_prediction(const StudyRun& run, std::size_t k) {
  const StudyAgent& first = run.agents[0];
  Evidence sum = first.evidence.by_rule[k];
  for (std::size_t i = 1; i < run.agents.size(); ++i) sum += run.agents[i].evidence.by_rule[k];
  const Prediction fused = fuse(rules_of(run)[k], sum, first.evidence.prior);
  return first.model.original(with_pooled(fused, first.evidence));
}

std::size_t place_of(Fusion rule, const StudyRun& run) {
  const std::vector<Fusion> rules = rules_of(run);
  return static_cast<std::size_t>(std::ranges::find(rules, rule) - rules.begin());
}

// The quality of the predictions of agents and of the pooled model. The caller fills in by_target and rules.
Accuracy accuracy_on(const StudyRun& run, const std::optional<Prediction>& pooled,
                     std::optional<Index> target) {
  Accuracy result;
  std::vector<Quality> together;
  for (std::size_t i = 0; i < run.agents.size(); ++i) {
    const Prediction& home = run.report.predictions.at_home[i];
    result.at_home.push_back(quality(home, run, target));
    result.local.push_back(quality(run.agents[i].alone.value_or(home), run, target));
    together.push_back(quality(run.report.predictions.together[i], run, target));
  }
  result.private_model = mean_of(together);
  if (pooled) result.pooled = quality(*pooled, run, target);
  return result;
}

}  // namespace

Quality Accuracy::mean_local() const { return mean_of(local); }
Quality Accuracy::mean_at_home() const { return mean_of(at_home); }

Prediction at_home(const StudyRun& run, const StudyAgent& agent, const LocalEvidence& evidence) {
  const Fusion rule = rule_at_home(run.options.model.fusion, agent.experts->experts());
  const Prediction own = fuse(rule, evidence.by_rule[place_of(rule, run)], evidence.prior);
  return agent.model.original(with_pooled(own, evidence));
}

std::vector<Fusion> rules_of(const StudyRun& run) {
  std::vector<Fusion> rules{run.options.model.fusion};
  for (Fusion rule : all_fusions)
    if (rule != run.options.model.fusion) rules.push_back(rule);
  return rules;
}

Samples pool(const std::vector<Samples>& agents) {
  Index rows = 0;
  for (const Samples& agent : agents) rows += agent.inputs.rows();
  Samples all{Matrix(rows, agents[0].inputs.cols()), Matrix(rows, agents[0].outputs.cols())};
  rows = 0;
  for (const Samples& agent : agents) {
    all.inputs.middleRows(rows, agent.inputs.rows()) = agent.inputs;
    all.outputs.middleRows(rows, agent.inputs.rows()) = agent.outputs;
    rows += agent.inputs.rows();
  }
  return all;
}

double paper_rmse(const std::vector<Prediction>& agents, const Matrix Prediction::*part,
                  const Matrix& reference) {
  double sum = 0;
  for (const Prediction& agent : agents)
    sum += std::sqrt((agent.*part - reference).squaredNorm() / static_cast<double>(reference.rows()));
  return sum / static_cast<double>(agents.size());
}

void compare_with_plain(StudyRun& run) {
  PredictionReport& report = run.report.predictions;
  report.reference = plain_prediction(run, 0);
  report.rmse = {paper_rmse(report.together, &Prediction::mean, report.reference.mean),
                 paper_rmse(report.together, &Prediction::latent_variance, report.reference.latent_variance)};
  report.disagreement = {largest_spread(report.together, &Prediction::mean),
                         largest_spread(report.together, &Prediction::latent_variance)};
}

Accuracy accuracy(StudyRun& run) {
  std::optional<Prediction> pooled;
  std::size_t rows = 0;
  for (const StudyAgent& agent : run.agents) rows += agent.rows->rows();
  if (rows <= run.options.most_pooled_rows) {
    run.progress.begin("pooled model", 0);
    std::vector<Samples> agents;
    for (const StudyAgent& agent : run.agents) agents.push_back(samples_of(*agent.rows));
    const Fitted& model = run.agents[0].model;
    pooled = model.original(
        predict_alone(model.standard(pool(agents)), model.standard_points(run.parties.test.inputs),
                      mean_priors(run.report.model.priors), Fusion::poe, {.expert_rows = rows}));
  }
  Accuracy result = accuracy_on(run, pooled, {});
  for (Fusion rule : all_fusions)
    result.rules.emplace_back(rule, quality(plain_prediction(run, place_of(rule, run)), run, {}));
  for (Index target = 0; target < run.parties.test.outputs.cols(); ++target)
    result.by_target.push_back(accuracy_on(run, pooled, target));
  return result;
}

}  // namespace tacit
