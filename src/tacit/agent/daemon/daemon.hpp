// Runs an agent from start to end: pre-flight checks, node, control socket, clean exit.
#pragma once

#include <functional>
#include <memory>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// The options of a node under this charter.
NodeOptions node_options(const AgentConfig& config, const WorkMaterial& material, const AgentKeys& keys,
                         LogSink log);

/// Creates an object that runs beside an agent and uses its control socket, such as the page. It is created
/// each time the agent starts with a configuration, and destroyed before the socket closes. It may throw
/// InputError.
using Beside = std::function<std::shared_ptr<void>(const AgentConfig&, const LogSink&)>;
inline std::shared_ptr<void> nothing_beside(const AgentConfig&, const LogSink&) { return nullptr; }

/// Runs the agent of this agent.toml until SIGTERM or SIGINT. Then the current run may finish within a time
/// limit, and no new run starts. A second signal ends the agent at once. SIGHUP, unless ignored from the
/// start, reloads the files. Throws InputError if a pre-flight check fails, and Error if folder, socket or
/// address are in use. Call it on the main thread before starting others. Results do not depend on `home`.
void run_agent(const std::filesystem::path& file, Beside beside = nothing_beside,
               RowHome& home = home_here());

}  // namespace tacit
