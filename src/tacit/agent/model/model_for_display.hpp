// A sealed model for people and programs outside the agent: agents by name, digests in hexadecimal.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tacit/agent/model/model.hpp"
#include "tacit/agent/model/model.pb.h"

namespace tacit {

requests::ShownModel shown(const SealedModel& sealed, const Charter& charter);

/// The object `model` of the agent's own file, which answers in JSON also have.
nlohmann::ordered_json model_json(const requests::ShownModel& model);

}  // namespace tacit
