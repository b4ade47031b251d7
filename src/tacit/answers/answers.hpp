// Converts an agent's answers to JSON.
#pragma once

#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/json.hpp"

namespace tacit {

/// A model with its digest.
Json sealed_model_json(const requests::ShownModel& model);

Json fit_json(const control::Progress& answer);
/// The score of an evaluation.
Json evaluate_json(const control::Progress& answer);
Json status_json(const control::StatusReply& status);

}  // namespace tacit
