#include "tacit/consortium/programme.hpp"

#include <cmath>

#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/tune/objective_pooled.hpp"

namespace tacit {
Task<Fit> fit_privately(Run& net, const SecureSum& sums, const Terms& terms, AgentId originator,
                        std::shared_ptr<const Crew> mine, FitWatch watch) {
  const auto begin = [&](FitStage stage) {
    if (watch.stage) watch.stage(stage);
  };
  Fit result;
  Fitted& fitted = result.fitted;
  if (terms.model.standardise) {
    begin(FitStage::standardising);
    const ColumnFacts facts = column_facts(terms);
    fitted.standardisation = co_await standardise_privately(net, sums, facts, *mine);
  }
  fitted.priors.assign(terms.targets.size(),
                       checked_prior(terms.model.start, static_cast<Index>(width(terms.inputs))));
  PlacedLandmarks placed;
  if (terms.model.landmarks.any()) {
    begin(FitStage::landmarks);
    placed = co_await place_landmarks(net, sums, terms, fitted, *mine);
    if (watch.placed)
      watch.placed(placed.rows, landmark_numbers(static_cast<std::size_t>(placed.points.rows()),
                                                 terms.targets.size(), most_priors(terms)));
  }
  result.opened = net.opened();
  if (!terms.tuning.search && placed.points.rows() == 0) co_return result;

  const LocalExperts experts(fitted.standard(mine));
  if (terms.tuning.search) {
    begin(FitStage::tuning);
    ExactTuneOptions search = *terms.tuning.search;
    search.originator = originator;
    const TuneFacts facts = tune_facts(terms, fitted.standardisation);
    const LocalObjective local(facts, experts);
    const PooledObjective pooled(facts, placed.points, experts);
    const bool on_landmarks = terms.tuning.on_landmarks && placed.points.rows() > 0;
    const Objective& objective =
        on_landmarks ? static_cast<const Objective&>(pooled) : static_cast<const Objective&>(local);
    result.search = co_await tune_exactly(net, sums, objective, search, fitted.priors, watch.trial);
    fitted.priors = result.search->best.priors;
    fitted.likelihood = result.search->best.likelihood;
    fitted.evaluations = result.search->trials.size();
    result.opened = net.opened();
  }
  if (placed.points.rows() == 0) co_return result;

  begin(FitStage::pooling);
  const PooledFacts facts = pooled_facts(terms, fitted, static_cast<std::size_t>(placed.points.rows()));
  const std::vector<LandmarkSums> own = experts.landmark_sums(fitted.priors, placed.points);
  std::vector<PooledTotals> totals = co_await pool_privately(net, sums, facts, own);
  fitted.pooled =
      std::make_shared<const Pooled>(placed.rows, std::move(placed.points), std::move(totals), fitted.priors);
  result.opened = net.opened();
  co_return result;
}

Task<Fit> fit_privately(Run& net, const Terms& terms, Asked asked, std::shared_ptr<const Crew> mine,
                        FitWatch watch) {
  const auto sums = make_sums(terms, asked);
  co_return co_await fit_privately(net, *sums, terms, asked.originator, std::move(mine), std::move(watch));
}

Task<Fit> fit_privately(Run& net, const Terms& terms, Asked asked, const Samples& mine, FitWatch watch,
                        unsigned threads) {
  return fit_privately(net, terms, asked, crew_of(mine, terms.model.committee, threads), std::move(watch));
}

Task<Prediction> predict(Run& net, const SecureSum& sums, const Terms& terms, const Fitted& fitted,
                         const LocalEvidence& mine) {
  const PredictionSum sum = prediction_sum(terms, fitted);
  const Prediction fused = co_await predict_privately(net, sums, sum, mine.by_rule[0], mine.prior);
  if (unconverged(fused) > 0) co_return fitted.original(fused);  // with_pooled would hide them
  co_return fitted.original(with_pooled(fused, mine));
}

Task<Prediction> predict(Run& net, const Terms& terms, Asked asked, const Fitted& fitted,
                         const LocalEvidence& mine) {
  const auto sums = make_prediction_sums(terms, asked);
  co_return co_await predict(net, *sums, terms, fitted, mine);
}

Task<ConsortiumScore> evaluate(Run& net, const SecureSum& sums, const Terms& terms, const Fitted& fitted,
                               const Prediction& predicted, const Matrix& truth) {
  const ScoreFacts facts = score_facts(terms, fitted);
  const Vector scale = fitted.standardisation ? fitted.standardisation->outputs.scale
                                              : Vector::Ones(static_cast<Index>(facts.outputs)).eval();
  Prediction standard = predicted;
  Matrix targets = truth;
  if (fitted.standardisation && truth.rows() > 0) {
    const Scaling& outputs = fitted.standardisation->outputs;
    standard.mean = outputs.standard(standard.mean);
    standard.observed_variance.array().rowwise() /= scale.transpose().array().square();
    targets = outputs.standard(targets);
  }
  const Score score = co_await score_privately(net, sums, facts, standard, targets);
  co_return ConsortiumScore{score.rows, std::sqrt(score.mean_square.cwiseProduct(scale.cwiseAbs2()).mean()),
                            (score.log_density.array() - scale.array().log()).mean()};
}

Task<ConsortiumScore> evaluate(Run& net, const Terms& terms, Asked asked, const Fitted& fitted,
                               const Prediction& predicted, const Matrix& truth) {
  const auto sums = make_sums(terms, asked);
  co_return co_await evaluate(net, *sums, terms, fitted, predicted, truth);
}

}  // namespace tacit
