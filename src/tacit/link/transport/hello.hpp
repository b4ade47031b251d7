// The first frames on a link: each side names itself, and checks version and charter of the other.
#pragma once

#include <optional>
#include <string>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/transport/frame.hpp"

namespace tacit {

/// Why this agent refuses a link to the holder of `peer`'s certificate, who sent this hello. None if it
/// accepts.
std::optional<wire::Refusal> objection_to(const wire::Hello& hello, AgentId peer, const NodeOptions& options);

/// The release of Tacit that the sender reports, sanitised for display. Empty if it reports none.
std::string release_in(const wire::Hello& hello);

/// "columns.age: ours 0..100, theirs 0..120": the first field in which two charters differ.
std::string first_difference(const Agreement& ours, const wire::Refusal& theirs);

/// "agent 2 (north)".
std::string who(const NodeOptions& options, AgentId agent);

}  // namespace tacit
