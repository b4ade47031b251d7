// An agent's answers as text for people; answers/answers.hpp has the same for programs.
#pragma once

#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/model/rosters.hpp"
#include "tacit/answers/answers.hpp"

namespace tacit::cli {

/// "on the data of a, b and c, without d"
std::string whose_data(const Roster& roster, const Roster& without);
std::string whose_data(const control::Progress& answer);

std::string model_text(const requests::ShownModel& model);
std::string status_text(const control::StatusReply& status);

}  // namespace tacit::cli
