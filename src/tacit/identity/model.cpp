#include "tacit/identity/model.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tacit/base/error.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> list(const Vector& values) { return {values.begin(), values.end()}; }
Vector vector(const Json& values) {
  const auto all = values.get<std::vector<double>>();
  return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
}

Json scaling_json(const Scaling& scaling) {
  return {{"shift", list(scaling.shift)}, {"scale", list(scaling.scale)}};
}
Scaling scaling_from(const Json& json) { return {vector(json.at("shift")), vector(json.at("scale"))}; }

// Another agent may have written it: JSON is copied and written by recursion, which must not fill the stack.
bool shallow(int depth, Json::parse_event_t, const Json&) {
  if (depth > 10) throw InputError("this is not a model that Tacit has kept: it is nested too deeply");
  return true;
}

std::string checksum(const Json& model) {
  const std::string text = model.dump();
  return hex(digest_of({std::as_bytes(std::span(text))}));
}

Json json_of(const FittedModel& model) {
  Json json{{"version", model.version},        {"fit", model.fit},
            {"charter", model.charter},        {"fitted_at", model.fitted_at},
            {"originator", model.originator},  {"likelihood", model.likelihood},
            {"evaluations", model.evaluations}};
  for (const Prior& prior : model.priors)
    json["priors"].push_back({{"kernel", prior.kernel.text()}, {"noise", prior.noise}});
  if (model.standardisation)
    json["standardisation"] = {{"rows", model.standardisation->rows},
                               {"constant", model.standardisation->constant},
                               {"inputs", scaling_json(model.standardisation->inputs)},
                               {"outputs", scaling_json(model.standardisation->outputs)}};
  return json;
}

}  // namespace

std::string to_text(const FittedModel& model) {
  const Json json = json_of(model);
  return Json{{"tacit_model", 1}, {"checksum", checksum(json)}, {"model", json}}.dump(1) + '\n';
}

FittedModel model_from(const std::string& file, const std::string& text, const std::string& charter) {
  FittedModel model;
  try {
    const Json all = Json::parse(text, shallow);
    const Json& json = all.at("model");
    if (all.at("tacit_model") != 1 || all.at("checksum") != checksum(json))
      throw InputError(file + ": the kept model was changed or cut off; remove it and run tacit fit again");
    model.version = json.at("version");
    model.fit = json.at("fit");
    model.charter = json.at("charter");
    model.fitted_at = json.at("fitted_at");
    model.originator = json.at("originator");
    model.likelihood = json.at("likelihood");
    model.evaluations = json.at("evaluations");
    for (const Json& prior : json.at("priors"))
      model.priors.emplace_back(parse_kernel(prior.at("kernel").get<std::string>()), prior.at("noise"));
    if (json.contains("standardisation")) {
      const Json& s = json.at("standardisation");
      model.standardisation = Standardisation{s.at("rows"), scaling_from(s.at("inputs")),
                                              scaling_from(s.at("outputs")), s.at("constant")};
    }
  } catch (const nlohmann::json::exception&) {
    throw InputError(file + ": this is not a model that Tacit has kept; remove it and run tacit fit again");
  }
  if (model.charter != charter)
    throw InputError(
        fmt::format("{}: this model was fitted under another charter ({}…); remove it, or take that charter",
                    file, model.charter.substr(0, 12)));
  return model;
}

}  // namespace tacit
