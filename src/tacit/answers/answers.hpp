// Converts an agent's answers to JSON.
#pragma once

#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/json.hpp"

namespace tacit {

/// Takes a model in the form of control.proto; null for an empty text.
Json model_json(const std::string& model);

Json fit_json(const control::Progress& answer);
/// The score of an evaluation.
Json evaluate_json(const control::Progress& answer);
Json status_json(const control::StatusReply& status);

}  // namespace tacit
