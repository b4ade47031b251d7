// Predictions of a model that was taken away, and scores of predictions.
#pragma once

#include <string>

#include "tacit/answers/predictions.hpp"
#include "tacit/consortium/portable_model.hpp"

namespace tacit::cli {

/// What a model that was taken away says, in the form of an agent's answer.
control::Progress answer_of(const PortableModel& model, const Matrix& points);

/// Predictions where the truth is known: over all targets, and for every one of them.
std::string score_text(const Points& points, const control::Progress& answer);
Json score_json(const Points& points, const control::Progress& answer);

}  // namespace tacit::cli
