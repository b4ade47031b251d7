#include "tacit/charter/terms.hpp"

#include <cmath>

#include "tacit/consortium/terms/usual_search.hpp"
#include "tacit/gp/fit/initial_prior.hpp"

namespace tacit {
namespace {

Prior start_of(const CharterModel& model, Index inputs) {
  const Kernel form = parse_kernel(model.kernel);
  if (!has_no_numbers(form)) return checked_prior({form, model.noise}, inputs);
  const double each = model.lengthscale / std::sqrt(static_cast<double>(inputs));
  const Kernel kernel = initial_kernel(form, {Vector::Constant(inputs, each), model.signal});
  return checked_prior({with_lengthscale(kernel, model.lengthscale), model.noise}, inputs);
}

}  // namespace

ProtocolTerms protocol_terms(const Charter& charter) {
  ProtocolTerms terms;
  terms.sums = charter.protocol.sums;
  terms.fewest = charter.protocol.fewest;
  terms.collusion = charter.protocol.collusion;
  terms.consensus.rule = ModulusRule::range;
  terms.consensus.hardening = charter.protocol.consensus;
  terms.unit = charter.protocol.unit;
  return terms;
}

Terms terms_of(const Charter& charter) {
  Terms terms;
  terms.graph = charter.graph();
  terms.inputs = charter.inputs;
  terms.targets = charter.targets;
  terms.model.start = start_of(charter.model, static_cast<Index>(width(charter.inputs)));
  terms.model.fusion = charter.model.fusion;
  terms.model.committee.expert_rows = charter.model.expert_rows;
  terms.model.standardise = charter.model.standardise;
  terms.model.landmarks = charter.model.landmarks;
  if (charter.tuning.on) {
    ExactTuneOptions& search = terms.tuning.search.emplace();
    search.box_low = charter.tuning.low;
    search.box_high = charter.tuning.high;
    search.noise_low = charter.tuning.noise_floor;
    search.lengthscale_low = charter.tuning.lengthscale_floor;
    search.restarts = charter.tuning.restarts;
    search.seed = charter.tuning.seed;
    search.limits.most_evaluations = charter.tuning.evaluations;
  }
  terms.protocol = protocol_terms(charter);
  terms.limits = {charter.protocol.rows, charter.protocol.points};
  return terms;
}

CharterTuning usual_tuning(const CharterModel& model, std::size_t inputs) {
  CharterTuning tuning;
  tuning.noise_floor = usual_noise_floor(model.standardise);
  tuning.lengthscale_floor = usual_lengthscale_floor(inputs, model.standardise, model.lengthscale);
  return tuning;
}

CharterModel usual_model(std::size_t inputs, bool standardise) {
  CharterModel model;
  model.standardise = standardise;
  model.fusion = consortium_defaults.fusion;
  model.landmarks.count.reset();  // as many as the number of rows allows
  const Hyperparameters start = usual_start(inputs, standardise);
  model.lengthscale = start.lengthscale;
  model.noise = start.noise;
  return model;
}

}  // namespace tacit
