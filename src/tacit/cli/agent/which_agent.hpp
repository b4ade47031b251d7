// The option --agent, shared by all commands that ask an agent.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "tacit/table/read_options.hpp"

namespace tacit::cli {

/// The environment's TACIT_AGENT, or agent.toml.
std::string usual_agent();

void add_which_agent(
    CLI::App& command, std::string& agent,
    const char* what = "The agent to ask: its agent.toml, the folder of that file, or its control socket");

/// What a command needs of the agent that it asks.
struct AskedAgent {
  std::filesystem::path socket;
  ReadOptions reading = {};  ///< how to read the owner's files; the defaults if only the socket is known
};

/// Reads the agent's agent.toml, if `agent` is that file or its folder. Call it once per command.
AskedAgent asked_agent(const std::string& agent);

}  // namespace tacit::cli
