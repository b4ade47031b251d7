// Predictions as CSV and JSON: one for every row of the input file.
#pragma once

#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/answers/json.hpp"

namespace tacit {

/// The points of a file, and the answer for them.
struct Answered {
  Points points;
  control::Progress answer;
};

/// Adds notes on ignored parts of the file, and on rows without an answer.
Answered answered(Points points, control::Progress answer);

/// A header, and a line for every row of the file: its ids, then for every target y_mean, y_latent_sd,
/// y_observed_sd, y_low and y_high. The last two are the 95 % bounds of a new observation. A bad row has
/// empty fields.
std::string predictions_csv(const Points& points, const control::Progress& answer);
/// The same, with null instead of empty fields.
Json predictions_json(const Points& points, const control::Progress& answer);

}  // namespace tacit
