// Predictions of an exported model, and scores of predictions.
#pragma once

#include <string>

#include "tacit/answers/predictions.hpp"
#include "tacit/consortium/portable_model.hpp"

namespace tacit::cli {

/// Predictions of an exported model.
Answered answered_by(const PortableModel& model, Points points);

/// The score of predictions for rows with known targets: over all targets, and for each one.
std::string score_text(const Answered& answered);
Json score_json(const Answered& answered);

}  // namespace tacit::cli
