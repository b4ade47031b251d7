// Predictions as CSV and JSON: one for every row of the input file.
#pragma once

#include <string>
#include <vector>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/model/rosters.hpp"
#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/answers/json.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

/// The points of a file, and the prediction for them.
struct Answered {
  Points points;
  Prediction found;  ///< for the valid rows, in the data's units
  std::vector<std::string> targets;
  Roster roster;        ///< the agents whose data were used
  Roster without = {};  ///< members of the charter that were excluded
  bool at_home = true;
  std::vector<std::string> notes = {};  ///< for the user
};

/// The answer of an agent, converted once. Throws Error if numbers are missing.
Answered answered(Points points, const control::Progress& answer);

/// Adds notes on ignored parts of the file, and on rows without an answer.
Answered with_notes_on_points(Answered answered);

/// A header, and a line for every row of the file: its ids, then for every target y_mean, y_latent_sd,
/// y_observed_sd, y_low and y_high. The last two are the 95 % bounds of a new observation. A bad row has
/// empty fields.
std::string predictions_csv(const Answered& answered);
/// The same, with null instead of empty fields.
Json predictions_json(const Answered& answered);

}  // namespace tacit
