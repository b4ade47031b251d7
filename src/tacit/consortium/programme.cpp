#include "tacit/consortium/programme.hpp"

#include <cmath>
#include <random>

#include "tacit/protocol/consensus.hpp"

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

Task<Fit> fit(Channel& net, const Terms& terms, Asked asked, const Samples& mine, FitWatch watch,
              unsigned threads) {
  const auto sums = make_sums(terms, asked);
  Fit result;
  Fitted& fitted = result.fitted;
  if (terms.model.standardise) {
    if (watch.stage) watch.stage(FitStage::standardising);
    const ColumnFacts facts = column_facts(terms);
    fitted.standardisation = co_await standardise_privately(net, *sums, facts, mine);
  }
  fitted.priors.assign(terms.targets.size(),
                       checked_prior(terms.model.start, static_cast<Index>(width(terms.inputs))));
  if (!terms.tuning.search && !terms.tuning.paper) co_return result;

  if (watch.stage) watch.stage(FitStage::tuning);
  const Samples rows = fitted.standard(mine);
  if (terms.tuning.paper) {
    const ConsensusPlan plan = paper_tuning_plan(terms);
    result.paper =
        co_await tune_privately(net, plan, terms.tuning.paper->steps, rows, paper_start(terms, net.self()));
    fitted.priors = priors_of(result.paper.back());
    co_return result;
  }
  ExactTuneOptions search = *terms.tuning.search;
  search.originator = asked.originator;
  const LocalExperts experts(rows, terms.model.committee, threads);
  const TuneFacts facts = tune_facts(terms, fitted.standardisation);
  result.search = co_await tune_exactly(net, *sums, facts, search, experts, fitted.priors, watch.trial);
  fitted.priors = result.search->best.priors;
  fitted.likelihood = result.search->best.likelihood;
  fitted.evaluations = result.search->trials.size();
  co_return result;
}

Task<ConsortiumPosterior> predict(Channel& net, const Terms& terms, Asked asked, const Fitted& fitted,
                                  const LocalEvidence& mine) {
  const auto sums = make_prediction_sums(terms, asked);
  const PredictionSum sum = prediction_sum(terms, fitted);
  const Prediction fused = co_await predict_privately(net, *sums, sum, mine.by_rule[0], mine.prior);
  co_return in_data_units(fitted, fused);
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
