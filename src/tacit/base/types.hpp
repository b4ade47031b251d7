// Small types shared by all rooms.
//
// Threads: plain values.
// Errors: nothing of its own.
// Stopping: nothing here takes long.
#pragma once

#include <cstdint>

namespace tacit {

/// An agent's index in the charter's roster, from 0.
using AgentId = std::uint32_t;

}  // namespace tacit
