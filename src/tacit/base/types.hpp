// Small types shared by all rooms.
#pragma once

#include <cstdint>

namespace tacit {

/// An agent's index in the charter's roster, from 0.
using AgentId = std::uint32_t;

}  // namespace tacit
