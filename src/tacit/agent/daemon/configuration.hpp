// The configuration of a running agent: the content of its files at one time. tacit agent reload and SIGHUP
// reload it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/daemon/preflight.hpp"

namespace tacit {

struct Configuration {
  AgentConfig config;
  AgentKeys keys;
  WorkMaterial material;
  bool rows_replaced = false;      ///< a new snapshot was taken
  std::string waiting;             ///< how the source differs from the snapshot; empty if it does not
  std::vector<std::string> words;  ///< notes for the user about charter and rows
};

/// For an agent that starts. No other process may use the state folder. If snapshot or charter cannot be read
/// from or written to this folder, `only_home` states the reason. Throws InputError if this folder has
/// served a later charter, or another one with the same number.
Configuration load_configuration(AgentConfig config, Preflight report, RowHome& home = home_here());

/// For an agent that runs. `next` has a fully signed successor of its charter, changed settings, or a new
/// snapshot if enough rows changed; it is nullopt if nothing changed. Throws InputError for changes that need
/// a restart, and for errors in the files.
struct ReloadedConfiguration {
  std::optional<Configuration> next;
  std::vector<std::string> words;
  std::string waiting;  ///< as in Configuration
};
ReloadedConfiguration reload_configuration(const Configuration& now, AgentConfig config, Preflight report,
                                           RowHome& home = home_here());

/// The charter that this agent served before the current one; nullopt if there was none.
std::optional<Charter> previous_charter(const std::filesystem::path& state);

/// The journal's folder. Agents are numbered by the charter, so every later charter has its own folder.
std::filesystem::path journal_folder(const std::filesystem::path& state, const Charter& charter);

}  // namespace tacit
