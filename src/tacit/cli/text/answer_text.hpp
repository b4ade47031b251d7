// How an agent's answers are shown to people; answers/answers.hpp has them for programs.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/answers.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit::cli {

/// The control socket of an agent that is given by that, by its agent.toml or by the folder of that file.
std::filesystem::path socket_of(const std::string& agent);

/// How this agent's owner writes files, as agent.toml has it; for a socket, as files usually are.
ReadOptions reading_of(const std::string& agent);

/// "on the data of a, b and c, without d"
std::string whose_data(const control::Progress& answer);

std::string model_text(const std::string& model);
std::string status_text(const control::StatusReply& status);

}  // namespace tacit::cli
