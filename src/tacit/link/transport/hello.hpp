// The first words on a link: who each side is, and whether they belong together.
#pragma once

#include <optional>
#include <string>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/transport/frame.hpp"

namespace tacit {

/// Why this agent refuses to talk to the holder of `peer`'s certificate, who said this; none if it talks.
std::optional<wire::Refusal> objection_to(const wire::Hello& hello, AgentId peer, const NodeOptions& options);

/// The release of Tacit that its sender says it runs, fit to be shown; empty when it does not say.
std::string release_in(const wire::Hello& hello);

/// "columns.age: ours 0..100, theirs 0..120": the first field in which two charters differ.
std::string first_difference(const Agreement& ours, const wire::Refusal& theirs);

/// "agent 2 (north)".
std::string who(const NodeOptions& options, AgentId agent);

}  // namespace tacit
