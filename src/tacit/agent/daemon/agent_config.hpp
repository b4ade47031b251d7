// agent.toml: the configuration of one agent. It is never sent to other parties.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/agent/work/policy.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// An agent's rows, and how they are read. `how` applies to both sources.
struct AgentData {
  RowSource rows;
  std::optional<RowSource> holdout = {};  ///< rows that are not used in fits, for evaluate
  ReadOptions how = {.settings = SettingsIn::agent_toml};
};

struct AgentConfig {
  std::filesystem::path charter, identity;
  AgentData data;
  std::string listen;             ///< host:port
  std::filesystem::path state;    ///< this agent's own folder: model, journal, counts
  std::filesystem::path control;  ///< the unix socket for the owner's requests
  bool json_log = false;
  LogLevel log_level = LogLevel::info;
  PolicyRules policy;
  /// The agent requests a fit automatically when the model reaches this age, if the charter allows it.
  std::optional<std::chrono::seconds> refit_every = {};
  std::optional<std::string> metrics = {};  ///< loopback host:port; nullopt: no metrics
  std::optional<std::string> page = {};     ///< the same for the page
  std::optional<std::string> name = {};     ///< whose agent it is; keys of another member are refused
};

/// "7d", "12h", "30m" or "45s".
std::string to_text(std::chrono::seconds time);

/// Paths are relative to the file's own folder; a folder means its agent.toml. Throws InputError with file,
/// line and field.
AgentConfig read_agent_config(const std::filesystem::path& file_or_folder);
AgentConfig parse_agent_config(const std::filesystem::path& file, std::string_view text);

/// The text of agent.toml, with every field and with comments.
std::string to_toml(const AgentConfig& config);

}  // namespace tacit
