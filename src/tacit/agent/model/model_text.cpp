#include "tacit/agent/model/model_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tacit/agent/model/model_for_display.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t model_format = 2;

Vector vector(const Json& values) {
  const auto all = values.get<std::vector<double>>();
  return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
}

Scaling scaling_from(const Json& json) { return {vector(json.at("shift")), vector(json.at("scale"))}; }

// JSON is copied and freed recursively; the limit protects the stack.
bool shallow(int depth, Json::parse_event_t, const Json&) {
  if (depth > 10) throw InputError("this is not a model file of Tacit: it is nested too deeply");
  return true;
}

template <std::size_t Size>
std::array<std::byte, Size> bytes(const Json& json) {
  std::array<std::byte, Size> out{};
  if (!from_hex(json.get<std::string>(), out)) throw InputError("a digest or seal of the model is damaged");
  return out;
}

AgentId agent_called(const Json& name, const Charter& charter) {
  const auto found = charter.find(name.get<std::string>());
  if (!found) throw InputError("the model names an agent that is not in this charter");
  return *found;
}

FittedModel model_of(const Json& json, const Charter& charter) {
  FittedModel model;
  model.charter = bytes<32>(json.at("charter"));
  if (model.charter != charter_hash(charter))
    throw OfAnotherCharter(
        fmt::format("model version {} was fitted under another charter ({}…); run tacit fit",
                    json.at("version").get<std::uint64_t>(), hex(model.charter).substr(0, 12)));
  model.version = json.at("version");
  model.fit = json.at("fit");
  model.fitted_at = json.at("fitted_at");
  model.originator = agent_called(json.at("originator"), charter);
  for (const Json& name : json.at("roster")) model.roster.push_back(agent_called(name, charter));
  model.transcript = bytes<32>(json.at("transcript"));
  model.likelihood = json.at("likelihood");
  model.evaluations = json.at("evaluations");
  for (const Json& prior : json.at("priors")) {
    const std::string kernel = prior.at("kernel");
    model.priors.emplace_back(parse_kernel(kernel, kernel.size()), prior.at("noise"));
  }
  if (json.contains("standardisation")) {
    const Json& s = json.at("standardisation");
    model.standardisation = Standardisation{s.at("rows"), scaling_from(s.at("inputs")),
                                            scaling_from(s.at("outputs")), s.at("constant")};
  }
  if (json.contains("pooled")) {
    const Json& pooled = json.at("pooled");
    model.pooled_name = PooledName{pooled.at("rows"), pooled.at("landmarks"), bytes<32>(pooled.at("digest"))};
  }
  return model;
}

}  // namespace

std::string to_text(const SealedModel& sealed, const Charter& charter, const std::string& salt) {
  Json json{{"tacit_model", model_format},
            {"digest", hex(sealed.digest)},
            {"model", model_json(shown(sealed, charter))},
            {"seals", Json::array()}};
  for (const Seal& seal : sealed.seals)
    json["seals"].push_back({{"agent", charter.name_of(seal.agent)},
                             {"commitment", hex(seal.commitment)},
                             {"signature", hex(seal.signature)}});
  if (!salt.empty()) json["salt"] = salt;
  return json.dump(1) + '\n';
}

ReadModel model_from_text(const std::string& text, const Charter& charter) {
  ReadModel read;
  try {
    const Json json = Json::parse(text, shallow);
    const auto format = json.at("tacit_model").get<std::uint64_t>();
    check_format("the stored model", format, model_format);
    if (format != model_format) throw InputError("the model was written by another version of Tacit");
    read.sealed.model = model_of(json.at("model"), charter);
    read.sealed.digest = bytes<32>(json.at("digest"));
    for (const Json& seal : json.at("seals"))
      read.sealed.seals.push_back({agent_called(seal.at("agent"), charter), bytes<32>(seal.at("commitment")),
                                   bytes<64>(seal.at("signature"))});
    read.salt = json.value("salt", "");
  } catch (const nlohmann::json::exception&) {
    throw InputError("this is not a model file of Tacit, or it is damaged");
  }
  check_sealed(read.sealed, charter);
  return read;
}

}  // namespace tacit
