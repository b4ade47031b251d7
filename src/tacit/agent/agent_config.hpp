// agent.toml: what one agent runs with. Nothing in it concerns the other parties.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tacit/agent/policy.hpp"

namespace tacit {

struct AgentConfig {
  std::filesystem::path charter, identity, data;
  std::optional<std::filesystem::path> holdout;  ///< rows that nobody learns from, for evaluate
  std::string listen;                            ///< host:port
  std::filesystem::path state;                   ///< a folder of this agent's own: model, journal, counts
  std::filesystem::path control;                 ///< the unix socket that requests come in by
  bool json_log = false;
  std::string log_level = "info";
  PolicyRules policy;
};

/// Paths are taken from the file's own folder. Throws InputError, naming file, line and field.
AgentConfig read_agent_config(const std::filesystem::path& file);
AgentConfig parse_agent_config(const std::filesystem::path& file, std::string_view text);

/// With comments for people, and every field.
std::string to_toml(const AgentConfig& config);

}  // namespace tacit
