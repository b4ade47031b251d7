// Predictions as people and programs take them: one for every row of the file that was asked about.
#pragma once

#include <string>

#include "tacit/agent/agent_data.hpp"
#include "tacit/agent/control.hpp"
#include "tacit/cli/json.hpp"
#include "tacit/consortium/portable_model.hpp"

namespace tacit::cli {

/// What a model that was taken away says, in the form of an agent's answer.
control::Progress answer_of(const PortableModel& model, const Matrix& points);

/// A header and a line for every row of the file: its ids, then for every target y_mean, y_latent_sd,
/// y_observed_sd, y_low and y_high, the 95 % bounds of a new observation. They are blank in a row that
/// could not be asked about.
std::string predictions_csv(const Points& points, const control::Progress& answer);
/// The same, with null for what is blank.
Json predictions_json(const Points& points, const control::Progress& answer);

/// Predictions where the truth is known: over all targets, and for every one of them.
std::string score_text(const Points& points, const control::Progress& answer);
Json score_json(const Points& points, const control::Progress& answer);

}  // namespace tacit::cli
