// The option --agent, shared by all commands that ask an agent.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tacit::cli {

/// The environment's TACIT_AGENT, or agent.toml.
std::string usual_agent();

void add_which_agent(
    CLI::App& command, std::string& agent,
    const char* what = "The agent to ask: its agent.toml, the folder of that file, or its control socket");

}  // namespace tacit::cli
