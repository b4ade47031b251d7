// agent.toml: one agent's configuration. The other parties never see it.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/agent/work/policy.hpp"

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
  /// The agent asks for a fit by itself when the model is this old, if the charter allows it.
  std::optional<std::chrono::seconds> refit_every = {};
  std::optional<std::string> metrics = {};  ///< host:port of this machine; none: no metrics
  std::optional<std::string> page = {};     ///< the same, of the page for a browser
};

/// "7d", "12h", "30m" or "45s".
std::string to_text(std::chrono::seconds time);

/// Paths are relative to the file's own folder; a folder stands for its agent.toml. Throws InputError, naming
/// file, line and field.
AgentConfig read_agent_config(const std::filesystem::path& file_or_folder);
AgentConfig parse_agent_config(const std::filesystem::path& file, std::string_view text);

/// With every field, and comments for people.
std::string to_toml(const AgentConfig& config);

}  // namespace tacit
