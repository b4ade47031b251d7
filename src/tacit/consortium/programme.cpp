#include "tacit/consortium/programme.hpp"

#include <cmath>
#include <random>

#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/tune/objective_pooled.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {
namespace {

// Θ_i(0) of the paper's tuning.
OutputHyperparameters paper_start(const Terms& terms, AgentId self) {
  const PaperTuning& paper = *terms.tuning.paper;
  OutputHyperparameters all(terms.targets.size(), hyperparameters_of(terms.model.start));
  if (!paper.start) return all;
  const auto [low, high] = *paper.start;
  std::mt19937_64 generator(paper.seed);  // public numbers; the draw is the same with every standard library
  generator.discard(2 * all.size() * self);
  const auto draw = [&, low = low, high = high] {
    return low + (high - low) * static_cast<double>(generator() >> 11) * 0x1p-53;
  };
  for (Hyperparameters& h : all) {
    h.lengthscale = draw();
    h.signal = draw();
  }
  return all;
}

}  // namespace

namespace {

// `here` are the rows where they are in this process.
Task<Fit> fit_rows(Channel& net, const Terms& terms, Asked asked, std::shared_ptr<const Crew> mine,
                   const Samples* here, FitWatch watch) {
  const auto sums = make_sums(terms, asked);
  const auto begin = [&](FitStage stage) {
    if (watch.stage) watch.stage(stage);
  };
  Fit result;
  Fitted& fitted = result.fitted;
  if (terms.model.standardise) {
    begin(FitStage::standardising);
    const ColumnFacts facts = column_facts(terms);
    fitted.standardisation = co_await standardise_privately(net, *sums, facts, *mine);
  }
  fitted.priors.assign(terms.targets.size(),
                       checked_prior(terms.model.start, static_cast<Index>(width(terms.inputs))));
  PlacedLandmarks placed;
  if (terms.model.landmarks.any()) {
    begin(FitStage::landmarks);
    placed = co_await place_landmarks(net, *sums, terms, fitted, *mine);
    if (watch.placed)
      watch.placed(placed.rows, landmark_numbers(static_cast<std::size_t>(placed.points.rows()),
                                                 terms.targets.size(), most_priors(terms)));
  }
  const bool tuned = terms.tuning.search || terms.tuning.paper;
  result.opened = net.opened();
  if (!tuned && placed.points.rows() == 0) co_return result;

  if (tuned) begin(FitStage::tuning);
  if (terms.tuning.paper) {
    if (!here)
      throw InputError(
          "the paper's tuning takes all of an agent's rows at once, and these are not in one place; use "
          "--tune "
          "exact");
    const ConsensusPlan plan = paper_tuning_plan(terms);
    const Samples rows = fitted.standard(*here);
    result.paper =
        co_await tune_privately(net, plan, terms.tuning.paper->steps, rows, paper_start(terms, net.self()));
    fitted.priors = priors_of(result.paper.back());
    result.opened = net.opened();
    co_return result;
  }
  const LocalExperts experts(fitted.standard(mine));
  if (terms.tuning.search) {
    ExactTuneOptions search = *terms.tuning.search;
    search.originator = asked.originator;
    const TuneFacts facts = tune_facts(terms, fitted.standardisation);
    const LocalObjective local(facts, experts);
    const PooledObjective pooled(facts, placed.points, experts);
    const bool on_landmarks = terms.tuning.on_landmarks && placed.points.rows() > 0;
    const Objective& objective =
        on_landmarks ? static_cast<const Objective&>(pooled) : static_cast<const Objective&>(local);
    result.search = co_await tune_exactly(net, *sums, objective, search, fitted.priors, watch.trial);
    fitted.priors = result.search->best.priors;
    fitted.likelihood = result.search->best.likelihood;
    fitted.evaluations = result.search->trials.size();
    result.opened = net.opened();
  }
  if (placed.points.rows() == 0) co_return result;

  begin(FitStage::pooling);
  const PooledFacts facts = pooled_facts(terms, fitted, static_cast<std::size_t>(placed.points.rows()));
  const std::vector<LandmarkSums> own = experts.landmark_sums(fitted.priors, placed.points);
  std::vector<PooledTotals> totals = co_await pool_privately(net, *sums, facts, own);
  fitted.pooled =
      std::make_shared<const Pooled>(placed.rows, std::move(placed.points), std::move(totals), fitted.priors);
  result.opened = net.opened();
  co_return result;
}

}  // namespace

Task<Fit> fit(Channel& net, const Terms& terms, Asked asked, std::shared_ptr<const Crew> mine,
              FitWatch watch) {
  return fit_rows(net, terms, asked, std::move(mine), nullptr, std::move(watch));
}

Task<Fit> fit(Channel& net, const Terms& terms, Asked asked, const Samples& mine, FitWatch watch,
              unsigned threads) {
  return fit_rows(net, terms, asked, crew_of(mine, terms.model.committee, threads), &mine, std::move(watch));
}

Task<ConsortiumPosterior> predict(Channel& net, const Terms& terms, Asked asked, const Fitted& fitted,
                                  const LocalEvidence& mine) {
  const auto sums = make_prediction_sums(terms, asked);
  const PredictionSum sum = prediction_sum(terms, fitted);
  const Prediction fused = co_await predict_privately(net, *sums, sum, mine.by_rule[0], mine.prior);
  if (unconverged(fused) > 0) co_return in_data_units(fitted, fused);
  co_return in_data_units(fitted, with_pooled(fused, mine));
}

Task<ConsortiumScore> evaluate(Channel& net, const Terms& terms, Asked asked, const Fitted& fitted,
                               const ConsortiumPosterior& predicted, const Matrix& truth) {
  const auto sums = make_sums(terms, asked);
  const ScoreFacts facts = score_facts(terms, fitted);
  const Vector scale = fitted.standardisation ? fitted.standardisation->outputs.scale
                                              : Vector::Ones(static_cast<Index>(facts.outputs)).eval();
  Prediction observed{predicted.mean, predicted.observed_variance};
  Matrix targets = truth;
  if (fitted.standardisation && truth.rows() > 0) {
    const Scaling& outputs = fitted.standardisation->outputs;
    observed.mean = outputs.standard(observed.mean);
    observed.variance.array().rowwise() /= scale.transpose().array().square();
    targets = outputs.standard(targets);
  }
  const Score score = co_await score_privately(net, *sums, facts, observed, targets);
  co_return ConsortiumScore{score.rows, std::sqrt(score.mean_square.cwiseProduct(scale.cwiseAbs2()).mean()),
                            (score.log_density.array() - scale.array().log()).mean()};
}

Task<std::size_t> help_fit(Channel& net, const Terms& terms) {
  std::size_t helped = 0;
  if (terms.model.standardise) {
    const auto sums = make_sums(terms, {});
    for (const SumShape& shape : standardise_sums(column_facts(terms)))
      helped += co_await sums->help(net, shape);
  }
  if (terms.tuning.paper) {
    const ConsensusPlan plan = paper_tuning_plan(terms);
    helped += co_await help(net, plan, terms.tuning.paper->steps.iterations);
  }
  co_return helped;
}

Task<std::size_t> help_predict(Channel& net, const Terms& terms, const Fitted& fitted, std::size_t points) {
  const auto sums = make_prediction_sums(terms, {});
  co_return co_await sums->help(net, prediction_shape(terms, fitted, points));
}

Task<std::size_t> help_evaluate(Channel& net, const Terms& terms, const Fitted& fitted) {
  const auto sums = make_sums(terms, {});
  co_return co_await sums->help(net, score_sum(score_facts(terms, fitted)));
}

}  // namespace tacit
