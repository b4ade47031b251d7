// An agent's answers as JSON.
#pragma once

#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/json.hpp"

namespace tacit {

/// Of a model as control.proto has it; null for none.
Json model_json(const std::string& model);

Json fit_json(const control::Progress& answer);
/// Of rows held out at home.
Json evaluate_json(const control::Progress& answer);
Json status_json(const control::StatusReply& status);

}  // namespace tacit
