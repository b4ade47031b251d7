// Checks the ports that an agent would open: for its neighbours, for metrics and for the page.
#pragma once

#include <vector>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/daemon/preflight.hpp"

namespace tacit {

/// One finding for each port. A port that this agent itself has open, because it runs, is good.
std::vector<Finding> port_findings(const AgentConfig& config);

}  // namespace tacit
