// What a study's predictions are worth: against plain distributed GPR, on the test rows, on rows held out.
#include <algorithm>
#include <cmath>

#include "tacit/gp/fusion.hpp"
#include "tacit/regression/evaluate.hpp"
#include "tacit/simulation/study_run.hpp"

namespace tacit {
namespace {

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

double root_mean_square(const Matrix& difference) {
  return std::sqrt(difference.squaredNorm() / static_cast<double>(difference.size()));
}

double largest_spread(const std::vector<Prediction>& agents, const Matrix Prediction::*part) {
  Matrix low = agents[0].*part, high = low;
  for (const Prediction& agent : agents) {
    low = low.cwiseMin(agent.*part);
    high = high.cwiseMax(agent.*part);
  }
  return (high - low).maxCoeff();
}

// What each agent scores: predictions at its own held-out rows, by its own expert or by the fused model.
std::vector<Prediction> predict_held_out(StudyRun& run) {
  const std::size_t agents = run.agents.size();
  const Matrix all = pool(run.held_out).inputs;
  std::vector<Prediction> predicted(agents);
  for (std::size_t i = 0; i < agents; ++i)
    predicted[i] =
        predict_alone(run.agents[i],
                      run.standard_points(i, run.options.holdout->fused ? all : run.held_out[i].inputs),
                      run.report.hyperparameters[i])
            .prediction;
  if (!run.options.holdout->fused) return predicted;

  const SumShape shape = prediction_sum(run, static_cast<std::size_t>(all.rows()));
  const auto sums = prediction_sums(run);
  const SecureSum& secure_sum = *sums;
  auto fused = run_together<Prediction>(run, "held-out rows", secure_sum, {shape}, [&](Channel& net) {
    return predict_privately(net, secure_sum, predicted[net.self()], shape.range);
  });
  Index first = 0;
  for (std::size_t i = 0; i < agents; ++i) {
    const Index rows = run.held_out[i].inputs.rows();
    predicted[i] = {fused[i].mean.middleRows(first, rows), fused[i].variance.middleRows(first, rows)};
    first += rows;
  }
  return predicted;
}

}  // namespace

double Accuracy::mean_local() const {
  double sum = 0;
  for (double value : local) sum += value;
  return sum / static_cast<double>(local.size());
}

double paper_rmse(const std::vector<Prediction>& agents, const Matrix Prediction::*part,
                  const Matrix& reference) {
  double sum = 0;
  for (const Prediction& agent : agents)
    sum += std::sqrt((agent.*part - reference).squaredNorm() / static_cast<double>(reference.rows()));
  return sum / static_cast<double>(agents.size());
}

void compare_with_plain(StudyRun& run, const std::vector<Prediction>& alone) {
  std::vector<Matrix> means, variances;
  for (const Prediction& one : alone) {
    means.push_back(one.mean);
    variances.push_back(one.variance);
  }
  StudyReport& report = run.report;
  report.reference = run.original(0, fuse_poe(means, variances));
  report.rmse_mean = paper_rmse(report.predictions, &Prediction::mean, report.reference.mean);
  report.rmse_variance = paper_rmse(report.predictions, &Prediction::variance, report.reference.variance);
  report.disagreement_mean = largest_spread(report.predictions, &Prediction::mean);
  report.disagreement_variance = largest_spread(report.predictions, &Prediction::variance);
}

Accuracy accuracy(const StudyRun& run, const std::vector<Prediction>& alone) {
  Accuracy result;
  const Matrix& truth = run.consortium.test.outputs;
  for (std::size_t i = 0; i < alone.size(); ++i)
    result.local.push_back(root_mean_square(run.original(i, alone[i]).mean - truth));
  for (const Prediction& prediction : run.report.predictions)
    result.private_model += root_mean_square(prediction.mean - truth) / static_cast<double>(alone.size());
  const Samples all = pool(run.agents);
  if (static_cast<std::size_t>(all.inputs.rows()) > run.options.most_pooled_rows) return result;
  run.progress.begin("pooled model", 0);
  const LocalPrediction pooled = predict_alone(all, run.standard_points(0, run.consortium.test.inputs),
                                               mean_hyperparameters(run.report.hyperparameters));
  result.pooled = root_mean_square(run.original(0, pooled.prediction).mean - truth);
  return result;
}

void score_held_out(StudyRun& run) {
  const Stopwatch watch;
  std::vector<Prediction> observed = predict_held_out(run);
  std::vector<Matrix> truth;
  ScoreFacts facts{.outputs = run.consortium.targets.size(),
                   .rows = 0,
                   .error = run.output_max_unseen + run.report.bounds.mean,
                   .signal = run.facts.signal_high,
                   .noise = run.facts.noise};
  for (std::size_t i = 0; i < observed.size(); ++i) {
    for (std::size_t k = 0; k < facts.outputs; ++k) {
      const double noise = run.report.hyperparameters[i][k].noise;
      observed[i].variance.col(static_cast<Index>(k)).array() += noise * noise;
    }
    const Matrix& targets = run.held_out[i].outputs;
    truth.push_back(run.standardisations.empty() ? targets
                                                 : run.standardisations[i].outputs.standard(targets));
    facts.rows = std::max(facts.rows, static_cast<std::size_t>(targets.rows()));
  }
  const Score score = run_together<Score>(run, "scoring", *run.sums, {score_sum(facts)}, [&](Channel& net) {
    return score_privately(net, *run.sums, facts, observed[net.self()], truth[net.self()]);
  })[0];

  HoldOutScore& result = run.report.holdout.emplace();
  result.rows = score.rows;
  const Vector scale = run.standardisations.empty() ? Vector::Ones(score.mean_square.size()).eval()
                                                    : run.standardisations[0].outputs.scale;
  result.rmse = std::sqrt(score.mean_square.cwiseProduct(scale.cwiseAbs2()).mean());
  result.log_density = (score.log_density.array() - scale.array().log()).mean();
  run.report.holdout_seconds = watch.seconds();
}

}  // namespace tacit
