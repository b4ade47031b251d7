// The charter of a running agent, for others in its process, so that they need not parse it again.
#pragma once

#include <optional>

#include "tacit/agent/work/run_handler.hpp"

namespace tacit {

struct ServedCharter {
  Charter charter;
  AgentId self = 0;
  std::optional<Charter> before = {};  ///< the charter that this agent served before this one
};

/// Reads the previous charter from the agent's state folder. If that file is damaged, logs it and leaves
/// `before` empty, because it is only shown.
ServedCharter served_charter(const WorkMaterial& material, const LogSink& log);

}  // namespace tacit
