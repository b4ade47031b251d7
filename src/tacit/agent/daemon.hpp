// An agent from start to end: pre-flight, node, control socket, and a clean exit.
#pragma once

#include "tacit/agent/agent_config.hpp"
#include "tacit/agent/preflight.hpp"
#include "tacit/link/node_options.hpp"

namespace tacit {

/// How the node is told what the charter says.
NodeOptions node_options(const AgentConfig& config, const WorkMaterial& material, const AgentKeys& keys,
                         LogSink log);

/// Runs the agent until SIGTERM or SIGINT: then the run under way may end, for a while, and nothing new
/// begins. A second signal ends it at once. Throws InputError when the pre-flight report has an error, Error
/// when folder, socket or address are taken. To be called on the main thread before any other is started.
void run_agent(const AgentConfig& config);

}  // namespace tacit
