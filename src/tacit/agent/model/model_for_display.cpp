#include "tacit/agent/model/model_for_display.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = google::protobuf::RepeatedField<double>;

void put_all(const Vector& from, Numbers& to) { to.Add(from.begin(), from.end()); }

requests::ShownPrior shown_prior(const Prior& prior) {
  requests::ShownPrior out;
  out.set_kernel(prior.kernel.text());
  out.set_noise(prior.noise);
  for (const std::string& name : prior.kernel.names()) out.add_names(name);
  for (const double number : prior.kernel.numbers()) out.add_numbers(number);
  return out;
}

requests::Standardisation shown_units(const Standardisation& units) {
  requests::Standardisation out;
  out.set_rows(units.rows);
  out.set_constant(units.constant);
  put_all(units.inputs.shift, *out.mutable_input_shift());
  put_all(units.inputs.scale, *out.mutable_input_scale());
  put_all(units.outputs.shift, *out.mutable_output_shift());
  put_all(units.outputs.scale, *out.mutable_output_scale());
  return out;
}

requests::ShownPooled shown_pooled(const FittedModel& model, const Charter& charter) {
  const PooledName& pooled = model.pooled_name.value();
  std::size_t priors = 0;
  for_each_prior(model.priors, [&](Index, Index, const Prior&) { ++priors; });
  requests::ShownPooled out;
  out.set_rows(pooled.rows);
  out.set_landmarks(pooled.landmarks);
  out.set_digest(hex(pooled.digest));
  out.set_opened(landmark_numbers(pooled.landmarks, model.priors.size(), priors));
  out.set_held(held_numbers(pooled.rows, charter.inputs.size(), charter.targets.size()));
  return out;
}

Json prior_json(const requests::ShownPrior& prior) {
  Json numbers = Json::object();
  for (int k = 0; k < std::min(prior.names_size(), prior.numbers_size()); ++k)
    numbers[prior.names(k)] = prior.numbers(k);
  return {{"kernel", prior.kernel()}, {"noise", prior.noise()}, {"numbers", std::move(numbers)}};
}

Json scaling_json(const Numbers& shift, const Numbers& scale) {
  return {{"shift", std::vector(shift.begin(), shift.end())},
          {"scale", std::vector(scale.begin(), scale.end())}};
}

}  // namespace

requests::ShownModel shown(const SealedModel& sealed, const Charter& charter) {
  const FittedModel& model = sealed.model;
  requests::ShownModel out;
  out.set_version(model.version);
  out.set_fit(model.fit);
  out.set_charter(hex(model.charter));
  out.set_fitted_at(model.fitted_at);
  out.set_originator(charter.name_of(model.originator));
  for (const AgentId agent : model.roster) out.add_roster(charter.name_of(agent));
  out.set_transcript(hex(model.transcript));
  out.set_likelihood(model.likelihood);
  out.set_evaluations(model.evaluations);
  for (const Prior& prior : model.priors) *out.add_priors() = shown_prior(prior);
  if (model.standardisation) *out.mutable_standardisation() = shown_units(*model.standardisation);
  if (model.pooled_name) *out.mutable_pooled() = shown_pooled(model, charter);
  out.set_digest(hex(sealed.digest));
  return out;
}

Json model_json(const requests::ShownModel& model) {
  Json json{{"version", model.version()},
            {"fit", model.fit()},
            {"charter", model.charter()},
            {"fitted_at", model.fitted_at()},
            {"originator", model.originator()},
            {"roster", std::vector<std::string>(model.roster().begin(), model.roster().end())},
            {"transcript", model.transcript()},
            {"likelihood", model.likelihood()},
            {"evaluations", model.evaluations()}};
  for (const requests::ShownPrior& prior : model.priors()) json["priors"].push_back(prior_json(prior));
  if (model.has_standardisation()) {
    const requests::Standardisation& units = model.standardisation();
    json["standardisation"] = {{"rows", units.rows()},
                               {"constant", units.constant()},
                               {"inputs", scaling_json(units.input_shift(), units.input_scale())},
                               {"outputs", scaling_json(units.output_shift(), units.output_scale())}};
  }
  if (model.has_pooled()) {
    const requests::ShownPooled& pooled = model.pooled();
    json["pooled"] = {{"rows", pooled.rows()},
                      {"landmarks", pooled.landmarks()},
                      {"digest", pooled.digest()},
                      {"opened", pooled.opened()},
                      {"held", pooled.held()}};
  }
  return json;
}

}  // namespace tacit
