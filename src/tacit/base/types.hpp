// Small vocabulary types that every room may use.
#pragma once

#include <cstdint>

namespace tacit {

/// An agent's place in the charter's roster, from 0.
using AgentId = std::uint32_t;

}  // namespace tacit
