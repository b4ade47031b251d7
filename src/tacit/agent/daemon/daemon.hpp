// An agent from start to end: pre-flight, node, control socket, and a clean exit.
#pragma once

#include <functional>
#include <memory>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// The node's options, as the charter says.
NodeOptions node_options(const AgentConfig& config, const WorkMaterial& material, const AgentKeys& keys,
                         LogSink log);

/// Something that runs beside an agent, on top of its control socket: it is made whenever the agent has begun
/// with what its files say, and destroyed before the socket closes. Whoever makes it may throw InputError.
using Beside = std::function<std::shared_ptr<void>(const AgentConfig&, const LogSink&)>;
inline std::shared_ptr<void> nothing_beside(const AgentConfig&, const LogSink&) { return nullptr; }

/// Runs the agent that this agent.toml describes until SIGTERM or SIGINT: then the current run may finish,
/// within a time limit, and no new run starts. A second signal ends it at once. SIGHUP, unless it was ignored
/// from the start, makes it read its files again. Throws InputError when the pre-flight report has an error,
/// Error when folder, socket or address are taken. Call it on the main thread before starting any other.
/// Results do not depend on where the rows are.
void run_agent(const std::filesystem::path& file, Beside beside = nothing_beside,
               RowHome& home = home_here());

}  // namespace tacit
