// Recognises an agent.toml that names the keys of another member.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

/// Throws InputError, naming both members, if agent.toml names another member than `self`, or if the state
/// folder was used with the keys of another member. For a new state folder, it throws if the agent would
/// listen at the address that the charter gives to another member on this machine.
void check_key_owner(const AgentConfig& config, const Charter& charter, AgentId self);

/// Records the member in its state folder. Throws Error if the file cannot be written.
void record_member(const std::filesystem::path& state, const std::string& name);

}  // namespace tacit
