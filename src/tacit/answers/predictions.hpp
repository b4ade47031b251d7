// Predictions as people and programs take them: one for every row of the file that was asked about.
#pragma once

#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/answers/json.hpp"

namespace tacit {

/// The points of a file, and what is said about them.
struct Answered {
  Points points;
  control::Progress answer;
};

/// With notes on what was passed over in the file, and on rows without an answer.
Answered answered(Points points, control::Progress answer);

/// A header and a line for every row of the file: its ids, then for every target y_mean, y_latent_sd,
/// y_observed_sd, y_low and y_high, the 95 % bounds of a new observation. They are blank in a row that
/// could not be asked about.
std::string predictions_csv(const Points& points, const control::Progress& answer);
/// The same, with null for what is blank.
Json predictions_json(const Points& points, const control::Progress& answer);

}  // namespace tacit
