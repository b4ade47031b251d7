// What an agent runs with: its files at one moment. tacit agent reload and SIGHUP look at them again.
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
  std::string waiting;             ///< how the source differs from the snapshot; empty when it does not
  std::vector<std::string> words;  ///< what people should know: about the charter, and the rows
};

/// For an agent that starts. The state folder must be this process's own. Throws InputError when the charter
/// is older than the one that this folder has served.
Configuration load_configuration(AgentConfig config, Preflight report, RowHome& home = home_here());

/// For one that runs: a fully signed successor of its charter, other settings, a new snapshot of its rows
/// when enough of them changed. Nothing when all is as it was, but for `words`. Throws InputError for what a
/// running agent cannot take over, and what is wrong with the files.
struct ReloadedConfiguration {
  std::optional<Configuration> next;
  std::vector<std::string> words;
  std::string waiting;  ///< as in Configuration
};
ReloadedConfiguration reload_configuration(const Configuration& now, AgentConfig config, Preflight report,
                                           RowHome& home = home_here());

/// The charter that this agent served before the one that it serves now; none where there was none.
std::optional<Charter> previous_charter(const std::filesystem::path& state);

/// The journal's folder: a charter's agents have numbers of their own, so every later charter has one for
/// itself.
std::filesystem::path journal_folder(const std::filesystem::path& state, const Charter& charter);

}  // namespace tacit
