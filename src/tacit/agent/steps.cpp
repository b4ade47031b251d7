#include "tacit/agent/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/base/error.hpp"
#include "tacit/regression/public_bounds.hpp"
#include "tacit/regression/tune_exact.hpp"

namespace tacit {
namespace {

// The charter's public ranges, column by column of the model.
ColumnFacts column_facts(const Charter& charter) {
  ColumnFacts facts{
      .agents = charter.agents.size(), .rows = charter.protocol.rows, .inputs = {}, .outputs = {}};
  for (const CharterColumn& column : charter.inputs) {
    if (!column.categorical()) facts.inputs.push_back({column.low, column.high});
    for (std::size_t k = 0; k < column.levels.size(); ++k) facts.inputs.push_back({0, 1});
  }
  for (const CharterColumn& column : charter.targets) facts.outputs.push_back({column.low, column.high});
  return facts;
}

double plain_output_max(const Charter& charter) {
  double most = 0;
  for (const CharterColumn& column : charter.targets)
    most = std::max({most, std::abs(column.low), std::abs(column.high)});
  return most;
}

// A public bound on |y| in the units of the model, of rows that were standardised together.
double output_max(const Charter& charter, const std::optional<Standardisation>& standardisation) {
  return standardisation ? standard_output_max(column_facts(charter), standardisation->rows)
                         : plain_output_max(charter);
}

// A public bound on |y| in the units of the model, of any row within the charter's ranges. All agents of a
// run have the same scaling to the bit: it comes with the request.
double range_max(const Charter& charter, const FittedModel& model) {
  if (!model.standardisation) return plain_output_max(charter);
  double most = 0;
  for (std::size_t k = 0; k < charter.targets.size(); ++k) {
    const double shift = model.standardisation->outputs.shift(static_cast<Index>(k));
    const double scale = model.standardisation->outputs.scale(static_cast<Index>(k));
    most =
        std::max({most, (charter.targets[k].high - shift) / scale, (shift - charter.targets[k].low) / scale});
  }
  return most;
}

PublicFacts public_facts(const Charter& charter, const FittedModel& model) {
  PublicFacts facts{.agents = charter.agents.size(),
                    .rows = charter.protocol.rows,
                    .signal_low = model.hyperparameters[0].signal,
                    .signal_high = model.hyperparameters[0].signal,
                    .noise = model.hyperparameters[0].noise,
                    .output_max = output_max(charter, model.standardisation)};
  for (const Hyperparameters& h : model.hyperparameters) {
    facts.signal_low = std::min(facts.signal_low, h.signal);
    facts.signal_high = std::max(facts.signal_high, h.signal);
    facts.noise = std::min(facts.noise, h.noise);
  }
  return facts;
}

SumRange prediction_range(const Charter& charter, const PublicBounds& bounds) {
  const double usual = charter.protocol.sums == "exact" ? usual_unit(bounds) : usual_lz(bounds);
  return {bounds.value / static_cast<double>(charter.agents.size()), charter.protocol.unit.value_or(usual)};
}

Samples in_model_units(const FittedModel& model, const Samples& data) {
  return model.standardisation ? model.standardisation->standard(data) : data;
}

Matrix points_in_model_units(const FittedModel& model, const Matrix& points) {
  return model.standardisation ? model.standardisation->inputs.standard(points) : points;
}

Prediction in_data_units(const FittedModel& model, const Prediction& prediction) {
  return model.standardisation ? model.standardisation->original(prediction) : prediction;
}

void add_noise(const FittedModel& model, Prediction& prediction) {
  for (std::size_t k = 0; k < model.hyperparameters.size(); ++k)
    prediction.variance.col(static_cast<Index>(k)).array() += std::pow(model.hyperparameters[k].noise, 2);
}

std::string trial_text(const ExactTuning& tuning) {
  const Trial& last = tuning.trials.back();
  const Hyperparameters& h = last.hyperparameters[0];
  return fmt::format(
      "tuning, evaluation {}: summed log likelihood {:.4f}, length-scale {:.4g}, signal {:.4g}, noise {:.4g}",
      tuning.trials.size(), last.likelihood, h.lengthscale, h.signal, h.noise);
}

}  // namespace

void check_model(const Charter& charter) {
  if (charter.model.kernel != "se")
    throw InputError(
        fmt::format("model.kernel: there is no kernel \"{}\"; take \"se\"", charter.model.kernel));
  if (charter.model.fusion != "poe")
    throw InputError(
        fmt::format("model.fusion: agents do not have the rule {} yet; take \"poe\"", charter.model.fusion));
  check_hyperparameters({charter.model.lengthscale, charter.model.signal, charter.model.noise});
}

void check_plausible(const FittedModel& model, const Charter& charter) {
  const ColumnFacts facts = column_facts(charter);
  const auto sound = [](const Scaling& scaling, const std::vector<ColumnRange>& columns) {
    if (scaling.shift.size() != static_cast<Index>(columns.size()) ||
        scaling.scale.size() != scaling.shift.size())
      return false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double shift = scaling.shift(static_cast<Index>(k)), scale = scaling.scale(static_cast<Index>(k));
      const double width = columns[k].high - columns[k].low;
      if (!(shift >= columns[k].low && shift <= columns[k].high)) return false;
      if (!(scale >= 1e-6 * width && scale <= std::max(1.0, width)))
        return false;  // a constant column's is 1
    }
    return true;
  };
  constexpr double slack = 1 + 1e-6;
  const auto inside = [&](double value) {
    return value >= charter.tuning.low / slack && value <= charter.tuning.high * slack;
  };
  const auto allowed = [&](const Hyperparameters& h) {
    if (charter.tuning.on) return inside(h.lengthscale) && inside(h.signal) && inside(h.noise);
    return h.lengthscale == charter.model.lengthscale && h.signal == charter.model.signal &&
           h.noise == charter.model.noise;
  };
  const auto& s = model.standardisation;
  if (model.hyperparameters.size() != charter.targets.size() || s.has_value() != charter.model.standardise ||
      (s && !(sound(s->inputs, facts.inputs) && sound(s->outputs, facts.outputs) && s->rows >= 1 &&
              s->rows <= charter.agents.size() * charter.protocol.rows)) ||
      !std::all_of(model.hyperparameters.begin(), model.hyperparameters.end(), allowed))
    throw InputError("the model that is asked about cannot have come from this charter");
}

void check_numbers(const Charter& charter) {
  const ColumnFacts columns = column_facts(charter);
  FittedModel start;
  start.hyperparameters.assign(charter.targets.size(),
                               {charter.model.lengthscale, charter.model.signal, charter.model.noise});
  if (charter.model.standardise)
    start.standardisation.emplace().rows = charter.agents.size() * charter.protocol.rows;
  const TuneFacts tune{charter.targets.size(), charter.protocol.rows,
                       output_max(charter, start.standardisation)};
  const auto [first, second] = standardise_sums(columns);
  const SumShape predict{prediction_dimension(1, charter.targets.size()),
                         prediction_range(charter, public_bounds(public_facts(charter, start)))};
  const auto sums = make_sums(charter, 0, charter.protocol.fewest);
  std::vector<SumShape> shapes{first, second, predict};
  if (charter.tuning.on) shapes.push_back(likelihood_sum(tune, start.hyperparameters));
  for (const SumShape& shape : shapes) {
    if (const auto* exact = dynamic_cast<const ExactSecureSum*>(sums.get()))
      exact->plan(shape);
    else
      dynamic_cast<const ConsensusSum&>(*sums).plan(shape);
  }
}

CharterModel usual_model(std::size_t inputs, bool standardise) {
  const Hyperparameters h = standardise ? usual_standard_start(inputs) : Hyperparameters{};
  CharterModel model;
  model.standardise = standardise;
  model.lengthscale = std::stod(fmt::format("{:.3g}", h.lengthscale));  // for people to read
  model.signal = h.signal;
  model.noise = h.noise;
  return model;
}

PlanRequest consensus_request(const Charter& charter) {
  PlanRequest request;
  request.rule = ModulusRule::range;
  request.hardening = {.masks = charter.protocol.masks == "seeded" ? MaskSource::seeded : MaskSource::shares,
                       .acceleration = charter.protocol.acceleration == "chebyshev" ? Acceleration::chebyshev
                                                                                    : Acceleration::none,
                       .blinding = static_cast<unsigned>(charter.protocol.blinding)};
  return request;
}

std::unique_ptr<SecureSum> make_sums(const Charter& charter, AgentId originator, std::size_t fewest) {
  if (charter.protocol.sums == "consensus")
    return std::make_unique<ConsensusSum>(with_helpers(charter.graph(), 0), consensus_request(charter));
  ExactRequest request;
  request.agents = charter.agents.size();
  request.originator = originator;
  request.fewest = std::max(fewest, charter.protocol.fewest);
  request.collusion = charter.protocol.collusion;
  return std::make_unique<ExactSecureSum>(request);
}

std::size_t model_inputs(const Charter& charter) { return column_facts(charter).inputs.size(); }

Task<FittedModel> fit_together(Channel& net, const Charter& charter, AgentId originator, std::size_t fewest,
                               const Samples& mine, Watch watch) {
  const auto sums = make_sums(charter, originator, fewest);
  FittedModel model;
  if (charter.model.standardise) {
    watch("standardising");
    const ColumnFacts facts = column_facts(charter);
    model.standardisation = co_await standardise_privately(net, *sums, facts, mine);
  }
  model.hyperparameters.assign(charter.targets.size(),
                               {charter.model.lengthscale, charter.model.signal, charter.model.noise});
  if (!charter.tuning.on) co_return model;
  ExactTuneOptions options;
  options.box_low = charter.tuning.low;
  options.box_high = charter.tuning.high;
  options.restarts = charter.tuning.restarts;
  options.seed = charter.tuning.seed;
  options.originator = originator;
  options.limits.most_evaluations = charter.tuning.evaluations;
  const Samples data = in_model_units(model, mine);
  const TuneFacts facts{charter.targets.size(), charter.protocol.rows,
                        output_max(charter, model.standardisation)};
  watch("tuning");
  const std::function<void(const ExactTuning&)> on_trial = [&watch](const ExactTuning& so_far) {
    watch(trial_text(so_far));
  };
  const ExactTuning tuning =
      co_await tune_exactly(net, *sums, facts, options, data, model.hyperparameters, on_trial);
  model.hyperparameters = tuning.best.hyperparameters;
  model.likelihood = tuning.best.likelihood;
  model.evaluations = tuning.trials.size();
  co_return model;
}

Task<PointPredictions> predict_together(Channel& net, const Charter& charter, AgentId originator,
                                        std::size_t fewest, const FittedModel& model, const Samples& mine,
                                        const Matrix& points) {
  const auto sums = make_sums(charter, originator, fewest);
  const Prediction alone =
      predict_alone(in_model_units(model, mine), points_in_model_units(model, points), model.hyperparameters)
          .prediction;
  const SumRange range = prediction_range(charter, public_bounds(public_facts(charter, model)));
  Prediction fused = co_await predict_privately(net, *sums, alone, range);
  if (unconverged(fused) > 0)
    throw Error(
        "a variance is not positive: the consensus has not converged; the charter's unit may be too coarse");
  const Prediction latent = in_data_units(model, fused);
  add_noise(model, fused);
  const Prediction observed = in_data_units(model, fused);
  co_return PointPredictions{latent.mean, latent.variance.cwiseSqrt(), observed.variance.cwiseSqrt()};
}

Task<ConsortiumScore> evaluate_together(Channel& net, const Charter& charter, AgentId originator,
                                        std::size_t fewest, const FittedModel& model, const Samples& mine,
                                        const Samples& held_out) {
  const auto sums = make_sums(charter, originator, fewest);
  const PublicFacts known = public_facts(charter, model);
  const ScoreFacts facts{.outputs = charter.targets.size(),
                         .rows = charter.protocol.rows,
                         .error = public_bounds(known).mean + range_max(charter, model),
                         .signal = known.signal_high,
                         .noise = known.noise};
  Prediction observed;
  Matrix truth(0, static_cast<Index>(charter.targets.size()));
  if (held_out.inputs.rows() > 0) {
    const Samples asked = in_model_units(model, held_out);
    observed = predict_alone(in_model_units(model, mine), asked.inputs, model.hyperparameters).prediction;
    add_noise(model, observed);
    truth = asked.outputs;
  }
  const Score score = co_await score_privately(net, *sums, facts, observed, truth);
  const Vector scale = model.standardisation ? model.standardisation->outputs.scale
                                             : Vector::Ones(score.mean_square.size()).eval();
  co_return ConsortiumScore{score.rows, std::sqrt(score.mean_square.cwiseProduct(scale.cwiseAbs2()).mean()),
                            (score.log_density.array() - scale.array().log()).mean()};
}

OpenScore score_openly(const PointPredictions& predictions, const Matrix& truth) {
  OpenScore score{.rows = static_cast<std::size_t>(truth.rows())};
  const auto error = (predictions.mean - truth).array();
  const auto deviation = predictions.observed_deviation.array();
  const auto standard = (error / deviation).eval();
  score.rmse = std::sqrt(error.square().mean());
  score.log_density =
      -(standard.square() / 2 + deviation.log() + 0.5 * std::log(2 * std::numbers::pi)).mean();
  score.coverage =
      static_cast<double>((standard.abs() <= 1.959964).count()) / static_cast<double>(truth.size());
  return score;
}

}  // namespace tacit
