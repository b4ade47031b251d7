// How an agent's answers are shown: tables for people and for spreadsheets, JSON for programs.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/agent/control.hpp"
#include "tacit/cli/json.hpp"
#include "tacit/consortium/portable_model.hpp"

namespace tacit::cli {

/// The control socket of an agent that is given by that, by its agent.toml or by the folder of that file.
std::filesystem::path socket_of(const std::string& agent);

/// "on the data of a, b and c, without d"
std::string whose_data(const control::Progress& answer);

Json model_json(const std::string& model);
std::string model_text(const std::string& model);

Json fit_json(const control::Progress& answer);
Json predictions_json(const control::Progress& answer);
/// A header of y_mean, y_latent_sd and y_observed_sd for every target, then a line for every point.
std::string predictions_csv(const control::Progress& answer);
/// What a model that was taken away says, in the same form.
control::Progress answer_of(const PortableModel& model, const Matrix& points);
Json status_json(const control::StatusReply& status);
std::string status_text(const control::StatusReply& status);

}  // namespace tacit::cli
