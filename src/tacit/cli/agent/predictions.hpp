// Predictions of an exported model, and scores of predictions.
#pragma once

#include <string>

#include "tacit/answers/predictions.hpp"
#include "tacit/consortium/portable_model.hpp"

namespace tacit::cli {

/// Predictions of an exported model, in the form of an agent's answer.
control::Progress answer_of(const PortableModel& model, const Matrix& points);

/// The score of predictions for rows with known targets: over all targets, and for each one.
std::string score_text(const Points& points, const control::Progress& answer);
Json score_json(const Points& points, const control::Progress& answer);

}  // namespace tacit::cli
