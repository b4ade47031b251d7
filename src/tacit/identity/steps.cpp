#include "tacit/identity/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/gp/kernel/bounds.hpp"
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

// A public bound on |x_d| in the units of the model, of points within the charter's ranges.
double input_max(const Charter& charter, const std::optional<Standardisation>& standardisation) {
  const ColumnFacts facts = column_facts(charter);
  if (standardisation && standardisation->inputs.shift.size() > 0)
    return standard_input_max(facts, *standardisation);
  double most = 0;
  for (const ColumnRange& range : facts.inputs)
    most = std::max({most, std::abs(range.low), std::abs(range.high)});
  return most;
}

CommitteeOptions committee_of(const Charter& charter) { return {.expert_rows = charter.model.expert_rows}; }

Fusion fusion_of(const Charter& charter) { return parse_fusion(charter.model.fusion); }

// Where tuning starts, or what is used without it.
Prior start_of(const Charter& charter) {
  const auto inputs = static_cast<Index>(model_inputs(charter));
  const CharterModel& model = charter.model;
  const Kernel form = parse_kernel(model.kernel);
  if (!has_no_numbers(form)) return checked_prior({form, model.noise}, inputs);
  const double each = model.lengthscale / std::sqrt(static_cast<double>(inputs));
  const Kernel kernel = usual_kernel(form, {Vector::Constant(inputs, each), model.signal});
  return checked_prior({with_lengthscale(kernel, model.lengthscale), model.noise}, inputs);
}

PublicFacts public_facts(const Charter& charter, const FittedModel& model) {
  const CommitteeOptions committee = committee_of(charter);
  PublicFacts facts{.agents = charter.agents.size(),
                    .rows = charter.protocol.rows,
                    .prior_low = INFINITY,
                    .prior_high = 0,
                    .noise = INFINITY,
                    .output_max = output_max(charter, model.standardisation),
                    .fusion = fusion_of(charter),
                    .experts = expert_count(charter.protocol.rows, committee),
                    .expert_rows = committee.expert_rows};
  for (const Prior& prior : model.priors) {
    const KernelBounds bounds = kernel_bounds(prior.kernel, static_cast<Index>(model_inputs(charter)),
                                              input_max(charter, model.standardisation));
    facts.prior_low = std::min(facts.prior_low, bounds.low);
    facts.prior_high = std::max(facts.prior_high, bounds.high);
    facts.noise = std::min(facts.noise, prior.noise);
  }
  return facts;
}

PredictionSum prediction_sum(const Charter& charter, const PublicBounds& bounds) {
  const double usual = charter.protocol.sums == "exact" ? usual_unit(bounds) : usual_lz(bounds);
  return {fusion_of(charter),
          {bounds.value / static_cast<double>(charter.agents.size()), charter.protocol.unit.value_or(usual)},
          bounds.count_unit};
}

TuneFacts tune_facts(const Charter& charter, const std::optional<Standardisation>& standardisation) {
  return {charter.targets.size(), charter.protocol.rows, output_max(charter, standardisation),
          model_inputs(charter), input_max(charter, standardisation)};
}

ExactTuneOptions tune_options(const Charter& charter, AgentId originator) {
  ExactTuneOptions options;
  options.box_low = charter.tuning.low;
  options.box_high = charter.tuning.high;
  options.restarts = charter.tuning.restarts;
  options.seed = charter.tuning.seed;
  options.originator = originator;
  options.limits.most_evaluations = charter.tuning.evaluations;
  return options;
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
  for (std::size_t k = 0; k < model.priors.size(); ++k)
    prediction.variance.col(static_cast<Index>(k)).array() += std::pow(model.priors[k].noise, 2);
}

std::string trial_text(const ExactTuning& tuning) {
  const Trial& last = tuning.trials.back();
  return fmt::format("tuning, evaluation {}: summed log likelihood {:.4f}, kernel {}, noise {:.4g}",
                     tuning.trials.size(), last.likelihood, last.priors[0].kernel.text(),
                     last.priors[0].noise);
}

}  // namespace

void check_model(const Charter& charter) {
  try {
    const Prior start = start_of(charter);
    if (charter.tuning.on) check(tune_options(charter, 0), {start});
  } catch (const InputError& e) {
    throw InputError(fmt::format("model.kernel: {}", e.what()));
  }
  const Kernel kernel = start_of(charter).kernel;
  const double low = kernel_bounds(kernel, static_cast<Index>(model_inputs(charter)), 1).low;
  if (low == 0)
    throw InputError(
        fmt::format("model.kernel: \"{}\" can have k(x,x) = 0, where no bound on what agents add "
                    "holds; add \"+ constant\"",
                    charter.model.kernel));
  fusion_of(charter);
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
  const Prior start = start_of(charter);
  const auto allowed = [&](const Prior& prior) {
    if (!charter.tuning.on) return prior == start;
    const std::vector<double> numbers = prior.kernel.numbers();
    return prior.kernel.form() == start.kernel.form() && numbers.size() == start.kernel.parameters() &&
           inside(prior.noise) && std::all_of(numbers.begin(), numbers.end(), inside);
  };
  const auto& s = model.standardisation;
  if (model.priors.size() != charter.targets.size() || s.has_value() != charter.model.standardise ||
      (s && !(sound(s->inputs, facts.inputs) && sound(s->outputs, facts.outputs) && s->rows >= 1 &&
              s->rows <= charter.agents.size() * charter.protocol.rows)) ||
      !std::all_of(model.priors.begin(), model.priors.end(), allowed))
    throw InputError("the model that is asked about cannot have come from this charter");
}

void check_numbers(const Charter& charter) {
  const ColumnFacts columns = column_facts(charter);
  FittedModel start;
  start.priors.assign(charter.targets.size(), start_of(charter));
  if (charter.model.standardise)
    start.standardisation.emplace().rows = charter.agents.size() * charter.protocol.rows;
  const auto [first, second] = standardise_sums(columns);
  const PredictionSum predict = prediction_sum(charter, public_bounds(public_facts(charter, start)));
  const auto sums = make_sums(charter, 0, charter.protocol.fewest);
  std::vector<SumShape> shapes{
      first, second, {prediction_dimension(1, charter.targets.size(), predict.rule), predict.range}};
  if (charter.tuning.on)
    shapes.push_back(
        likelihood_sum(tune_facts(charter, start.standardisation), tune_options(charter, 0), start.priors));
  for (const SumShape& shape : shapes) {
    if (const auto* exact = dynamic_cast<const ExactSecureSum*>(sums.get()))
      exact->plan(shape);
    else
      dynamic_cast<const ConsensusSum&>(*sums).plan(shape);
  }
}

CharterModel usual_model(std::size_t inputs, bool standardise) {
  CharterModel model;
  model.standardise = standardise;
  if (standardise) {
    const Prior usual = usual_prior(se(), standard_scale(std::max<std::size_t>(1, inputs)));
    model.lengthscale =
        std::stod(fmt::format("{:.3g}", hyperparameters_of(usual).lengthscale));  // for people
    model.noise = usual.noise;
  } else {
    model.noise = Hyperparameters().noise;
  }
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
  model.priors.assign(charter.targets.size(), start_of(charter));
  if (!charter.tuning.on) co_return model;
  const ExactTuneOptions options = tune_options(charter, originator);
  const Samples data = in_model_units(model, mine);
  const LocalExperts experts(data, committee_of(charter), default_threads());
  const TuneFacts facts = tune_facts(charter, model.standardisation);
  watch("tuning");
  const std::function<void(const ExactTuning&)> on_trial = [&watch](const ExactTuning& so_far) {
    watch(trial_text(so_far));
  };
  const ExactTuning tuning =
      co_await tune_exactly(net, *sums, facts, options, experts, model.priors, on_trial);
  model.priors = tuning.best.priors;
  model.likelihood = tuning.best.likelihood;
  model.evaluations = tuning.trials.size();
  co_return model;
}

Task<PointPredictions> predict_together(Channel& net, const Charter& charter, AgentId originator,
                                        std::size_t fewest, const FittedModel& model, const Samples& mine,
                                        const Matrix& points) {
  const auto sums = make_sums(charter, originator, fewest);
  const PredictionSum sum = prediction_sum(charter, public_bounds(public_facts(charter, model)));
  const Samples data = in_model_units(model, mine);
  const LocalExperts experts(data, committee_of(charter), default_threads());
  const LocalEvidence said =
      experts.evidence(points_in_model_units(model, points), model.priors, std::span(&sum.rule, 1));
  Prediction fused = co_await predict_privately(net, *sums, sum, said.by_rule[0], said.prior);
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
                         .signal = std::sqrt(known.prior_high),
                         .noise = known.noise};
  Prediction observed;
  Matrix truth(0, static_cast<Index>(charter.targets.size()));
  if (held_out.inputs.rows() > 0) {
    const Samples asked = in_model_units(model, held_out);
    observed = predict_alone(in_model_units(model, mine), asked.inputs, model.priors, fusion_of(charter),
                             committee_of(charter));
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
