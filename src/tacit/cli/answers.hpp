// How an agent's answers are shown: tables for people and for spreadsheets, JSON for programs.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/agent/control.hpp"
#include "tacit/cli/json.hpp"
#include "tacit/data/read_options.hpp"

namespace tacit::cli {

/// The control socket of an agent that is given by that, by its agent.toml or by the folder of that file.
std::filesystem::path socket_of(const std::string& agent);

/// How this agent's owner writes files, as agent.toml has it; for a socket, as files usually are.
ReadOptions reading_of(const std::string& agent);

/// Of any list of texts that a message has.
template <class Texts>
Json list_json(const Texts& texts) {
  Json all = Json::array();
  for (const std::string& text : texts) all.push_back(text);
  return all;
}

/// "on the data of a, b and c, without d"
std::string whose_data(const control::Progress& answer);

Json model_json(const std::string& model);
std::string model_text(const std::string& model);

Json fit_json(const control::Progress& answer);
Json status_json(const control::StatusReply& status);
std::string status_text(const control::StatusReply& status);

}  // namespace tacit::cli
