// Runs an agent from start to end: pre-flight checks, node, control socket, clean exit.
#pragma once

#include <functional>
#include <memory>

#include "tacit/agent/control/local_servers.hpp"
#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/agent/daemon/served_charter.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// The options of a node under this charter.
NodeOptions node_options(const AgentConfig& config, const WorkMaterial& material, const AgentKeys& keys,
                         LogSink log);

/// Opens the page, a server that uses the agent's control socket. It is opened each time the agent starts
/// with a configuration that has [page], and destroyed before the socket closes. It throws Error if it cannot
/// be opened; the agent then tries again.
using OpenPage =
    std::function<std::shared_ptr<LocalServer>(const AgentConfig&, const ServedCharter&, const LogSink&)>;

/// Runs the agent of this agent.toml, which contains `config`, until SIGTERM or SIGINT. Then the current run
/// may finish within a time limit, and no new run starts. A second signal ends the agent at once. SIGHUP,
/// unless ignored from the start, reloads the files. Throws InputError if a pre-flight check fails, and Error
/// if folder, socket or the address for other agents are in use. Call it on the main thread before starting
/// others. Results do not depend on `home`.
void run_agent(const std::filesystem::path& file, AgentConfig config, OpenPage open_page,
               RowHome& home = home_here());

}  // namespace tacit
