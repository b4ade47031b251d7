// agent.toml: one agent's configuration. The other parties never see it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tacit/agent/agent_data.hpp"
#include "tacit/agent/policy.hpp"

namespace tacit {

/// An agent's rows and how they are read: the same for both sources.
struct AgentData {
  RowSource rows;
  std::optional<RowSource> holdout = {};  ///< rows that nobody learns from, for evaluate
  ReadOptions how = {.settings = SettingsIn::agent_toml};
};

struct AgentConfig {
  std::filesystem::path charter, identity;
  AgentData data;
  std::string listen;             ///< host:port
  std::filesystem::path state;    ///< a folder of this agent's own: model, journal, counts
  std::filesystem::path control;  ///< the unix socket for the owner's requests
  bool json_log = false;
  std::string log_level = "info";
  PolicyRules policy;
  std::optional<std::string> metrics = {};  ///< host:port of this machine; none: no metrics
};

/// Paths are relative to the file's own folder; a folder stands for its agent.toml. Throws InputError, naming
/// file, line and field.
AgentConfig read_agent_config(const std::filesystem::path& file_or_folder);
AgentConfig parse_agent_config(const std::filesystem::path& file, std::string_view text);

/// With every field, and comments for people.
std::string to_toml(const AgentConfig& config);

}  // namespace tacit
