// What a study's predictions are worth: against plain distributed GPR, on the test rows, on rows held out.
#include <algorithm>
#include <cmath>
#include <numbers>

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

// Predictions with latent variances against the truth, all in the data's units.
Quality quality(const Prediction& predicted, const Matrix& truth, const Vector& noise_variance) {
  const Matrix variance = predicted.variance.rowwise() + noise_variance.transpose();
  const Eigen::ArrayXXd squares = (predicted.mean - truth).array().square();
  constexpr double reach = 1.959963984540054;  // of 95 %, in standard deviations
  Quality result;
  result.rmse = std::sqrt(squares.mean());
  result.coverage = (squares <= reach * reach * variance.array()).cast<double>().mean();
  result.log_density =
      -0.5 * (squares / variance.array() + (2 * std::numbers::pi * variance.array()).log()).mean();
  return result;
}

Quality mean_of(const std::vector<Quality>& all) {
  Quality mean;
  const double share = 1 / static_cast<double>(all.size());
  for (const Quality& one : all) {
    mean.rmse += share * one.rmse;
    mean.coverage += share * one.coverage;
    mean.log_density += share * one.log_density;
  }
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

// What each agent scores: predictions at its own held-out rows, by its own experts or by the fused model.
std::vector<Prediction> predict_held_out(StudyRun& run) {
  const std::size_t agents = run.agents.size();
  const bool together = run.options.holdout->fused;
  const Matrix all = pool(run.held_out).inputs;
  const PredictionSum sum = prediction_sum(run);
  std::vector<LocalEvidence> said(agents);
  std::vector<Prediction> predicted(agents);
  for (std::size_t i = 0; i < agents; ++i) {
    said[i] = run.local[i].evidence(run.standard_points(i, together ? all : run.held_out[i].inputs),
                                    run.report.priors[i], std::span(&sum.rule, 1));
    if (!together) predicted[i] = fuse(sum.rule, said[i].by_rule[0], said[i].prior);
  }
  if (!together) return predicted;

  const SumShape shape = prediction_shape(run, static_cast<std::size_t>(all.rows()));
  const auto sums = prediction_sums(run);
  const SecureSum& secure_sum = *sums;
  auto fused = run_together<Prediction>(run, "held-out rows", secure_sum, {shape}, [&](Channel& net) {
    const LocalEvidence& mine = said[net.self()];
    return predict_privately(net, secure_sum, sum, mine.by_rule[0], mine.prior);
  });
  Index first = 0;
  for (std::size_t i = 0; i < agents; ++i) {
    const Index rows = run.held_out[i].inputs.rows();
    predicted[i] = {fused[i].mean.middleRows(first, rows), fused[i].variance.middleRows(first, rows)};
    first += rows;
  }
  return predicted;
}

// What plain distributed regression would give by the k-th of the rules.
Prediction in_the_open(const StudyRun& run, const std::vector<LocalEvidence>& alone, std::size_t k) {
  Evidence sum = alone[0].by_rule[k];
  for (std::size_t i = 1; i < alone.size(); ++i) sum += alone[i].by_rule[k];
  return run.original(0, fuse(rules_of(run)[k], sum, alone[0].prior));
}

}  // namespace

Quality Accuracy::mean_local() const { return mean_of(local); }

double paper_rmse(const std::vector<Prediction>& agents, const Matrix Prediction::*part,
                  const Matrix& reference) {
  double sum = 0;
  for (const Prediction& agent : agents)
    sum += std::sqrt((agent.*part - reference).squaredNorm() / static_cast<double>(reference.rows()));
  return sum / static_cast<double>(agents.size());
}

void compare_with_plain(StudyRun& run, const std::vector<LocalEvidence>& alone) {
  StudyReport& report = run.report;
  report.reference = in_the_open(run, alone, 0);
  report.rmse_mean = paper_rmse(report.predictions, &Prediction::mean, report.reference.mean);
  report.rmse_variance = paper_rmse(report.predictions, &Prediction::variance, report.reference.variance);
  report.disagreement_mean = largest_spread(report.predictions, &Prediction::mean);
  report.disagreement_variance = largest_spread(report.predictions, &Prediction::variance);
}

Accuracy accuracy(const StudyRun& run, const std::vector<LocalEvidence>& alone) {
  Accuracy result;
  const Matrix& truth = run.parties.test.outputs;
  const Vector& noise = run.report.noise_variance;
  const std::vector<Fusion> rules = rules_of(run);
  const auto place = [&](Fusion rule) {
    return static_cast<std::size_t>(std::ranges::find(rules, rule) - rules.begin());
  };
  for (std::size_t i = 0; i < alone.size(); ++i) {
    // A single expert is itself by every rule but rbcm, and nobody would weigh it by that.
    const bool single = alone[i].by_rule[0].experts == 1;
    const Fusion rule = single ? Fusion::bcm : run.options.fusion;
    const Fused own = fuse(rule, alone[i].by_rule[place(rule)], alone[i].prior);
    result.local.push_back(quality(run.original(i, own), truth, noise));
  }
  std::vector<Quality> agents;
  for (const Prediction& prediction : run.report.predictions)
    agents.push_back(quality(prediction, truth, noise));
  result.private_model = mean_of(agents);
  for (Fusion rule : all_fusions)
    result.rules.emplace_back(rule, quality(in_the_open(run, alone, place(rule)), truth, noise));
  const Samples all = pool(run.agents);
  const auto rows = static_cast<std::size_t>(all.inputs.rows());
  if (rows > run.options.most_pooled_rows) return result;
  run.progress.begin("pooled model", 0);
  const Prediction pooled = predict_alone(all, run.standard_points(0, run.parties.test.inputs),
                                          mean_priors(run.report.priors), Fusion::poe, {.expert_rows = rows});
  result.pooled = quality(run.original(0, pooled), truth, noise);
  return result;
}

void score_held_out(StudyRun& run) {
  const Stopwatch watch;
  std::vector<Prediction> observed = predict_held_out(run);
  std::vector<Matrix> truth;
  ScoreFacts facts{.outputs = run.parties.targets.size(),
                   .rows = 0,
                   .error = run.output_max_unseen + run.report.bounds.mean,
                   .signal = std::sqrt(run.facts.prior_high),
                   .noise = run.facts.noise};
  for (std::size_t i = 0; i < observed.size(); ++i) {
    for (std::size_t k = 0; k < facts.outputs; ++k) {
      const double noise = run.report.priors[i][k].noise;
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
