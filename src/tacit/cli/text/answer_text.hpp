// An agent's answers as text for people; answers/answers.hpp has the same for programs.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/answers.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit::cli {

/// The control socket of an agent. `agent` is the socket, agent.toml, or the folder of that file.
std::filesystem::path socket_of(const std::string& agent);

/// How to read the owner's files, from agent.toml; the defaults if `agent` is a socket.
ReadOptions reading_of(const std::string& agent);

/// "on the data of a, b and c, without d"
std::string whose_data(const control::Progress& answer);

std::string model_text(const std::string& model);
std::string status_text(const control::StatusReply& status);

}  // namespace tacit::cli
